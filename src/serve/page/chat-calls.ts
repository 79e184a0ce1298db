/** Calls about open chats. What a chat answers arrives as a stream, at /app/chats/<id>/events. */
import * as z from "../../util/zod.ts";
import { call } from "./call.ts";

const CHAT = { chat: z.string() };
const OPEN = z.strictObject({
  chat: z.optional(z.string()),
  session: z.optional(z.string()),
  take: z.optional(z.boolean()),
  incognito: z.optional(z.boolean()),
});
const DECISION = z.union([
  z.strictObject({ answer: z.enum(["once", "session"]) }),
  z.strictObject({ answer: z.literal("deny"), reason: z.optional(z.string()) }),
]);

export const chatCalls = {
  "chat-open": call(OPEN, async ({ chats }, request) => {
    const { id, session } = await chats.open(request);
    return { chat: id, session };
  }),
  "chat-send": call(z.strictObject({ ...CHAT, line: z.string() }), async ({ chats }, { chat, line }) =>
    chats.send(chat, line),
  ),
  "chat-stop": call(z.strictObject(CHAT), async ({ chats }, { chat }) => chats.get(chat).stop()),
  "chat-dismiss": call(z.strictObject(CHAT), async ({ chats }, { chat }) => chats.get(chat).dismiss()),
  "chat-answer": call(
    z.strictObject({ ...CHAT, call: z.string(), decision: DECISION }),
    async ({ chats }, { chat, call: id, decision }) => {
      const { answer } = decision;
      chats
        .get(chat)
        .answer(id, answer === "deny" ? { ...decision, reason: decision.reason ?? "" } : decision);
    },
  ),
  "chat-stop-tool": call(
    z.strictObject({ ...CHAT, call: z.string() }),
    async ({ chats }, { chat, call: id }) => chats.get(chat).stopTool(id),
  ),
  "chat-complete": call(
    z.strictObject({ ...CHAT, beginning: z.string() }),
    async ({ chats }, { chat, beginning }) => chats.get(chat).complete(beginning),
  ),
  "chat-close": call(z.strictObject(CHAT), async ({ chats }, { chat }) => chats.close(chat)),
};
