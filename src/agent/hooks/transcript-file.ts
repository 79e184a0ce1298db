/**
 * Reads what a transcript has new. It is Claude Code's file: it may be huge, may grow while it is read, may end in half a line, and
 * may be another file by now, which is told by its beginning.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";

/** What stood open where reading ended, so that it goes on as if it had not. */
export interface Talk {
  /** Nothing of this exchange is kept: memory is asked to show or forget something. */
  readonly isMuted: boolean;
  /** It began with small talk. */
  readonly isIdle: boolean;
  /** The last reply ended with a question. */
  readonly isAsked: boolean;
}

/** Up to where a file was read. */
export interface Bookmark {
  readonly offset: number;
  /** Of the file's beginning; "" before the first time. */
  readonly beginning: string;
  readonly talk?: Talk | undefined;
}

export const AT_THE_START: Bookmark = { offset: 0, beginning: "" };

export interface Line {
  readonly text: string;
  /** Where the next one begins. */
  readonly end: number;
}

const BLOCK_BYTES = 1024 * 1024;
/** Enough to hold the first line's id and time. */
const BEGINNING_BYTES = 512;
const NEWLINE = 0x0a;

/** The file as it is now; null where there is none, or it is no file. */
export function openTranscript(path: string): TranscriptFile | null {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(descriptor).isFile()) return new TranscriptFile(descriptor);
    closeSync(descriptor);
    return null;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}

export class TranscriptFile {
  constructor(private readonly descriptor: number) {}

  /** Where to go on from a bookmark: from the start where the file is another one. */
  from({ offset, beginning }: Bookmark): number {
    const known = beginning !== "" && beginning === this.#beginning(offset);
    return known && offset <= fstatSync(this.descriptor).size && this.#beginsLine(offset) ? offset : 0;
  }

  bookmark(offset: number): Bookmark {
    return offset === 0 ? AT_THE_START : { offset, beginning: this.#beginning(offset) };
  }

  /** Whole lines from there on; what follows the last newline is not one yet. */
  *lines(from: number): Generator<Line> {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    let pieces: Buffer[] = [];
    let position = from;
    for (;;) {
      const count = readSync(this.descriptor, block, 0, BLOCK_BYTES, position);
      if (count === 0) return;
      let start = 0;
      for (let end = block.indexOf(NEWLINE); end >= 0 && end < count; end = block.indexOf(NEWLINE, start)) {
        pieces.push(block.subarray(start, end));
        start = end + 1;
        yield { text: Buffer.concat(pieces).toString("utf8"), end: position + start };
        pieces = [];
      }
      if (start < count) pieces.push(Buffer.from(block.subarray(start, count)));
      position += count;
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /** Of no more than was read: a file that was short then may have grown. */
  #beginning(upTo: number): string {
    const bytes = Buffer.alloc(Math.min(BEGINNING_BYTES, upTo));
    const count = readSync(this.descriptor, bytes, 0, bytes.length, 0);
    return sha256(bytes.subarray(0, count)).slice(0, 16);
  }

  #beginsLine(offset: number): boolean {
    const byte = Buffer.alloc(1);
    return readSync(this.descriptor, byte, 0, 1, offset - 1) === 1 && byte[0] === NEWLINE;
  }
}
