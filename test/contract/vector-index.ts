/** The test suite that every vector index must pass: the scan on this machine, and a hosted index. */
import { describe, expect, test } from "bun:test";
import type { Kind } from "../../src/core/memory.ts";
import {
  chunkHash,
  type VectorIndex,
  type VectorMemory,
  type VectorQuestion,
  vectorId,
} from "../../src/core/ports/vector-index.ts";

export interface IndexedText {
  readonly kind: Kind;
  readonly text: string;
  readonly at: number;
}

/** Opens an empty index for these texts; `settle` resolves when writes are visible. */
export interface OpenedIndex {
  readonly index: VectorIndex;
  settle(): void;
}

export const DIMENSIONS = 3;

const TEXTS: readonly IndexedText[] = [
  { kind: "fact", text: "Herons wade", at: 1_000 },
  { kind: "fact", text: "Terns dive", at: 2_000 },
  { kind: "message", text: "Owls wait", at: 3_000 },
];
const [HERONS, TERNS, OWLS] = TEXTS.map(({ kind, text }) => vectorId(kind, chunkHash("", text))) as [
  string,
  string,
  string,
];
const { signal } = new AbortController();

function memory({ kind, text, at }: IndexedText, ...vectors: (readonly number[])[]): VectorMemory {
  return {
    id: vectorId(kind, chunkHash("", text)),
    passages: vectors.map((vector) => ({ text, vector: Float32Array.from(vector) })),
    about: {
      ...{ type: kind, session_id: null, title: null, date: at, category: null, fact: text, chat: "" },
      ...{ tags: [], trust: "stated", until: null },
    },
  };
}

function question(vector: readonly number[], more: Partial<VectorQuestion> = {}): VectorQuestion {
  return {
    text: "",
    vector: Float32Array.from(vector),
    kinds: null,
    since: null,
    until: null,
    limit: 10,
    ...more,
  };
}

export function vectorIndexContract(
  name: string,
  open: (texts: readonly IndexedText[]) => Promise<OpenedIndex>,
): void {
  const filled = async () => {
    const opened = await open(TEXTS);
    const [herons, terns, owls] = TEXTS as [IndexedText, IndexedText, IndexedText];
    await opened.index.upsert(
      [memory(herons, [1, 0, 0]), memory(terns, [0, 1, 0], [0.6, 0.8, 0]), memory(owls, [0, 0, 1])],
      signal,
    );
    opened.settle();
    return opened;
  };
  const ids = async (index: VectorIndex, asked: VectorQuestion) =>
    (await index.nearest(asked, signal)).filter(({ cosine }) => cosine > 0.1).map(({ id }) => id);

  describe(name, () => {
    test("an empty index has no hits", async () => {
      const { index } = await open(TEXTS);
      expect(await index.nearest(question([1, 0, 0]), signal)).toEqual([]);
    });

    test("the nearest memory comes first, each once, by its nearest passage", async () => {
      const { index } = await filled();
      const hits = await index.nearest(question([1, 0, 0]), signal);
      expect(hits.map(({ id }) => id)).toEqual([HERONS, TERNS, OWLS]);
      expect(hits[0]?.cosine).toBeCloseTo(1, 2);
      expect(hits[1]?.cosine).toBeCloseTo(0.6, 2);
      expect(hits[2]?.cosine).toBeCloseTo(0, 2);
    });

    test("filters by kind and time, and keeps to the limit", async () => {
      const { index } = await filled();
      const all = [0.6, 0.6, 0.5];
      expect(await ids(index, question(all, { kinds: ["message"] }))).toEqual([OWLS]);
      expect(await ids(index, question(all, { since: 2_000, until: 2_000 }))).toEqual([TERNS]);
      expect(await index.nearest(question(all, { limit: 1 }), signal)).toHaveLength(1);
    });

    test("a second upsert replaces the vectors", async () => {
      const { index, settle } = await filled();
      await index.upsert([memory(TEXTS[0] as IndexedText, [0, 0, 1])], signal);
      settle();
      expect(await ids(index, question([1, 0, 0]))).toEqual([TERNS]);
    });

    test("removed memories are gone with all passages; removing again does nothing", async () => {
      const { index, settle } = await filled();
      for (let times = 0; times < 2; times++) await index.remove([{ id: TERNS, passages: 2 }], signal);
      settle();
      expect(await ids(index, question([0.6, 0.8, 0]))).toEqual([HERONS]);
    });
  });
}
