/** Calls about the memory as a whole. */
import * as z from "../../util/zod.ts";
import { call } from "./call.ts";

export const statusCalls = {
  status: call(z.strictObject({}), async ({ retain }) => retain.status()),
};
