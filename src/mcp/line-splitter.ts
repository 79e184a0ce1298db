/** Splits chunks of bytes into lines. A line over the limit is skipped, and reported once as null. */
export class LineSplitter {
  #parts: Uint8Array[] = [];
  #length = 0;
  #skipping = false;

  constructor(private readonly maxBytes: number) {}

  /** The lines that are complete now. */
  *take(chunk: Uint8Array): Generator<Uint8Array | null> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      yield this.#line();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  /** The last line, if no newline ends it. */
  *end(): Generator<Uint8Array | null> {
    if (this.#length > 0) yield this.#line();
  }

  #add(piece: Uint8Array): void {
    this.#length += piece.length;
    this.#skipping ||= this.#length > this.maxBytes;
    if (this.#skipping) this.#parts = [];
    else if (piece.length > 0) this.#parts.push(piece.slice());
  }

  #line(): Uint8Array | null {
    const line = this.#skipping ? null : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
    return line;
  }
}

const NEWLINE = 10;
