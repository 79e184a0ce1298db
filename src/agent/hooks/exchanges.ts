/**
 * A transcript as exchanges: a person's message or command, and all that came of it. Whether an exchange may be kept is known at its
 * end: a tool that forgets something is called after the person asked for it.
 */
import type { TranscriptFile } from "./transcript-file.ts";
import { heardIn, type Said } from "./transcript-line.ts";

export interface ReadExchange {
  readonly said: readonly (Said & { readonly end: number })[];
  /** It began here, not before the place that reading went on from. */
  readonly isBegun: boolean;
  /** Memory is asked to show or to forget something: nothing of it is to be kept. */
  readonly isMuted: boolean;
  /** Where the next one begins. */
  readonly end: number;
}

/** The first one goes on with what stood open there, and may be empty; the last one may not be over. */
export function* exchangesIn(
  file: TranscriptFile,
  from: number,
  { isMuted, ofAgent }: { readonly isMuted: boolean; readonly ofAgent: boolean },
): Generator<ReadExchange> {
  let open: ReadExchange & { said: (Said & { end: number })[] } = {
    ...{ said: [], isBegun: false, isMuted, end: from },
  };
  for (const { text, end } of file.lines(from)) {
    const { said, begins, isAboutMemory } = heardIn(text, ofAgent);
    if (begins) {
      yield open;
      open = { said: [], isBegun: true, isMuted: false, end };
    }
    if (said !== null) open.said.push({ ...said, end });
    open = { ...open, isMuted: open.isMuted || isAboutMemory, end };
  }
  yield open;
}
