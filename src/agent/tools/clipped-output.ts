/** A program's output, cut to its beginning and end, and cleaned up for reading. */

import { sizeInWords } from "../../util/in-words.ts";
import { stripAnsi } from "../../util/runtime.ts";
import { withoutControls } from "../../util/text.ts";

const HEAD_BYTES = 20_000;
const TAIL_BYTES = 10_000;

/** A longer word is only shortened. */
const BROKEN_END = /\S{1,500}$/;
const BROKEN_START = /^\S{1,500}/;

export class ClippedOutput {
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #leftOut = 0;

  /** Whether the beginning grew, so that `beginning` may return more. */
  add(chunk: Uint8Array): boolean {
    const room = HEAD_BYTES - this.#headBytes;
    const first = chunk.subarray(0, room);
    if (first.length > 0) this.#head.push(first.slice());
    this.#headBytes += first.length;
    if (chunk.length > room) this.#addToTail(chunk.subarray(room));
    return first.length > 0;
  }

  /** The complete lines at the beginning; "" for binary data. */
  beginning(): string {
    const head = Buffer.concat(this.#head);
    return isBinary(head) ? "" : readable(head.subarray(0, head.lastIndexOf("\n") + 1).toString());
  }

  #addToTail(chunk: Uint8Array): void {
    this.#tail.push(chunk.slice(-TAIL_BYTES));
    this.#leftOut += Math.max(0, chunk.length - TAIL_BYTES);
    this.#tailBytes += Math.min(chunk.length, TAIL_BYTES);
    while (this.#tailBytes > TAIL_BYTES) {
      const [oldest = new Uint8Array()] = this.#tail;
      const surplus = Math.min(oldest.length, this.#tailBytes - TAIL_BYTES);
      if (surplus === oldest.length) this.#tail.shift();
      else this.#tail[0] = oldest.subarray(surplus);
      this.#tailBytes -= surplus;
      this.#leftOut += surplus;
    }
  }

  /** Of everything that was printed: "3.1 KB". */
  get size(): string {
    return sizeInWords(this.#headBytes + this.#leftOut + this.#tailBytes);
  }

  get isCut(): boolean {
    return this.#leftOut > 0;
  }

  /** Without terminal control sequences, and without the words that the cut split: half a key would not be recognized. */
  text(): string {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (isBinary(head)) return `[${this.size} of binary data, not shown]\n`;
    if (this.#leftOut === 0) return readable(Buffer.concat([head, tail]).toString());
    const before = head.toString().replace(BROKEN_END, "");
    const after = tail.toString().replace(BROKEN_START, "");
    return `${readable(before)}\n\n[… ${this.#leftOut} bytes left out …]\n\n${readable(after)}`;
  }
}

/** Of a line that was redrawn, such as a progress bar, only the last state stays. */
function readable(text: string): string {
  return withoutControls(
    stripAnsi(text)
      .replace(/\r+\n/g, "\n")
      .replace(/^[^\n]*\r(?=[^\r\n])/gm, ""),
  );
}

const SAMPLE_BYTES = 4_000;
const MOST_UNPRINTABLE = 0.1;

/** Text in another encoding, or with a few NUL characters as from `find -print0`, doesn't count. */
function isBinary(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES).toString();
  const unprintable = sample.match(/[\u0000-\u0007\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  return unprintable > sample.length * MOST_UNPRINTABLE;
}
