/** Calls about open chats. What a chat answers arrives as a stream, at /app/chats/<id>/events. */
import type { Identified } from "../../app/find-by-id.ts";
import type { Retain } from "../../app.ts";
import { RetainError } from "../../core/errors.ts";
import { documentOfSource } from "../../core/memory.ts";
import { oneLine, truncate } from "../../util/text.ts";
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
  /** References to files whose path contains this. */
  "chat-files": call(z.strictObject({ part: z.string() }), async ({ chats }, { part }) => chats.files(part)),
  "chat-close": call(z.strictObject(CHAT), async ({ chats }, { chat }) => chats.close(chat)),
  /** The texts of memories that a reply was given, by their names, such as "fact 3f9a2xw0c1". null: forgotten since. */
  "memories-named": call(z.strictObject({ names: z.array(z.string()) }), async ({ retain }, { names }) =>
    Promise.all(
      names.map(async (name) => {
        const found = await named(retain, name).catch((error: unknown) => {
          if (!(error instanceof RetainError)) throw error;
          return null;
        });
        return { name, text: found === null ? null : truncate(oneLine(textOf(found)), LONGEST_TEXT) };
      }),
    ),
  ),
};

const LONGEST_TEXT = 300;

async function named(retain: Retain, name: string): Promise<Identified> {
  const [kind = "", ...words] = name.split(" ");
  const source = words.join(" ");
  if (kind !== "document") return retain.find(source);
  const { id, collection } = documentOfSource(source);
  return retain.find(id, { collection });
}

function textOf(found: Identified): string {
  switch (found.kind) {
    case "document":
      return found.document.title ?? found.document.id;
    case "fact":
      return found.provenance.fact.text;
    case "note":
      return found.note.text;
    case "session":
      return found.session.summary ?? found.session.title ?? found.session.id;
    case "message":
      return found.message.content;
  }
}
