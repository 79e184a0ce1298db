/**
 * Holds the vectors of one embedding model in memory and scans them exactly; a small WASM kernel takes under 3 ms for 100,000.
 * Rows are int8 with a scale each (the cosine is off by 0.0004), a quarter of the size on disk and in memory, because loading
 * dominates a cold start.
 */
import type { MeaningHit, MeaningList } from "../../core/ports/search.ts";
import { growTo, instantiate } from "../../util/wasm.ts";
import { DOT_WASM } from "./dot-wasm.ts";

const LANES = 16;
/** The 16-bit value for a component of 1. */
const QUERY_SCALE = 32_767;

const SCALE_BYTES = 4;
/** Passages compared per chunk: if two say the same, the first ones show it. */
const MOST_COMPARED = 4;

/** A chunk's vectors as stored in SQLite. */
export type StoredRow = readonly [vectorId: number, chunkId: number, passages: Uint8Array];

/** From `first` up to, but without, `end`. */
interface Rows {
  readonly first: number;
  readonly end: number;
}

interface Kernel {
  readonly memory: WebAssembly.Memory;
  dot(rows: number, scales: number, count: number, width: number, query: number, scores: number): void;
  pair(a: number, b: number, width: number): number;
}

export class VectorMatrix {
  readonly #kernel = instantiate<Kernel>(DOT_WASM);
  readonly #width: number;
  #capacity = 0;
  #count = 0;
  #chunks = 0;
  /** Per row. */
  #vectorIds = new Float64Array(0);
  #chunkIds = new Float64Array(0);
  /** By chunk id: the first row plus 1; 0 if it has none. A chunk's rows are adjacent. */
  #firstRows = new Int32Array(0);
  #seenScales = new Float32Array(0);

  constructor(readonly dimensions: number) {
    this.#width = paddedTo16(dimensions);
  }

  /** The number of chunks. */
  get chunks(): number {
    return this.#chunks;
  }

  has(chunkId: number): boolean {
    const { first, end } = this.#rowsOf(chunkId);
    return first < end;
  }

  get lastVectorId(): number {
    return this.#vectorIds[this.#count - 1] ?? 0;
  }

  /** Appends stored chunks in the order of their ids. */
  add(stored: readonly StoredRow[]): void {
    const width = this.#width;
    const size = width + SCALE_BYTES;
    let needed = this.#count;
    for (const [, , passages] of stored) needed += Math.floor(passages.length / size);
    if (needed > this.#capacity) this.reserve(Math.ceil(Math.max(1_024, needed, this.#capacity * 1.5)));
    const { buffer } = this.#kernel.memory;
    const bytes = new Uint8Array(buffer);
    const scales = new Float32Array(buffer, this.#scalesAt, this.#capacity);
    const scale = new Float32Array(1);
    const scaleBytes = new Uint8Array(scale.buffer);
    for (const [vectorId, chunkId, passages] of stored) {
      if (chunkId >= this.#firstRows.length) this.#firstRows = withLength(this.#firstRows, chunkId * 2);
      this.#firstRows[chunkId] = this.#count + 1;
      for (let at = 0; at + size <= passages.length; at += size) {
        const row = this.#count++;
        this.#vectorIds[row] = vectorId;
        this.#chunkIds[row] = chunkId;
        for (let byte = 0; byte < SCALE_BYTES; byte++)
          scaleBytes[byte] = passages[at + width + byte] as number;
        // The scale's bytes overwrite the start of the next row, which is written later; the last row has room after it.
        bytes.set(
          passages.length === size ? passages : passages.subarray(at, at + size),
          this.#rowsAt + row * width,
        );
        scales[row] = (scale[0] as number) / QUERY_SCALE;
      }
    }
    this.#chunks += stored.length;
  }

  /** Keeps only rows with these ids, which are sorted. */
  keepOnly(vectorIds: readonly number[]): void {
    const { buffer } = this.#kernel.memory;
    const rows = new Uint8Array(buffer, this.#rowsAt, this.#capacity * this.#width);
    const scales = new Float32Array(buffer, this.#scalesAt, this.#capacity);
    let kept = 0;
    let next = 0;
    this.#chunks = 0;
    this.#firstRows.fill(0);
    for (let row = 0; row < this.#count; row++) {
      while (next < vectorIds.length && (vectorIds[next] as number) < (this.#vectorIds[row] as number))
        next++;
      if (vectorIds[next] !== this.#vectorIds[row]) continue;
      if (kept === 0 || this.#vectorIds[kept - 1] !== vectorIds[next]) {
        this.#chunks++;
        this.#firstRows[this.#chunkIds[row] as number] = kept + 1;
      }
      if (kept !== row) {
        rows.copyWithin(kept * this.#width, row * this.#width, (row + 1) * this.#width);
        scales[kept] = scales[row] as number;
        this.#vectorIds[kept] = this.#vectorIds[row] as number;
        this.#chunkIds[kept] = this.#chunkIds[row] as number;
      }
      kept++;
    }
    this.#count = kept;
  }

  /** The nearest chunks, each by its best row. The list is valid until the next query. */
  nearest(query: Float32Array, limit: number, allowed: ReadonlySet<number> | null): MeaningList {
    const scores = this.#score(query);
    const hits = nearestChunks(scores, this.#chunkIds, limit, allowed);
    return {
      hits,
      cosineOf: (chunkId) => bestOf(scores, this.#rowsOf(chunkId)),
      meanCosineOf: (chunkId) =>
        allowed === null || allowed.has(chunkId) ? meanOf(scores, this.#rowsOf(chunkId)) : 0,
    };
  }

  /** The best cosine between passages of two chunks; null if either has none. */
  similarity(a: number, b: number): number | null {
    const rowsA = this.#rowsOf(a);
    const rowsB = this.#rowsOf(b);
    if (rowsA.first === rowsA.end || rowsB.first === rowsB.end) return null;
    const { pair } = this.#kernel;
    const scales = this.#scales();
    let best = -1;
    const endA = Math.min(rowsA.end, rowsA.first + MOST_COMPARED);
    const endB = Math.min(rowsB.end, rowsB.first + MOST_COMPARED);
    for (let rowA = rowsA.first; rowA < endA; rowA++) {
      for (let rowB = rowsB.first; rowB < endB; rowB++) {
        const scale = (scales[rowA] as number) * (scales[rowB] as number) * QUERY_SCALE ** 2;
        best = Math.max(best, scale * pair(this.#rowAt(rowA), this.#rowAt(rowB), this.#width));
      }
    }
    return best;
  }

  /** Throws RangeError, with nothing changed, if memory is too small. */
  reserve(capacity: number): void {
    if (capacity <= this.#capacity) return;
    const { memory } = this.#kernel;
    const oldScales = new Float32Array(memory.buffer, this.#scalesAt, this.#count).slice();
    const bytes = this.#rowsAt + capacity * (this.#width + SCALE_BYTES * 2) + SCALE_BYTES;
    growTo(memory, bytes);
    this.#capacity = capacity;
    new Float32Array(memory.buffer, this.#scalesAt, oldScales.length).set(oldScales);
    this.#vectorIds = withLength(this.#vectorIds, capacity);
    this.#chunkIds = withLength(this.#chunkIds, capacity);
  }

  #score(query: Float32Array): Float32Array {
    const { memory, dot } = this.#kernel;
    const wide = new Int16Array(memory.buffer, this.#queryAt, this.#width).fill(0);
    for (let index = 0; index < query.length; index++)
      wide[index] = Math.round((query[index] ?? 0) * QUERY_SCALE);
    dot(this.#rowsAt, this.#scalesAt, this.#count, this.#width, this.#queryAt, this.#scoresAt);
    return new Float32Array(memory.buffer, this.#scoresAt, this.#count);
  }

  /** Cached until the memory grows: a search compares texts a thousand times. */
  #scales(): Float32Array {
    const { buffer } = this.#kernel.memory;
    if (this.#seenScales.buffer !== buffer || this.#seenScales.length !== this.#capacity)
      this.#seenScales = new Float32Array(buffer, this.#scalesAt, this.#capacity);
    return this.#seenScales;
  }

  #rowAt(row: number): number {
    return this.#rowsAt + row * this.#width;
  }

  #rowsOf(chunkId: number): Rows {
    const first = (this.#firstRows[chunkId] || this.#count + 1) - 1;
    let end = first;
    while (end < this.#count && this.#chunkIds[end] === chunkId) end++;
    return { first, end };
  }

  /** Memory layout: query, rows, scales, scores. */
  get #queryAt(): number {
    return 0;
  }

  get #rowsAt(): number {
    return this.#width * 2;
  }

  get #scalesAt(): number {
    return this.#rowsAt + this.#capacity * this.#width + SCALE_BYTES;
  }

  get #scoresAt(): number {
    return this.#scalesAt + this.#capacity * 4;
  }
}

/** The stored form of a chunk's vectors: int8 components and scale per passage. */
export function storedPassages(vectors: readonly Float32Array[]): Uint8Array {
  const width = paddedTo16(vectors[0]?.length ?? 0);
  const size = width + SCALE_BYTES;
  const stored = new Uint8Array(vectors.length * size);
  const view = new DataView(stored.buffer);
  for (const [index, vector] of vectors.entries()) {
    let largest = 0;
    for (const component of vector) largest = Math.max(largest, Math.abs(component));
    const scale = largest / 127 || 1;
    for (const [at, component] of vector.entries())
      view.setInt8(index * size + at, Math.round(component / scale));
    view.setFloat32(index * size + width, scale, true);
  }
  return stored;
}

/** The number of vectors in so many bytes of the stored form. */
export function passagesIn(bytes: number, dimensions: number): number {
  return dimensions === 0 ? 0 : Math.floor(bytes / (paddedTo16(dimensions) + SCALE_BYTES));
}

/** The vectors of a chunk from their stored form; none if there is nothing stored. */
export function readPassages(stored: Uint8Array | null, dimensions: number): Float32Array[] {
  if (stored === null) return [];
  const width = paddedTo16(dimensions);
  const size = width + SCALE_BYTES;
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  return Array.from({ length: passagesIn(stored.length, dimensions) }, (_, index) => {
    const scale = view.getFloat32(index * size + width, true);
    return Float32Array.from({ length: dimensions }, (_, at) => view.getInt8(index * size + at) * scale);
  });
}

function paddedTo16(dimensions: number): number {
  return Math.ceil(dimensions / LANES) * LANES;
}

function withLength<Values extends Float64Array | Int32Array>(values: Values, length: number): Values {
  const longer = new (values.constructor as new (length: number) => Values)(length);
  longer.set(values);
  return longer;
}

function bestOf(scores: Float32Array, { first, end }: Rows): number | null {
  if (first === end) return null;
  let best = -1;
  for (let row = first; row < end; row++) best = Math.max(best, scores[row] as number);
  return best;
}

function meanOf(scores: Float32Array, { first, end }: Rows): number {
  let sum = 0;
  for (let row = first; row < end; row++) sum += scores[row] as number;
  return sum / Math.max(1, end - first);
}

/**
 * The best chunks, best first, each by its best row; a chunk's rows are adjacent. A small sorted list is enough, since few chunks
 * get past its last entry.
 */
function nearestChunks(
  scores: Float32Array,
  chunkIds: Float64Array,
  limit: number,
  allowed: ReadonlySet<number> | null,
): MeaningHit[] {
  const found = new Float64Array(limit);
  const cosines = new Float32Array(limit).fill(Number.NEGATIVE_INFINITY);
  let worst = Number.NEGATIVE_INFINITY;
  let count = 0;
  let row = 0;
  while (row < scores.length) {
    const chunkId = chunkIds[row] as number;
    let score = scores[row++] as number;
    while (row < scores.length && chunkIds[row] === chunkId) score = Math.max(score, scores[row++] as number);
    if (score <= worst || (allowed !== null && !allowed.has(chunkId))) continue;
    let slot = limit - 1;
    while (slot > 0 && (cosines[slot - 1] as number) < score) {
      cosines[slot] = cosines[slot - 1] as number;
      found[slot] = found[slot - 1] as number;
      slot--;
    }
    cosines[slot] = score;
    found[slot] = chunkId;
    count = Math.min(limit, count + 1);
    worst = cosines[limit - 1] as number;
  }
  return Array.from({ length: count }, (_, index) => ({
    chunkId: found[index] as number,
    cosine: cosines[index] as number,
  }));
}
