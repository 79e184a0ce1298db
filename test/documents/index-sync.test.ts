/** A test can't wait for a file system's clock tick, so these files are fakes with chosen stamps. */
import { expect, test } from "bun:test";
import type { DocumentFile, IndexedDocument } from "../../src/core/ports/documents.ts";
import { upToDate } from "../../src/documents/index-sync.ts";
import type { DocumentPorts } from "../../src/documents/ports.ts";

/** One document whose stamp never changes, read at `seenAt`; counts how often it is opened. */
function workspace(seenAt: number) {
  const ref = { collection: "memory", id: "a" };
  const stamp = { size: 7, mtime: 1_000, ctime: 1_000, inode: 1 };
  const rows = new Map<string, IndexedDocument>();
  const state = { text: "# AAAA\n", opened: 0 };
  const ports = {
    files: {
      scanInSlices: async () => ({ found: [{ ref, stamp }], leftovers: [], unreadable: [], strays: [] }),
      read: (): DocumentFile => {
        state.opened++;
        return { ref, seenAt, path: "a.md", bytes: new TextEncoder().encode(state.text), stamp };
      },
      has: () => true,
      addedSince: () => false,
      removeLeftovers: () => {},
    },
    index: {
      all: () => [[...rows.values()]],
      find: () => rows.get("a") ?? null,
      put: (row: IndexedDocument) => rows.set("a", row),
      remove: () => {},
    },
    chunkIndex: { put: () => {}, remove: () => {} },
    lock: {
      writable: true,
      tryExclusively: <T>(work: () => T) => ({ result: work() }),
      savepoint: (change: () => void) => change(),
    },
    warn: () => {},
  } as unknown as DocumentPorts;
  return { ports, state };
}

test("INDEX-2: a stamp from the moment of reading isn't trusted, an older one is", async () => {
  const fresh = workspace(1_003);
  expect((await upToDate(fresh.ports)).documents[0]?.title).toBe("AAAA");
  fresh.state.text = "# BBBB\n";
  expect((await upToDate(fresh.ports)).documents[0]?.title).toBe("BBBB");

  const settled = workspace(5_000);
  await upToDate(settled.ports);
  await upToDate(settled.ports);
  expect(settled.state.opened).toBe(1);
});
