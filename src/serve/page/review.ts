/** Calls about facts that wait for a person's decision: pairs in doubt and unconfirmed facts. */
import { DECISIONS } from "../../facts/unconfirmed/review.ts";
import { shownText } from "../../sessions/prose.ts";
import * as z from "../../util/zod.ts";
import { call, type PageContext } from "./call.ts";

const FACT = { id: z.string() };

export const reviewCalls = {
  review: call(z.strictObject({}), async ({ retain }) => ({
    pairs: await retain.facts.doubts(),
    unconfirmed: await retain.facts.list({ unconfirmed: true }),
  })),

  "review-count": call(z.strictObject({}), async ({ retain }) => {
    const pairs = await retain.facts.doubts();
    const unconfirmed = await retain.facts.list({ unconfirmed: true });
    return pairs.length + unconfirmed.length;
  }),

  /** The message that a fact came from; null if it came from none, or the message is gone. */
  "review-source": call(z.strictObject(FACT), async ({ retain }, { id }) => {
    const { message } = await retain.facts.why(id);
    if (message === null) return null;
    const { role, speaker, timestamp: at } = message;
    return { role, speaker, at, text: shownText(message) };
  }),

  "review-confirm": call(z.strictObject(FACT), async (context, { id }) => {
    await context.retain.facts.confirm([id]);
    return decided(context);
  }),

  "review-reject": call(z.strictObject(FACT), async (context, { id }) => {
    const { restored } = await context.retain.facts.reject(id);
    return decided(
      context,
      restored.map(({ text }) => text),
    );
  }),

  /** A person's own words: the fact is confirmed with them. */
  "review-edit": call(z.strictObject({ ...FACT, text: z.string() }), async (context, { id, text }) => {
    const { facts } = context.retain;
    const { action } = await facts.edit(id, text);
    if (action === "unchanged") await facts.confirm([id]);
    return decided(context);
  }),

  "review-decide": call(
    z.strictObject({ ...FACT, decision: z.enum(DECISIONS) }),
    async (context, { id, decision }) => {
      await context.retain.facts.decide(id, decision);
      return decided(context);
    },
  ),
};

/** The change that was just made, for the call `undo`, and the facts that hold again with it. */
async function decided({ retain }: PageContext, restored: readonly string[] = []) {
  const change = await retain.facts.lastChange();
  return { undo: change && { number: change.number, origin: change.origin }, restored };
}
