/** The turns of a transcript that are not kept yet, in order, each with what it marks. */
import { type Mark, readReply } from "../../core/marks.ts";
import { type Progress, tag } from "./progress.ts";
import type { TranscriptFile } from "./transcript-file.ts";
import { type Said, saidIn } from "./transcript-line.ts";

export interface NewTurn extends Said {
  readonly marks: readonly Mark[];
}

export interface NewTurns {
  readonly turns: readonly NewTurn[];
  /** Up to where that is. */
  readonly end: number;
  /** There are more. */
  readonly more: boolean;
}

type Known = Pick<Progress, "since" | "lines" | "ahead">;

/** What the assistant says on the way to an answer is no turn, unless it marks something. */
export function newTurns(
  file: TranscriptFile,
  from: number,
  known: Known,
  { ofAgent, most }: { ofAgent: boolean; most: number },
): NewTurns {
  const isNew = newness(known);
  const turns: NewTurn[] = [];
  let reached = from;
  for (const { text, end } of file.lines(from)) {
    const said = saidIn(text, ofAgent);
    if (said !== null && isNew(said)) {
      const marks = said.role === "assistant" ? readReply(said.text).marks : [];
      if (!said.isAside || marks.length > 0) turns.push({ ...said, marks });
    }
    reached = end;
    if (turns.length === most) return { turns, end, more: true };
  }
  return { turns, end: reached, more: false };
}

function newness({ since, lines, ahead }: Known): (said: Said) => boolean {
  const [keptLines, keptReplies] = [new Set(lines), new Set(ahead)];
  return ({ uuid, role, text, at }) =>
    (since === "" || at >= since) &&
    !keptLines.has(tag(uuid)) &&
    !(role === "assistant" && keptReplies.has(tag(text)));
}
