/** The real command, as it is installed. */
import { join } from "node:path";

export const RETAIN = join(import.meta.dir, "../../bin/retain");
