/** Conversations as files and rows: removed, truncated, damaged, or copied from another machine. */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { LocalSessions } from "../../src/backends/sessions/local-sessions.ts";
import { messageLines, readSession } from "../../src/core/sessions/session-file.ts";
import { contents, ME, talk } from "../helpers/conversations.ts";
import { asEarlier } from "../helpers/damage.ts";
import { Store } from "../helpers/store.ts";

const MAIN = { chat: "main", title: null };

function fileOf({ directory }: Store, id: string): string {
  return join(directory, "sessions", `${id}.jsonl`);
}

function removeRows({ directory, database }: Store): void {
  database.close();
  for (const name of readdirSync(directory)) if (name.startsWith("retain.db")) rmSync(join(directory, name));
}

function everything(sessions: LocalSessions): unknown[] {
  return sessions.list({}).map((session) => [session, sessions.messages(session.id)]);
}

test("CONV-1: a session is a private file with one line of JSON per message", async () => {
  const store = new Store();
  const { id } = await store.sessions.begin(ME, talk("Where is the harbour?", "In the north."));
  await store.sessions.change(id, { title: "The harbour", tags: ["ports"], summary: "It is in the north." });
  const path = fileOf(store, id);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(["session", "message", "message", "change"]);
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ id: 1, role: "user", content: "Where is the harbour?" });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
});

test("INDEX-3: without retain.db everything is restored: ids, numbers, summaries and search results", async () => {
  const store = new Store();
  const { sessions } = store;
  const { id } = await sessions.begin(ME, talk("Where is the harbour?", "In the north, by the lighthouse."));
  await sessions.change(id, { title: "The harbour", summary: "The harbour is in the north.", tags: ["a"] });
  const { id: gone } = await sessions.begin(ME, talk("A third one"));
  await sessions.append({ id: "Elsewhere/ü 1", ...MAIN, tags: ["x"] }, talk("From another place"));
  await sessions.remove(gone);
  const before = everything(sessions);
  const found = await store.ask("lighthouse");
  expect(found).not.toEqual([]);
  for (const isOpen of [true, false]) {
    if (isOpen)
      for (const suffix of ["", "-wal", "-shm"])
        rmSync(join(store.directory, `retain.db${suffix}`), { force: true });
    else removeRows(store);
    expect(everything(sessions)).toEqual(before);
    expect(await store.ask("lighthouse")).toEqual(found);
  }
  const [next] = await sessions.append({ id, ...MAIN }, talk("And now?"));
  expect(next?.id).toBe(5);
  expect((await sessions.begin(ME, talk("Fresh"))).id).toBe("session_20260218_003");
});

test("CONV-4: a truncated line is dropped, and so are messages of an unfinished step", async () => {
  const whole = messageLines([
    { id: 3, ...(talk("Torn")[0] as ReturnType<typeof talk>[0]), details: {} },
    { id: 4, ...(talk("Torn too")[0] as ReturnType<typeof talk>[0]), details: {} },
  ]);
  const first = whole.indexOf("\n") + 1;
  for (let length = 1; length < whole.length - 1; length += 7) {
    const store = new Store();
    const { id } = await store.sessions.begin(ME, talk("Hello", "Hi"));
    const path = fileOf(store, id);
    const sound = readFileSync(path, "utf8");
    appendFileSync(path, whole.slice(0, length));
    expect(contents(store.sessions.messages(id))).toEqual(["Hello", "Hi"]);
    expect([length, readFileSync(path, "utf8")]).toEqual([length, sound]);
    await store.sessions.append({ id, ...MAIN }, talk("And then?"));
    expect(contents(store.sessions.messages(id))).toEqual(["Hello", "Hi", "And then?"]);
    expect(store.warnings).toEqual([]);
    if (length > first + 50) length += 100;
  }
});

test("CONV-4: the last line counts without a newline, which an editor may have removed", async () => {
  const store = new Store();
  const { id } = await store.sessions.begin(ME, talk("Hello", "Hi"));
  const path = fileOf(store, id);
  writeFileSync(path, readFileSync(path, "utf8").trimEnd());
  expect(contents(store.sessions.messages(id))).toEqual(["Hello", "Hi"]);
  await store.sessions.append({ id, ...MAIN }, talk("And then?"));
  removeRows(store);
  expect(contents(store.sessions.messages(id))).toEqual(["Hello", "Hi", "And then?"]);
});

test("CONV-4: whatever byte is flipped, at most one message is lost, the others are read, and the file is named", async () => {
  const texts = ["One", "Two", "Three", "Four", "Five"];
  const store = new Store();
  const { id } = await store.sessions.begin(ME, talk(...texts));
  const path = fileOf(store, id);
  const sound = readFileSync(path);
  await fc.assert(
    fc.asyncProperty(fc.nat(sound.length - 2), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const spoilt = Buffer.from(sound);
      spoilt[at] = (spoilt[at] as number) ^ flip;
      // A missing newline joins two lines.
      const isEnd = sound[at] === 0x0a;
      writeFileSync(path, sound);
      expect(store.sessions.problems()).toEqual([]);
      writeFileSync(path, spoilt);
      store.warnings.length = 0;
      const left = contents(store.sessions.messages(id));
      expect(left.length).toBeGreaterThanOrEqual(texts.length - (isEnd ? 2 : 1));
      expect(texts.filter((text) => left.includes(text))).toEqual(left);
      expect(store.sessions.problems().map((one) => one.path)).toEqual([path]);
      expect(store.warnings).toEqual([expect.stringContaining(path)]);
      expect(readFileSync(path).equals(spoilt)).toBe(true);
    }),
    { numRuns: process.env.RETAIN_FIRE ? 2_000 : 60 },
  );
  writeFileSync(path, sound);
  expect(contents(store.sessions.messages(id))).toEqual(texts);
  expect(store.sessions.problems()).toEqual([]);
});

test("CONV-4: messages added to a damaged file are stored, and the damaged line stays unchanged", async () => {
  const store = new Store();
  const { id } = await store.sessions.begin(ME, talk("One", "Two"));
  const path = fileOf(store, id);
  writeFileSync(path, readFileSync(path, "utf8").replace("One", "0ne"));
  await store.sessions.append({ id, ...MAIN }, talk("Three"));
  removeRows(store);
  expect(contents(store.sessions.messages(id))).toEqual(["Two", "Three"]);
  expect(readFileSync(path, "utf8")).toContain("0ne");
});

test("FORMAT-1: a file of a newer version is not read in part, and the hint says what to update", async () => {
  const store = new Store();
  const { id } = await store.sessions.begin(ME, talk("Hello"));
  const path = fileOf(store, id);
  const newer = readFileSync(path, "utf8").replace('"version":1', '"version":2');
  writeFileSync(path, newer);
  expect(store.sessions.session(id)).toBeNull();
  expect(store.sessions.problems()).toEqual([{ path, problem: expect.stringContaining("update Retain") }]);
  expect(store.sessions.append({ id, ...MAIN }, talk("More"))).rejects.toThrow(path);
  expect(readFileSync(path, "utf8")).toBe(newer);
});

test("CONV-6: files from another machine are imported, and messages with the same numbers get new ones", async () => {
  const [here, there] = [new Store(), new Store()];
  const { id } = await here.sessions.begin(ME, talk("Here one", "Here two"));
  const other = { id: "session_20260301_001", ...MAIN };
  await there.sessions.append(other, talk("There one", "There two", "There three"));
  await there.sessions.change(other.id, { summary: "It was there." });
  cpSync(fileOf(there, other.id), fileOf(here, other.id));
  const before = here.sessions.messages(id);
  expect(contents(here.sessions.messages(other.id))).toEqual(["There one", "There two", "There three"]);
  expect(here.sessions.messages(id)).toEqual(before);
  const numbers = [id, other.id].flatMap((one) => here.sessions.messages(one).map((message) => message.id));
  expect(new Set(numbers).size).toBe(5);
  expect(here.sessions.unsummarised(() => true).map((session) => session.id)).toEqual([id]);
  const stored = everything(here.sessions);
  removeRows(here);
  expect(everything(here.sessions)).toEqual(stored);
});

test("CONV-6: a copy of a session's file changes nothing, and is named", async () => {
  const store = new Store();
  const { id } = await store.sessions.begin(ME, talk("Hello", "Hi"));
  cpSync(fileOf(store, id), fileOf(store, "zz-copy"));
  expect(store.sessions.list({})).toHaveLength(1);
  expect(contents(store.sessions.messages(id))).toEqual(["Hello", "Hi"]);
  expect(store.sessions.problems()).toEqual([
    { path: fileOf(store, "zz-copy"), problem: expect.stringContaining(`${id}.jsonl`) },
  ]);
});

test("CONV-6: an id that is not a safe file name gets a safe one, whatever it contains", async () => {
  const store = new Store();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }), async (id) => {
      await store.sessions.append({ id, ...MAIN }, talk("Said"));
      expect(store.sessions.session(id)?.id).toBe(id);
    }),
    { numRuns: 40 },
  );
  const names = readdirSync(join(store.directory, "sessions"));
  expect(names.filter((name) => !/^(?:[a-z0-9][a-z0-9_-]*\.jsonl|\.lock)$/.test(name))).toEqual([]);
  expect(readdirSync(store.directory).sort()).toContain("sessions");
});

test("PURGE-1: a removed session leaves no file, and forgetting rewrites the file", async () => {
  const store = new Store();
  const { id } = await store.sessions.begin(ME, talk("The word is Grendel.", "Noted."));
  const { id: gone } = await store.sessions.begin(ME, talk("Another"));
  await store.sessions.remove(gone);
  expect(existsSync(fileOf(store, gone))).toBe(false);
  await store.sessions.rewrite((text) => text.replaceAll("Grendel", "[forgotten]"));
  expect(readFileSync(fileOf(store, id), "utf8")).not.toContain("Grendel");
  removeRows(store);
  expect(contents(store.sessions.messages(id))).toEqual(["The word is [forgotten].", "Noted."]);
  expect(store.sessions.problems()).toEqual([]);
});

test("RESCUE-1: conversations of an earlier version become files once; removed ones don't come back", async () => {
  const store = new Store();
  const { id } = await store.sessions.begin(ME, talk("Where is the harbour?", "In the north."));
  await store.sessions.change(id, { title: "Harbour", summary: "In the north." });
  const { id: second } = await store.sessions.begin(ME, talk("Another"));
  const before = everything(store.sessions);
  store.sessions.close();
  store.database.close();
  rmSync(join(store.directory, "sessions"), { recursive: true });
  asEarlier(join(store.directory, "retain.db"));
  expect(everything(store.sessions)).toEqual(before);
  expect(existsSync(fileOf(store, id))).toBe(true);
  await store.sessions.remove(second);
  store.database.close();
  expect(store.sessions.list({}).map((session) => session.id)).toEqual([id]);
  removeRows(store);
  expect(store.sessions.list({}).map((session) => session.id)).toEqual([id]);
});

test("any bytes can be read as a session without an exception, and written sessions are read back unchanged", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(readSession(bytes, "x").size).toBeLessThanOrEqual(bytes.length);
    }),
  );
});

test("a rewrite that fails half-way leaves no row out of sync with its file", async () => {
  const store = new Store();
  const ids: string[] = [];
  for (const text of ["The word is Grendel.", "Grendel again."])
    ids.push((await store.sessions.begin(ME, talk(text))).id);
  let edits = 0;
  const failing = store.sessions.rewrite((text) => {
    if (text.includes("Grendel") && ++edits > 1) throw new Error("The disk is gone");
    return text.replaceAll("Grendel", "[forgotten]");
  });
  await expect(failing).rejects.toThrow("The disk is gone");
  const said = ids.map((id) => contents(store.sessions.messages(id))[0]);
  const filed = ids.map(
    (id) => JSON.parse(readFileSync(fileOf(store, id), "utf8").split("\n")[1] ?? "").content,
  );
  expect(said).toEqual(filed);
  expect(filed).toContain("The word is [forgotten].");
});
