/** Looking at thousands of files lets other work run: a server's streams and requests. Counted in turns of the event loop. */
import { expect, test } from "bun:test";
import { appendFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";

const FILES = 800;
/** Fewer would mean more than 100 files in one turn. */
const TURNS = 8;

function makeFiles(directory: string, files: number): void {
  mkdirSync(directory, { recursive: true });
  for (let number = 0; number < files; number++)
    writeFileSync(join(directory, `n${number}.md`), `# Note ${number}\n`);
}

function makeHome(files = FILES) {
  const home = mkdtempSync(join(tmpdir(), "retain-gives-way-"));
  afterThisTest(() => rmSync(home, { recursive: true }));
  const notes = join(home, "collections/notes");
  makeFiles(notes, files);
  const time = { now: Date.parse("2026-05-01T12:00:00Z") };
  const open = () => {
    const env = { RETAIN_HOME: home, RETAIN_EMBEDDING: "none" };
    const retain = openRetain({ cwd: home, env, clock: () => new Date(time.now) });
    afterThisTest(() => retain.close());
    return retain;
  };
  return { home, notes, time, open };
}

/** How often the event loop turned before `work` was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns++) await new Promise(setImmediate);
  })();
  await work();
  isDone = true;
  await counting;
  return turns;
}

/** Modules that the first search loads also take turns, so it isn't counted. */
async function openWarm(open: ReturnType<typeof makeHome>["open"]) {
  const retain = open();
  await retain.search("warm");
  return retain;
}

test("INDEX-2: other work runs while many files are indexed", async () => {
  const { notes, open } = makeHome(0);
  const retain = await openWarm(open);
  makeFiles(notes, FILES);
  expect(await turnsDuring(() => retain.search("saffron"))).toBeGreaterThan(TURNS);
});

test("INDEX-2: other work runs while all files are checked again, and a change without an event is found", async () => {
  const { home, notes, time, open } = makeHome();
  const retain = await openWarm(open);
  for (let round = 0; round < 3; round++) await retain.search("saffron");
  // Linux doesn't report a write through a hard link that was made since.
  linkSync(join(notes, "n7.md"), join(home, "second"));
  appendFileSync(join(home, "second"), "Saffron.\n");
  time.now += 10_000;
  let found: string[] = [];
  const search = async () => {
    found = (await retain.search("saffron")).hits.map(({ id }) => id);
  };
  expect(await turnsDuring(search)).toBeGreaterThan(TURNS);
  expect(found).toEqual(["n7"]);
});

test("WEB-12: lists that are read from the index in pages are complete", async () => {
  const { open } = makeHome();
  await open().search("saffron");
  const retain = open();
  const names = (items: readonly { id: string }[]) => items.map(({ id }) => id).sort();
  const expected = Array.from({ length: FILES }, (_, number) => `n${number}`).sort();
  const { documents } = await retain.documents.list({});
  expect(names(documents)).toEqual(expected);
  const first = await retain.memories.page({ limit: 500 });
  const second = await retain.memories.page({ offset: 500, limit: 500 });
  expect(first.total).toBe(FILES);
  expect(names([...first.items, ...second.items])).toEqual(expected);
});

test("INDEX-2: the index loses all files that were removed while no process ran", async () => {
  const { notes, open } = makeHome();
  await open().search("saffron");
  for (let number = 1; number < FILES; number++) rmSync(join(notes, `n${number}.md`));
  expect((await open().memories.page()).total).toBe(1);
});

test("INDEX-2: other work runs while a folder's files are checked", async () => {
  const { home, open } = makeHome(0);
  const vault = mkdtempSync(join(tmpdir(), "retain-gives-way-"));
  afterThisTest(() => rmSync(vault, { recursive: true }));
  makeFiles(vault, FILES);
  writeFileSync(join(home, "config.yaml"), `folders:\n  - name: vault\n    path: ${vault}\n`);
  const retain = await openWarm(open);
  await retain.search("saffron");
  appendFileSync(join(vault, "n7.md"), "Saffron.\n");
  expect(await turnsDuring(() => retain.search("saffron"))).toBeGreaterThan(TURNS);
  expect((await retain.search("saffron")).hits.map(({ id }) => id)).toEqual(["n7"]);
});
