/** A program's output, cut to its beginning and end, and cleaned up for reading. */
import { withoutControls } from "../../util/text.ts";

const HEAD_BYTES = 20_000;
const TAIL_BYTES = 10_000;

export class ClippedOutput {
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #leftOut = 0;

  add(chunk: Uint8Array): void {
    const room = HEAD_BYTES - this.#headBytes;
    const first = chunk.subarray(0, room);
    if (first.length > 0) this.#head.push(first.slice());
    this.#headBytes += first.length;
    if (chunk.length > room) this.#addToTail(chunk.subarray(room));
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

  /** Without terminal control sequences, and without characters that the cut split. */
  text(): string {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (this.#leftOut === 0) return readable(Buffer.concat([head, tail]).toString());
    const before = head.toString().replace(/\ufffd+$/, "");
    const after = tail.toString().replace(/^\ufffd+/, "");
    return `${readable(before)}\n\n[… ${this.#leftOut} bytes left out …]\n\n${readable(after)}`;
  }
}

/** Each redraw of a line, as of a progress bar, becomes a line of its own. */
function readable(text: string): string {
  return withoutControls(Bun.stripANSI(text).replace(/\r+\n|\r/g, "\n"));
}
