/**
 * Reads the new lines of Claude Code's transcript. The file may be huge, grow while it is read, end in half a line, or have been
 * replaced by another file, which a hash of its beginning detects.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";

/** The state at the end of reading, so that the next read continues seamlessly. */
export interface Talk {
  /** The user asked memory to show or forget something, so this exchange is not saved. */
  readonly isMuted: boolean;
  /** It began with small talk. */
  readonly isIdle: boolean;
  /** The last reply ended with a question. */
  readonly isAsked: boolean;
}

/** The position up to which a file has been read. */
export interface Bookmark {
  readonly offset: number;
  /** Hash of the file's beginning; "" at first. */
  readonly beginning: string;
  readonly talk?: Talk | undefined;
}

export const AT_THE_START: Bookmark = { offset: 0, beginning: "" };

interface Line {
  readonly text: string;
  /** The offset of the next line. */
  readonly end: number;
}

const BLOCK_BYTES = 1024 * 1024;
/** Enough to include the first line's id and time. */
const BEGINNING_BYTES = 512;
const NEWLINE = 0x0a;

/** null unless it is an existing regular file. */
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

  /** The offset to continue from: 0 if the file has been replaced. */
  from({ offset, beginning }: Bookmark): number {
    const known = beginning !== "" && beginning === this.#beginning(offset);
    return known && offset <= fstatSync(this.descriptor).size && this.#beginsLine(offset) ? offset : 0;
  }

  bookmark(offset: number): Bookmark {
    return offset === 0 ? AT_THE_START : { offset, beginning: this.#beginning(offset) };
  }

  /** Complete lines from there on; text after the last newline is incomplete. */
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

  /** Hashes no more than was read: a file that was short then may have grown. */
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
