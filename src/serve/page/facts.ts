/** Calls that change facts. */
import * as z from "../../util/zod.ts";
import { call, undoable } from "./call.ts";

const NAMED = z.strictObject({ id: z.string() });

export const factCalls = {
  "fact-add": call(
    z.strictObject({
      text: z.string(),
      tags: z.optional(z.array(z.string())),
      allowSecret: z.optional(z.boolean()),
    }),
    async ({ retain }, { text, ...options }) => retain.facts.remember(text, options),
  ),
  "fact-edit": call(z.strictObject({ id: z.string(), text: z.string() }), async ({ retain }, { id, text }) =>
    retain.facts.edit(id, text),
  ),
  "fact-confirm": call(NAMED, async ({ retain }, { id }) => retain.facts.confirm([id])),
  "fact-end": call(NAMED, async ({ retain }, { id }) => undoable(retain, await retain.facts.end(id))),
  /** Undoes one fact: it ends, and those it replaced return; an ended one returns. */
  "fact-withdraw": call(NAMED, async ({ retain }, { id }) =>
    undoable(retain, await retain.facts.withdraw(id)),
  ),
};
