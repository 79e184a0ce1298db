/** The turns of a transcript that are not saved yet, in order, each with its marks. */

import { asks, isChitChat } from "../../core/language/chit-chat.ts";
import { type Mark, readReply } from "../../core/marks/marks.ts";
import { exchangesIn } from "./exchanges.ts";
import { type Progress, tag } from "./progress.ts";
import type { Bookmark, Talk, TranscriptFile } from "./transcript-file.ts";
import type { Done, Said } from "./transcript-line.ts";

export interface NewTurn extends Said {
  readonly marks: readonly Mark[];
}

export interface NewTurns {
  readonly turns: readonly NewTurn[];
  /** Tool calls in these exchanges that may have changed something. */
  readonly done: readonly Done[];
  /** How many of the user's messages they are, or answer. */
  readonly prompts: number;
  /** The position they end at. */
  readonly upTo: Bookmark & { readonly talk: Talk };
  readonly more: boolean;
}

type Known = Pick<Progress, "since" | "lines" | "ahead">;

const AT_FIRST: Talk = { isMuted: false, isIdle: false, isAsked: false };

/**
 * Whole exchanges, until there are `most` turns. Not counted as turns: intermediate messages of the assistant without marks, the
 * user's small talk, and replies to it without substance.
 */
export function newTurns(
  file: TranscriptFile,
  since: Bookmark,
  known: Known,
  { ofAgent, most }: { ofAgent: boolean; most: number },
): NewTurns {
  const isNew = newness(known);
  const turns: NewTurn[] = [];
  const calls: Done[] = [];
  let [reached, prompts] = [file.from(since), 0];
  let talk = (reached === 0 ? null : since.talk) ?? AT_FIRST;
  const done = (more: boolean) => ({
    ...{ turns, done: calls, prompts, more },
    upTo: { ...file.bookmark(reached), talk },
  });
  for (const exchange of exchangesIn(file, reached, { isMuted: talk.isMuted, ofAgent })) {
    if (turns.length >= most) return done(true);
    const { isMuted, isBegun } = exchange;
    talk = { isMuted, isIdle: !isBegun && talk.isIdle, isAsked: !isMuted && talk.isAsked };
    if (!isMuted) calls.push(...exchange.done.filter(({ at }) => at >= known.since));
    for (const { end: _, ...said } of isMuted ? [] : exchange.said) {
      talk = heard(talk, said);
      const marks = said.role === "assistant" ? readReply(said.text).marks : [];
      if (!isNew(said) || (marks.length === 0 && !isTurn(said, talk))) continue;
      turns.push({ ...said, marks });
      if (said.role === "user" || (talk.isIdle && !said.isAside)) prompts++;
    }
    reached = exchange.end;
  }
  return done(false);
}

function heard(talk: Talk, { role, text, isAside }: Said): Talk {
  if (role === "user") return { ...talk, isIdle: isChitChat(text, talk.isAsked), isAsked: false };
  return isAside ? talk : { ...talk, isAsked: asks(text) };
}

function isTurn({ role, text, isAside }: Said, { isIdle }: Talk): boolean {
  if (isAside) return false;
  return !isIdle || (role === "assistant" && !isChitChat(text, false));
}

function newness({ since, lines, ahead }: Known): (said: Said) => boolean {
  const [keptLines, keptReplies] = [new Set(lines), new Set(ahead)];
  return ({ uuid, role, text, at }) =>
    (since === "" || at >= since) &&
    !keptLines.has(tag(uuid)) &&
    !(role === "assistant" && keptReplies.has(tag(text)));
}
