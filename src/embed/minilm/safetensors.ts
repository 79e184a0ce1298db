/**
 * Reads a safetensors file: eight bytes of length, a JSON header with offsets, the numbers. Reads tensors and rows on demand,
 * since half of MiniLM is a word table of which a text needs a few rows.
 */
import { closeSync, openSync, readSync } from "node:fs";

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [start: number, end: number];
}

const BYTES_EACH = 2;

export class Safetensors {
  private readonly header: Readonly<Record<string, Entry>>;
  private readonly dataStart: number;

  private constructor(
    private readonly path: string,
    private readonly descriptor: number,
  ) {
    const headerLength = Number(new DataView(this.read(0, 8)).getBigUint64(0, true));
    this.header = JSON.parse(new TextDecoder().decode(this.read(8, headerLength)));
    this.dataStart = 8 + headerLength;
  }

  static open(path: string): Safetensors {
    const descriptor = openSync(path, "r");
    try {
      return new Safetensors(path, descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** A tensor of 16-bit floats, converted to 32 bits. Throws if the name or shape doesn't match. */
  tensor(name: string, shape: readonly number[]): Float32Array {
    const { start, length } = this.locate(name, shape);
    return new Float32Array(new Float16Array(this.read(start, length)));
  }

  /** Rows of a two-dimensional tensor, concatenated. */
  rows(name: string, shape: readonly [number, number], indices: readonly number[]): Float32Array {
    const { start } = this.locate(name, shape);
    const rowLength = shape[1] * BYTES_EACH;
    const bytes = new Uint8Array(indices.length * rowLength);
    indices.forEach((index, position) => {
      this.fill(bytes.subarray(position * rowLength, (position + 1) * rowLength), start + index * rowLength);
    });
    return new Float32Array(new Float16Array(bytes.buffer));
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private locate(name: string, shape: readonly number[]): { start: number; length: number } {
    const entry = this.header[name];
    if (entry?.dtype !== "F16" || String(entry.shape) !== String(shape))
      throw new Error(`${this.path} holds no 16-bit tensor ${name} of shape [${shape}]`);
    const [start, end] = entry.data_offsets;
    return { start: this.dataStart + start, length: end - start };
  }

  private read(start: number, length: number): ArrayBuffer {
    const bytes = new Uint8Array(length);
    this.fill(bytes, start);
    return bytes.buffer;
  }

  private fill(bytes: Uint8Array, start: number): void {
    if (readSync(this.descriptor, bytes, 0, bytes.length, start) !== bytes.length)
      throw new Error(`${this.path} is truncated`);
  }
}
