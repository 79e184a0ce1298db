/** What a program prints, kept to its beginning and its end however much it is, and made fit for reading. */
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

  /** Without what a terminal would obey; what a cut tore apart is left out. */
  text(): string {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (this.#leftOut === 0) return readable(Buffer.concat([head, tail]).toString());
    const before = head.toString().replace(/\ufffd+$/, "");
    const after = tail.toString().replace(/^\ufffd+/, "");
    return `${readable(before)}\n\n[… ${this.#leftOut} bytes left out …]\n\n${readable(after)}`;
  }
}

/** A line that was drawn over and over becomes as many lines. */
function readable(text: string): string {
  return withoutControls(Bun.stripANSI(text).replace(/\r+\n|\r/g, "\n"));
}
