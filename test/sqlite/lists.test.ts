/** Keyword and vector search on the real index: caches and shortcuts change no result. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import type { MemoryFilter, WordQuery } from "../../src/core/ports/search.ts";
import { vectorOnly } from "../../src/core/senses.ts";
import { SqliteMemoryIndex } from "../../src/sqlite/chunks/chunks.ts";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { emptyTables } from "../../src/sqlite/database/empty.ts";
import { SqliteMemorySearch } from "../../src/sqlite/search/memory-search.ts";
import { letters, NOW, Store } from "../helpers/store.ts";

const COMMON = ["user", "keeps", "room"];
const TELLING = ["server", "garden", "museum", "parrot"];
const EVERYTHING: MemoryFilter = {};

function queryOf(words: readonly string[], more: Partial<WordQuery> = {}): WordQuery {
  return { words, prefixes: [], phrases: [], wished: [], excluded: [], bigrams: [], ...more };
}

/** Most texts contain the common words, few contain others. */
const textWords = fc
  .tuple(
    fc.subarray(COMMON, { minLength: 2 }),
    fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.subarray(TELLING)),
    fc.array(fc.constantFrom(...COMMON, ...TELLING, "filler"), { maxLength: 3 }),
  )
  .map((parts) => parts.flat().join(" "));

test("a partial result has the same scores as the whole list", async () => {
  let shorter = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(textWords, { minLength: 40, maxLength: 80 }),
      fc.shuffledSubarray([...COMMON, ...TELLING, "nowhere"], { minLength: 1 }),
      fc.subarray(TELLING, { maxLength: 1 }),
      fc.constantFrom<MemoryFilter>(EVERYTHING, { kinds: ["fact"] }, { kinds: ["note"] }),
      fc.integer({ min: 1, max: 25 }),
      async (texts, words, excluded, filter, enough) => {
        const store = new Store();
        await store.put(
          ...texts.map((text, index) => ({
            text,
            source: `${index}`,
            kind: index % 3 === 0 ? ("note" as const) : ("fact" as const),
          })),
        );
        const query = queryOf(words, {
          excluded: excluded.map((word) => [word]),
          wished: [["user", "keeps"]],
        });
        const whole = store.search.byWords(query, filter);
        const few = store.search.byWords(query, filter, enough);
        if (few.length < whole.length) shorter++;
        const scores = new Map(whole.map(({ chunkId, score }) => [chunkId, score]));
        for (const { chunkId, score } of few) expect(score).toBeCloseTo(scores.get(chunkId) ?? Number.NaN, 4);
        const told = new Set(few.map(({ chunkId }) => chunkId));
        const least = [...scores.values()].sort((a, b) => b - a)[enough - 1] ?? 0;
        const wanted = [
          ...whole.filter(({ score }) => score >= least).map(({ chunkId }) => chunkId),
          ...store.search.withEveryWord(query, filter),
        ].filter((chunkId) => scores.has(chunkId));
        expect(wanted.filter((chunkId) => !told.has(chunkId))).toEqual([]);
        store.close();
      },
    ),
    { numRuns: 60 },
  );
  expect(shorter).toBeGreaterThan(0);
});

interface Edit {
  readonly kind: "put" | "remove";
  readonly source: string;
  readonly text: string;
  readonly tag: string;
}

type Change = Edit | { readonly kind: "count" | "embed" | "empty" };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("put" as const, "put" as const, "remove" as const),
    source: fc.constantFrom("a", "b", "c", "d"),
    // The same number of words each time, so that only the words distinguish the texts.
    text: fc
      .array(fc.constantFrom("server", "garden", "museum"), { minLength: 3, maxLength: 3 })
      .map((words) => words.join(" ")),
    tag: fc.constantFrom("north", "south"),
  }),
  fc.record({ kind: fc.constantFrom("count" as const, "embed" as const, "empty" as const) }),
);

async function make(change: Change, store: Store, database: WorkspaceDatabase): Promise<void> {
  if ("source" in change) await database.exclusively(() => edit(new SqliteMemoryIndex(database), change));
  else if (change.kind === "count") await store.log.record([{ kind: "fact", source: "a" }], NOW);
  else if (change.kind === "embed") await store.embed();
  else await database.transaction(emptyTables);
}

function edit(index: SqliteMemoryIndex, { kind, source, text, tag }: Edit): void {
  const ref = { kind: "fact" as const, source };
  if (kind === "remove") index.remove(ref);
  else
    index.put({
      ...ref,
      ...{ scope: "", tags: [tag], session: null, speaker: null, at: null, trust: "stated" },
      ...{ importance: 0.5, chunks: [{ heading: "", text, line: 1 }], neighbours: "" },
    });
}

function listsOf(search: SqliteMemorySearch, vector: Float32Array) {
  const words = ["server", "garden", "museum", "north", "south"];
  return {
    byWords: [...words.map((word) => [word]), words].map((some) =>
      search.byWords(queryOf(some), EVERYTHING, 2),
    ),
    byMeaning: search.byMeaning(letters.model, vector, EVERYTHING, 10)?.hits ?? null,
  };
}

test("cached data gives the same results as a fresh search, whoever changed what", async () => {
  const [{ vector } = vectorOnly(new Float32Array())] = await letters.embed(["garden server"]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ one: change, isElsewhere: fc.boolean(), isSearched: fc.boolean() }), {
        minLength: 2,
        maxLength: 12,
      }),
      async (changes) => {
        const store = new Store([letters]);
        await store.put({ text: "server garden museum", source: "first" });
        const elsewhere = new WorkspaceDatabase(
          join(store.directory, "retain.db"),
          () => {},
          (message) => store.warnings.push(message),
        );
        for (const { one, isElsewhere, isSearched } of changes) {
          await make(one, store, isElsewhere ? elsewhere : store.database);
          if (!isSearched) continue;
          const anew = listsOf(new SqliteMemorySearch(store.database), vector);
          expect(listsOf(store.search, vector)).toEqual(anew);
        }
        elsewhere.close();
        store.close();
      },
    ),
    {
      numRuns: 40,
      // Between two searches, one text replaces another: alone, and after everything was deleted.
      examples: [[replacing([])], [replacing([{ kind: "empty" }])]],
    },
  );
});

function replacing(between: readonly Change[]) {
  const texts = ["server server server", "garden garden garden"];
  const [before, after] = texts.map((text): Change[] => [
    { kind: "put", source: "a", text, tag: "north" },
    { kind: "embed" },
  ]);
  return [{ kind: "empty" as const }, ...(before ?? []), ...between, ...(after ?? [])].map((one, index) => ({
    one,
    isElsewhere: false,
    isSearched: index === 2 || index === 4 + between.length,
  }));
}

test("texts come in the requested order, without deleted ones", async () => {
  const store = new Store();
  await store.put({ text: "one", tags: ["x", "y"] }, { text: "two" }, { text: "three" });
  const texts = store.search.texts([3, 99, 1]);
  expect(texts.map(({ chunkId, text, tags }) => [chunkId, text, tags])).toEqual([
    [3, "three", []],
    [1, "one", ["x", "y"]],
  ]);
});
