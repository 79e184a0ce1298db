/** Calls about the memory as a whole. */
import * as z from "../../util/zod.ts";
import { call } from "./call.ts";

export const statusCalls = {
  /** Answers at once, if the browser is logged in. */
  hello: call(z.strictObject({}), async () => null),
  status: call(z.strictObject({}), async ({ retain }) => retain.status()),
};
