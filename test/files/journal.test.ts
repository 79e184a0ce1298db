import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { recordNothing } from "../../src/core/incidents.ts";
import { Journal } from "../../src/files/journal.ts";

const AT = "2026-11-15T20:17:47Z";
let root = "";
let journal: Journal;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "retain-journal-"));
  journal = new Journal(root, (path) => path.startsWith("memories/"), {
    warn: () => {},
    record: recordNothing,
  });
});
afterEach(() => rmSync(root, { recursive: true }));

const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : null);
const write = (path: string, content: string) => {
  mkdirSync(join(root, "memories"), { recursive: true });
  writeFileSync(join(root, path), content);
};
const undoLast = () => journal.undo(journal.list()[0]?.number ?? 0, AT);

test("UNDO-1: several files change atomically and are restored byte for byte", () => {
  write("memories/a.md", "one\ntwo\n");
  write("memories/b.md", "gone\r\n");
  journal.change("compact", AT, [
    { path: "memories/a.md", before: "one\ntwo\n", after: "one\n2\ntwo\n" },
    { path: "memories/b.md", before: "gone\r\n", after: null },
    { path: "memories/chats/x/c.md", before: null, after: "new" },
  ]);
  expect([read("memories/a.md"), read("memories/b.md"), read("memories/chats/x/c.md")]).toEqual([
    "one\n2\ntwo\n",
    null,
    "new",
  ]);
  expect(journal.list()).toMatchObject([{ label: "compact", at: AT }]);
  undoLast();
  expect([read("memories/a.md"), read("memories/b.md"), read("memories/chats/x/c.md")]).toEqual([
    "one\ntwo\n",
    "gone\r\n",
    null,
  ]);
  expect(journal.list()).toEqual([]);
});

test("UNDO-1: any number of changes can be undone, last first", () => {
  const content = fc.oneof(fc.constant(null), fc.string(), fc.string({ unit: "binary" }));
  const path = fc.constantFrom("memories/a.md", "memories/b.md");
  fc.assert(
    fc.property(fc.array(fc.tuple(path, content), { maxLength: 12 }), (steps) => {
      rmSync(root, { recursive: true });
      mkdirSync(root);
      const states = [[read("memories/a.md"), read("memories/b.md")]];
      for (const [file, after] of steps) {
        const before = read(file);
        const clean = after?.toWellFormed() ?? null;
        if (before === clean) continue;
        journal.change("remember", AT, [{ path: file, before, after: clean }]);
        states.push([read("memories/a.md"), read("memories/b.md")]);
      }
      while (states.length > 1) {
        expect([read("memories/a.md"), read("memories/b.md")]).toEqual(states.pop() as string[]);
        undoLast();
      }
      expect([read("memories/a.md"), read("memories/b.md")]).toEqual(states[0] as string[]);
    }),
    { numRuns: 60 },
  );
});

test("UNDO-2: undo keeps a later edit elsewhere in the file", () => {
  write("memories/a.md", "- a\n- b\n");
  journal.change("remember", AT, [{ path: "memories/a.md", before: "- a\n- b\n", after: "- a\n- B!\n" }]);
  write("memories/a.md", "# mine\n- a\n- B!\n- c\n");
  undoLast();
  expect(read("memories/a.md")).toBe("# mine\n- a\n- b\n- c\n");
});

test("UNDO-2: an ambiguous undo is a conflict, and nothing is changed", () => {
  write("memories/a.md", "- a\n");
  write("memories/b.md", "- b\n");
  journal.change("remember", AT, [
    { path: "memories/a.md", before: "- a\n", after: "- a\n- x\n" },
    { path: "memories/b.md", before: "- b\n", after: "- b\n- y\n" },
  ]);
  write("memories/b.md", "- b\n");
  write("memories/b.md", "all new\n");
  expect(undoLast).toThrow("has changed since");
  expect([read("memories/a.md"), read("memories/b.md")]).toEqual(["- a\n- x\n", "all new\n"]);
});

/** The state after a process died with `done` files written. */
function interrupted(done: number): void {
  write("memories/a.md", "a\n");
  write("memories/b.md", "b\n");
  journal.change("compact", AT, [
    { path: "memories/a.md", before: "a\n", after: "A\n" },
    { path: "memories/b.md", before: "b\n", after: null },
  ]);
  const undo = join(root, ".undo");
  const [record = ""] = readdirSync(undo).filter((name) => name.endsWith(".json"));
  renameSync(join(undo, record), join(undo, record.replace(".json", ".pending.json")));
  if (done < 2) write("memories/b.md", "b\n");
  if (done < 1) write("memories/a.md", "a\n");
}

test("UNDO-1: the next process finishes an interrupted change", () => {
  for (const done of [0, 1, 2]) {
    rmSync(root, { recursive: true });
    mkdirSync(root);
    interrupted(done);
    expect(journal.unfinished).toBe(true);
    journal.recover();
    expect(journal.unfinished).toBe(false);
    expect([read("memories/a.md"), read("memories/b.md")]).toEqual(["A\n", null]);
    undoLast();
    expect([read("memories/a.md"), read("memories/b.md")]).toEqual(["a\n", "b\n"]);
  }
});

/** The state after a process died with `written` appended to the file. */
function interruptedAppend(written: Uint8Array): void {
  rmSync(root, { recursive: true });
  mkdirSync(root);
  write("memories/a.md", "- ä\n");
  journal.change("remember", AT, [{ path: "memories/a.md", before: "- ä\n", after: "- ä\n- öß\n- x\n" }]);
  const undo = join(root, ".undo");
  const [record = ""] = readdirSync(undo).filter((name) => name.endsWith(".json"));
  renameSync(join(undo, record), join(undo, record.replace(".json", ".pending.json")));
  writeFileSync(join(root, "memories/a.md"), Buffer.concat([Buffer.from("- ä\n"), written]));
}

test("UNDO-1: an append interrupted at any byte is finished", () => {
  const added = Buffer.from("- öß\n- x\n");
  for (let length = 0; length <= added.length; length++)
    for (const unfilled of [0, 1, added.length - length]) {
      if (length + unfilled > added.length) continue;
      interruptedAppend(Buffer.concat([added.subarray(0, length), Buffer.alloc(unfilled)]));
      journal.recover();
      expect(read("memories/a.md")).toBe("- ä\n- öß\n- x\n");
      undoLast();
      expect(read("memories/a.md")).toBe("- ä\n");
    }
});

test("UNDO-1: text that a person added meanwhile stays", () => {
  for (const theirs of ["- mine\n", "- öß\n- x\n- mine\n", "- ö"]) {
    interruptedAppend(Buffer.from(theirs));
    if (theirs === "- ö") writeFileSync(join(root, "memories/a.md"), "- a");
    const before = read("memories/a.md");
    journal.recover();
    expect(read("memories/a.md")).toBe(before);
    expect(journal.unfinished).toBe(false);
  }
});

test("lines are appended without rewriting the file", () => {
  write("memories/a.md", "- a\n");
  chmodSync(join(root, "memories/a.md"), 0o640);
  const { ino } = statSync(join(root, "memories/a.md"));
  journal.change("remember", AT, [{ path: "memories/a.md", before: "- a\n", after: "- a\n- b\n" }]);
  const { ino: now, mode } = statSync(join(root, "memories/a.md"));
  expect([now, mode & 0o777, read("memories/a.md")]).toEqual([ino, 0o640, "- a\n- b\n"]);
});

test("UNDO-2: if a file's size has changed, no file is changed", () => {
  write("memories/a.md", "- a\n");
  write("memories/b.md", "- b, edited\n");
  const change = () =>
    journal.change("remember", AT, [
      { path: "memories/a.md", before: "- a\n", after: "- a\n- c\n" },
      { path: "memories/b.md", before: "- b\n", after: "- b\n- d\n" },
    ]);
  expect(change).toThrow("Another program changed");
  expect([read("memories/a.md"), read("memories/b.md")]).toEqual(["- a\n", "- b, edited\n"]);
  expect([journal.unfinished, journal.list()]).toEqual([false, []]);
});

test("UNDO-1: a file that a person changed meanwhile stays as it is", () => {
  interrupted(0);
  write("memories/a.md", "mine\n");
  journal.recover();
  expect([read("memories/a.md"), read("memories/b.md")]).toEqual(["mine\n", null]);
});

test("UNDO-2: a file that has changed is a conflict, and nothing is changed", () => {
  write("memories/a.md", "a\n");
  write("memories/b.md", "b, edited\n");
  const change = () =>
    journal.change("remember", AT, [
      { path: "memories/a.md", before: "a\n", after: "A\n" },
      { path: "memories/b.md", before: "b\n", after: "B\n" },
    ]);
  expect(change).toThrow("Another program changed");
  expect([read("memories/a.md"), read("memories/b.md")]).toEqual(["a\n", "b, edited\n"]);
  expect([journal.unfinished, journal.list()]).toEqual([false, []]);
});

test("UNDO-6: a record that names an outside file, or is invalid, is ignored", () => {
  mkdirSync(join(root, ".undo"));
  const file = { path: "../evil.txt", at: 0, removed: "", inserted: "x", before: null, after: "x" };
  for (const record of [
    { label: "x", at: AT, files: [file] },
    { files: "all" },
    null,
    [],
    { label: 1, at: AT, files: [] },
  ]) {
    writeFileSync(join(root, ".undo/00000001.pending.json"), JSON.stringify(record));
    journal.recover();
    expect(existsSync(join(root, "../evil.txt"))).toBe(false);
    expect(journal.unfinished).toBe(false);
    writeFileSync(join(root, ".undo/00000001.json"), JSON.stringify(record));
    expect(journal.list()).toEqual([]);
    expect(() => journal.undo(1, AT)).toThrow("nothing to undo");
  }
});

test("UNDO-7: steps of one change are undone together, and a change in between is kept", () => {
  const long = new Journal(root, () => true, { warn: () => {}, record: recordNothing }, "migrate");
  const add = (to: Journal, line: string, path = "memories/a.md") => {
    const before = read(path);
    to.change("step", AT, [{ path, before, after: `${before ?? ""}- ${line}\n` }]);
  };
  add(journal, "before");
  for (let step = 0; step < 60; step++) add(long, `imported ${step}`);
  add(journal, "in between");
  add(long, "last", "memories/b.md");
  long.record("put", AT, { documents: [{ collection: "memory", id: "doc", before: null, after: "hash" }] });
  expect(journal.list().map(({ label, files }) => [label, files.length])).toEqual([
    ["step", 1],
    ["migrate", 61],
    ["step", 1],
  ]);
  const [, imported] = journal.list();
  expect(imported?.documents).toHaveLength(1);
  journal.undo(imported?.number ?? 0, AT);
  expect([read("memories/a.md"), read("memories/b.md")]).toEqual(["- before\n- in between\n", null]);
  expect(journal.list().map(({ label }) => label)).toEqual(["step", "step"]);
  add(long, "later");
  expect(journal.list().map(({ label }) => label)).toEqual(["migrate", "step", "step"]);
});

test("UNDO-2: if one step can no longer be undone, or what isn't in files, nothing is changed", () => {
  const long = new Journal(root, () => true, { warn: () => {}, record: recordNothing }, "migrate");
  for (const path of ["memories/a.md", "memories/b.md"])
    long.change("step", AT, [{ path, before: null, after: "- line\n" }]);
  const fails = () => {
    throw new Error("not these");
  };
  expect(() => journal.undo(1, AT, fails)).toThrow("not these");
  write("memories/a.md", "by hand\n");
  expect(() => journal.undo(1, AT)).toThrow("has changed since");
  expect([read("memories/a.md"), read("memories/b.md")]).toEqual(["by hand\n", "- line\n"]);
  expect(journal.list()).toHaveLength(1);
});

test("UNDO-5: fifty changes are kept, ignored by git, and those with a forgotten text are dropped", () => {
  for (let index = 0; index < 60; index++) {
    const before = read("memories/a.md");
    journal.change("remember", AT, [{ path: "memories/a.md", before, after: `${before ?? ""}- ${index}\n` }]);
  }
  expect(journal.list()).toHaveLength(50);
  expect(read(".undo/.gitignore")).toBe("*\n");
  journal.rewrite((record) => (record.includes("- 57") ? null : record));
  expect(journal.list()).toHaveLength(49);
});
