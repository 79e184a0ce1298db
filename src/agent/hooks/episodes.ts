/** Sends a session to a bank on a server, as the chat does: the whole session, or the last turns with some before them. */
import { episodeOf, exchangesOf, type SaidMessage } from "../../facts/transcript.ts";
import type { AutoRetain } from "../ports.ts";
import { exchangesIn } from "./exchanges.ts";
import type { TranscriptFile } from "./transcript-file.ts";

interface ToSend extends Pick<AutoRetain, "mode" | "overlapTurns"> {
  readonly session: string;
  readonly chat: string;
  readonly since: string;
  /** The offset up to which turns have been sent. */
  readonly sentTo: number;
  readonly keep: NonNullable<AutoRetain["keep"]>;
}

/** Returns the number of new exchanges. Throws as the backend. */
export async function sendEpisode(file: TranscriptFile, wanted: ToSend): Promise<number> {
  const { session, chat, since, sentTo, mode, overlapTurns, keep } = wanted;
  const messages: SaidMessage[] = [];
  let sent = 0;
  const read = [...exchangesIn(file, 0, { isMuted: false, ofAgent: false })];
  for (const { role, text: content, at: timestamp, isAside, end } of read.flatMap((one) =>
    one.isMuted ? [] : one.said,
  )) {
    if (isAside || (since !== "" && timestamp < since)) continue;
    messages.push({ id: messages.length + 1, role, content, timestamp, details: {} });
    if (end <= sentTo) sent = messages.length;
  }
  const exchanges = exchangesOf(messages);
  const fresh = exchanges.findIndex(({ last }) => last > sent);
  if (fresh < 0) return 0;
  const from = mode === "full-session" ? 0 : Math.max(0, fresh - overlapTurns);
  const episode = episodeOf({ session, chat, title: null }, exchanges, { from, to: exchanges.length });
  if (episode !== null) await keep(episode);
  return exchanges.length - fresh;
}
