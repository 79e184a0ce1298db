/** What is sent to and deleted from a hosted index, and the ledger that remembers it. */
import { expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UploadLedger } from "../../src/backends/vectors/ledger.ts";
import { Uploads } from "../../src/backends/vectors/uploads.ts";
import { type VectorIndex, type VectorMemory, vectorId } from "../../src/core/ports/vector-index.ts";
import { sha256 } from "../../src/util/hash.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const { signal } = new AbortController();

function memory(text: string): VectorMemory {
  const about = {
    ...{
      type: "fact" as const,
      session_id: null,
      title: null,
      date: 1,
      category: null,
      fact: text,
      chat: "",
    },
    ...{ tags: [], trust: "stated" as const, until: null },
  };
  return { id: vectorId("fact", sha256(text)), passages: [{ text, vector: null }], about };
}

/** An index in memory, and the texts that are here. */
class Place {
  readonly directory = join(new Sandbox().work, "ledger");
  readonly stored = new Set<string>();
  here: string[] = [];
  metadata = "1";
  comparisons = 0;
  reads = 0;
  mark: string | null = null;
  upserts = 0;
  /** Resolves before a request is answered. */
  before: () => Promise<void> = async () => {};

  uploads(model: string | null = null): Uploads {
    const index: VectorIndex = {
      upsert: async (memories) => {
        this.upserts++;
        await this.before();
        for (const { about } of memories) this.stored.add(about.fact);
      },
      remove: async (refs) => {
        const gone = new Set(refs.map(({ id }) => id));
        for (const text of this.stored) if (gone.has(memory(text).id)) this.stored.delete(text);
      },
      nearest: async () => [],
    };
    const all = () => this.here.map(memory);
    return new Uploads({
      ...{ directory: this.directory, model, clock: () => NOW, self: "me", isGone: () => false },
      index: async () => index,
      check: async () => {},
      chunks: {
        wanted: () => {
          this.comparisons++;
          return new Map(all().map(({ id }) => [id, this.metadata]));
        },
        read: (ids) => {
          this.reads++;
          return all().filter(({ id }) => ids.includes(id));
        },
        sendable: (ids) => all().filter(({ id }) => ids.includes(id)).length,
        find: () => [],
        known: () => new Set(),
        revision: () => this.here.join(),
        settled: () => this.mark,
        settle: (mark) => {
          this.mark = mark;
        },
      },
    });
  }
}

test("sends what is new, deletes what is gone, and sends everything again for another embedding model", async () => {
  const place = new Place();
  place.here = ["Herons wade", "Terns dive"];
  expect(await place.uploads().run({ signal })).toBe("done");
  place.here = ["Terns dive", "Owls wait"];
  expect(place.uploads().plan()).toMatchObject({ memories: 1, toDelete: 1, requests: 2 });
  await place.uploads().run({ signal });
  expect([...place.stored].sort()).toEqual(["Owls wait", "Terns dive"]);
  expect(place.uploads().plan().requests).toBe(0);
  expect(place.uploads("another model").plan()).toMatchObject({ memories: 2, toDelete: 0 });
});

test("a second run in the same process leaves the lease to the first", async () => {
  const place = new Place();
  place.here = ["Herons wade"];
  const { promise, resolve } = Promise.withResolvers<void>();
  place.before = () => promise;
  const uploads = place.uploads();
  const first = uploads.run({ signal });
  expect(await uploads.run({ signal })).toBe("busy");
  expect(await place.uploads().run({ signal })).toBe("busy");
  resolve();
  expect(await first).toBe("done");
  expect(place.upserts).toBe(1);
});

test("a line that a crash cut off is ignored and sent again, and the lines after it count", async () => {
  const place = new Place();
  place.here = ["Herons wade"];
  await place.uploads().run({ signal });
  appendFileSync(join(place.directory, "ledger"), memory("Terns dive").id.slice(0, 12));
  place.here = ["Herons wade", "Terns dive"];
  expect(place.uploads().plan().memories).toBe(1);
  await place.uploads().run({ signal });
  expect(place.uploads().plan().requests).toBe(0);
});

test("a deleted id is remembered for an hour, and no text is in the ledger", async () => {
  const place = new Place();
  const ledger = new UploadLedger(place.directory);
  place.here = ["Herons wade", "Terns dive"];
  await place.uploads().run({ signal });
  const [herons, terns] = place.here.map((text) => memory(text).id) as [string, string];
  ledger.drop(new Set([herons]), NOW);
  expect([...ledger.read().keys()]).toEqual([terns]);
  expect(ledger.ids().has(herons)).toBe(true);
  ledger.drop(new Set(), new Date(NOW.getTime() + 3_600_001));
  expect(ledger.ids().has(herons)).toBe(false);
  expect(readFileSync(join(place.directory, "ledger"), "utf8")).not.toMatch(/Herons|Terns/);
});

test("changed metadata is sent again; an unchanged index is compared only once", async () => {
  const place = new Place();
  place.here = ["Herons wade"];
  await place.uploads().run({ signal });
  place.metadata = "2";
  place.mark = null;
  expect(place.uploads().plan()).toMatchObject({ memories: 1, toDelete: 0 });
  await place.uploads().run({ signal });
  expect(place.upserts).toBe(2);
  const compared = place.comparisons;
  expect(await place.uploads().run({ signal })).toBe("done");
  expect(place.comparisons).toBe(compared);
  place.uploads().disown(memory("Terns dive").id);
  await place.uploads().run({ signal });
  expect(place.comparisons).toBeGreaterThan(compared);
});

test("status counts what is to be sent with one comparison, and reads no vector", async () => {
  const place = new Place();
  place.here = ["Herons wade", "Terns dive"];
  expect(place.uploads().status()).toMatchObject({ stored: 0, toSend: 2, toDelete: 0 });
  expect([place.comparisons, place.reads]).toEqual([1, 0]);
});
