/** Long-lived processes read only changes, and get the same results as one that reads everything. */
import { expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openRetain } from "../../src/index.ts";

const IDS = ["a", "b", "c", "d"];
const step = fc.record({
  by: fc.nat({ max: 1 }),
  kind: fc.constantFrom("put", "put", "delete", "write", "remove", "rename", "lose the index", "look"),
  id: fc.constantFrom(...IDS),
  to: fc.constantFrom(...IDS),
});

class Workspace {
  readonly home = mkdtempSync(join(tmpdir(), "retain-sync-on-"));
  readonly folder = join(this.home, "collections/notes");
  readonly processes = [this.open(), this.open()];
  #texts = 0;

  open() {
    return openRetain({ cwd: this.home, env: { RETAIN_HOME: this.home, RETAIN_EMBEDDING: "none" } });
  }

  get files(): string[] {
    return readdirSync(this.folder).filter((name) => /^[a-d]\.md$/.test(name));
  }

  async take({ by, kind, id, to }: { by: number; kind: string; id: string; to: string }): Promise<void> {
    const retain = this.processes[by] as ReturnType<typeof openRetain>;
    const path = (name: string) => join(this.folder, `${name}.md`);
    const text = () => `Shared word, number${++this.#texts}.`;
    const there = this.files.includes(`${id}.md`);
    if (kind === "put") await retain.documents.put({ id, collection: "notes", content: text() });
    else if (kind === "write") writeFileSync(path(id), `---\ntitle: ${id}\n---\n${text()}\n`);
    else if (kind === "lose the index")
      for (const end of ["", "-wal", "-shm"]) rmSync(join(this.home, `retain.db${end}`), { force: true });
    else if (kind === "delete" && there) await retain.documents.delete(id);
    else if (kind === "remove" && there) rmSync(path(id));
    else if (kind === "rename" && there) renameSync(path(id), path(to));
  }

  /** Results for the word that all texts have, with each text's current number. */
  async found(retain: ReturnType<typeof openRetain>): Promise<string[]> {
    const { hits } = await retain.search("shared", { mode: "text", limit: 20 });
    return hits.map((hit) => `${hit.id} ${/number\d+/.exec(JSON.stringify(hit))?.[0]}`).sort();
  }

  get expected(): string[] {
    return this.files
      .map((name) => `${name[0]} ${/number\d+/.exec(readFileSync(join(this.folder, name), "utf8"))?.[0]}`)
      .sort();
  }

  close(): void {
    for (const retain of this.processes) retain.close();
    rmSync(this.home, { recursive: true });
  }
}

test("INDEX-2: after any changes by processes and people, each process finds the current files", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const workspace = new Workspace();
      mkdirSync(workspace.folder, { recursive: true });
      try {
        for (const one of steps) {
          await workspace.take(one);
          for (const retain of workspace.processes)
            expect(await workspace.found(retain)).toEqual(workspace.expected);
        }
      } finally {
        workspace.close();
      }
    }),
    { numRuns: process.env.RETAIN_FIRE ? 600 : 50 },
  );
}, 600_000);
