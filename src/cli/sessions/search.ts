/** 'retain sessions search': matching messages, grouped by session. */
import type { FoundInSession } from "../../app/search-sessions.ts";
import type { Context } from "../command.ts";
import type { Output } from "../output.ts";
import { type SessionsOptions, wordMissing } from "./options.ts";
import { searchText } from "./text.ts";

export async function searchSessions(
  context: Context,
  words: readonly string[],
  { chat, tag, limit }: SessionsOptions,
): Promise<Output> {
  const query = words.join(" ");
  if (query.trim() === "") throw wordMissing("search");
  const { sessions: found, words: sought } = await context.open().searchSessions(query, { chat, tag, limit });
  return {
    data: { query, sessions: found.map(asJson) },
    text: searchText(context.terminal, found, sought),
    quiet: found.map(({ session }) => session.id).join("\n"),
  };
}

function asJson({ session, hits }: FoundInSession) {
  return {
    ...session,
    hits: hits.map(({ kind, id, speaker, at, text, score }) => {
      return { kind, message: kind === "message" ? Number(id) : null, speaker, at, text, score };
    }),
  };
}
