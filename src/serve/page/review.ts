/** Calls about facts that wait for a person's decision: pairs in doubt and unconfirmed facts. */
import { DECISIONS } from "../../facts/unconfirmed/review.ts";
import { shownText } from "../../sessions/prose.ts";
import * as z from "../../util/zod.ts";
import { call, undoable } from "./call.ts";

/** Facts that hold again with the decision. */
const NOTHING_RESTORED = { restored: [] as string[] };

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

  "review-confirm": call(z.strictObject(FACT), async ({ retain }, { id }) => {
    await retain.facts.confirm([id]);
    return undoable(retain, NOTHING_RESTORED);
  }),

  "review-reject": call(z.strictObject(FACT), async ({ retain }, { id }) => {
    const { restored } = await retain.facts.reject(id);
    return undoable(retain, { restored: restored.map(({ text }) => text) });
  }),

  /** A person's own words: the fact is confirmed with them. */
  "review-edit": call(z.strictObject({ ...FACT, text: z.string() }), async ({ retain }, { id, text }) => {
    const { action } = await retain.facts.edit(id, text);
    if (action === "unchanged") await retain.facts.confirm([id]);
    return undoable(retain, NOTHING_RESTORED);
  }),

  "review-decide": call(
    z.strictObject({ ...FACT, decision: z.enum(DECISIONS) }),
    async ({ retain }, { id, decision }) => {
      await retain.facts.decide(id, decision);
      return undoable(retain, NOTHING_RESTORED);
    },
  ),
};
