/** What the page asks of the server: a name, an input that is checked, and an answer in JSON. The page has the same types. */
import type { Retain } from "../../app.ts";
import type * as z from "../../util/zod.ts";
import type { Chats } from "./chats.ts";

interface PageContext {
  readonly retain: Retain;
  readonly chats: Chats;
}

export interface PageCall<I, A> {
  readonly input: z.ZodMiniType<I>;
  run(context: PageContext, input: I): Promise<A>;
}

/** Infers the types of a call from its schema and its function. */
export function call<I, A>(
  input: z.ZodMiniType<I>,
  run: (context: PageContext, input: I) => Promise<A>,
): PageCall<I, A> {
  return { input, run };
}

/** Adds the change that was just made, for the call `undo`. */
export async function undoable<T extends object>({ facts }: Retain, made: T) {
  const change = await facts.lastChange();
  return { ...made, undo: change && { number: change.number, origin: change.origin } };
}
