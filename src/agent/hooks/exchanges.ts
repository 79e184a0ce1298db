/**
 * A transcript as exchanges: a person's message or command, and all replies to it. Only at its end is it known whether an exchange
 * may be saved: a tool call that forgets something comes after the request.
 */
import type { TranscriptFile } from "./transcript-file.ts";
import { type Done, heardIn, type Said } from "./transcript-line.ts";

interface ReadExchange {
  readonly said: readonly (Said & { readonly end: number })[];
  /** Tool calls that succeeded. */
  readonly done: readonly Done[];
  /** It began after the position from which reading continued. */
  readonly isBegun: boolean;
  /** The user asked memory to show or forget something, so none of it may be saved. */
  readonly isMuted: boolean;
  /** The offset of the next one. */
  readonly end: number;
}

/** The first one continues the exchange open at `from`, and may be empty; the last one may be incomplete. */
export function* exchangesIn(
  file: TranscriptFile,
  from: number,
  { isMuted, ofAgent }: { readonly isMuted: boolean; readonly ofAgent: boolean },
): Generator<ReadExchange> {
  let open: ReadExchange & { said: (Said & { end: number })[] } = {
    ...{ said: [], done: [], isBegun: false, isMuted, end: from },
  };
  for (const { text, end } of file.lines(from)) {
    const { said, begins, isAboutMemory, done, failed } = heardIn(text, ofAgent);
    if (begins) {
      yield open;
      open = { said: [], done: [], isBegun: true, isMuted: false, end };
    }
    if (said !== null) open.said.push({ ...said, end });
    const succeeded = [...open.done, ...done].filter(({ id }) => !failed.includes(id));
    open = { ...open, done: succeeded, isMuted: open.isMuted || isAboutMemory, end };
  }
  yield open;
}
