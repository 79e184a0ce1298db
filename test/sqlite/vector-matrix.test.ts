import { expect, test } from "bun:test";
import fc from "fast-check";
import { assembled, KERNELS, targetOf } from "../../scripts/kernel.ts";
import { type StoredRow, storedPassages, VectorMatrix } from "../../src/sqlite/vectors/matrix.ts";

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

const DIMENSIONS = 48;
const vector = fc
  .array(fc.integer({ min: -1000, max: 1000 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .filter((values) => values.some((value) => value !== 0))
  .map(unit);

function rowsOf(vectors: readonly Float32Array[], first = 1): StoredRow[] {
  return vectors.map((one, index) => [first + index, 100 + first + index, storedPassages([one])]);
}

test("the nearest match an exact comparison, with cosines within a thousandth", () => {
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 40 }), vector, (vectors, query) => {
      const matrix = new VectorMatrix(DIMENSIONS);
      matrix.add(rowsOf(vectors));
      const found = matrix.nearest(query, vectors.length, null).hits;
      expect(found).toHaveLength(vectors.length);
      for (const { chunkId, cosine } of found)
        expect(Math.abs(cosine - dot(vectors[chunkId - 101] as Float32Array, query))).toBeLessThan(0.004);
      const cosines = found.map(({ cosine }) => cosine);
      expect(cosines).toEqual(cosines.toSorted((a, b) => b - a));
    }),
  );
});

test("adding and removing rows leaves the others unchanged", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(vector, fc.boolean()), { minLength: 1, maxLength: 60 }),
      fc.array(vector, { maxLength: 20 }),
      vector,
      (some, more, query) => {
        const matrix = new VectorMatrix(DIMENSIONS);
        matrix.add(rowsOf(some.map(([one]) => one)));
        const kept = some.flatMap(([, stays], index) => (stays ? [index + 1] : []));
        matrix.keepOnly(kept);
        matrix.add(rowsOf(more, some.length + 1));
        const anew = new VectorMatrix(DIMENSIONS);
        anew.add(rowsOf(some.map(([one]) => one)).filter(([id]) => kept.includes(id)));
        anew.add(rowsOf(more, some.length + 1));
        expect(matrix.chunks).toBe(kept.length + more.length);
        expect(matrix.nearest(query, 100, null).hits).toEqual(anew.nearest(query, 100, null).hits);
      },
    ),
  );
});

test("a chunk is scored by its nearest passage, and can be looked up", () => {
  const matrix = new VectorMatrix(16);
  const axis = (index: number) => unit(Array.from({ length: 16 }, (_, at) => (at === index ? 1 : 0)));
  matrix.add([
    [1, 7, storedPassages([axis(0), axis(1)])],
    [3, 8, storedPassages([axis(2)])],
  ]);
  const { hits, cosineOf } = matrix.nearest(axis(1), 1, null);
  expect(hits).toEqual([{ chunkId: 7, cosine: expect.closeTo(1, 3) }]);
  expect(cosineOf(8)).toBeCloseTo(0, 3);
  expect(cosineOf(9)).toBeNull();
  expect(matrix.nearest(axis(1), 5, new Set([8])).hits.map(({ chunkId }) => chunkId)).toEqual([8]);
  expect(matrix.similarity(7, 8)).toBeCloseTo(0, 3);
  expect(matrix.similarity(7, 9)).toBeNull();
});

test("the similarity of two chunks is that of their nearest passages, exact for the stored values", () => {
  fc.assert(
    fc.property(
      fc.array(vector, { minLength: 1, maxLength: 6 }),
      fc.array(vector, { minLength: 1, maxLength: 6 }),
      (ones, others) => {
        const matrix = new VectorMatrix(DIMENSIONS);
        const [a, b] = [storedPassages(ones), storedPassages(others)];
        matrix.add([
          [1, 7, a],
          [2, 8, b],
        ]);
        const pairs = passagesIn(a).flatMap((one) => passagesIn(b).map((other) => cosineOf(one, other)));
        expect(matrix.similarity(7, 8)).toBeCloseTo(Math.max(...pairs), 6);
        expect(matrix.similarity(8, 7)).toBe(matrix.similarity(7, 8));
      },
    ),
  );
});

/** The first four stored passages. */
function passagesIn(stored: Uint8Array): { values: Int8Array; scale: number }[] {
  const size = DIMENSIONS + 4;
  return Array.from({ length: Math.min(4, stored.length / size) }, (_, index) => {
    const own = stored.slice(index * size, (index + 1) * size);
    const values = new Int8Array(own.buffer, 0, DIMENSIONS);
    return { values, scale: new DataView(own.buffer).getFloat32(DIMENSIONS, true) };
  });
}

function cosineOf(a: ReturnType<typeof passagesIn>[number], b: typeof a): number {
  return a.values.reduce((sum, value, index) => sum + value * (b.values[index] ?? 0), 0) * a.scale * b.scale;
}

test("the shipped kernels match their sources", async () => {
  expect(KERNELS).toHaveLength(3);
  for (const kernel of KERNELS) expect(await Bun.file(targetOf(kernel)).text()).toBe(await assembled(kernel));
});

test("chunks with many passages still fill the requested number of hits", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(vector, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 15 }),
      vector,
      (chunks, query) => {
        const matrix = new VectorMatrix(DIMENSIONS);
        matrix.add(chunks.map((vectors, index) => [index + 1, index, storedPassages(vectors)]));
        const limit = Math.ceil(chunks.length / 2);
        const { hits } = matrix.nearest(query, limit, null);
        expect(hits).toHaveLength(limit);
        const exact = chunks
          .map((vectors) => Math.max(...vectors.map((one) => dot(one, query))))
          .sort((a, b) => b - a);
        for (const [index, { cosine }] of hits.entries())
          expect(Math.abs(cosine - (exact[index] as number))).toBeLessThan(0.004);
      },
    ),
  );
});
