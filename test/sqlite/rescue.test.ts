/** Recovery of conversations from damaged databases: real files with real damage. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import {
  allSaid,
  asEarlier,
  databaseFiles,
  imageOf,
  messagesIn,
  nextPage,
  overwrite,
  pagesOf,
  rowsOn,
  said,
  searched,
  setAsideIn,
  spoil,
} from "../helpers/damage.ts";
import { Store } from "../helpers/store.ts";

const COUNT = 400;

let image: Buffer | null = null;

/** A store with such a file, damaged in this way. */
async function damagedStore(damage: (path: string) => void): Promise<{ store: Store; path: string }> {
  image ??= await imageOf(COUNT);
  const store = new Store();
  const path = join(store.directory, "retain.db");
  writeFileSync(path, image);
  damage(path);
  return { store, path };
}

/** Reads the damaged database as a search and a chat would, and returns its messages. */
function reopen(store: Store) {
  store.database.read(null, (database) => {
    for (const table of ["sessions", "messages", "chunks"]) database.query(`SELECT * FROM ${table}`).all();
    database.query("SELECT session_id, id FROM messages ORDER BY session_id, id").all();
  });
  store.sessions.sync();
  return messagesIn(store.database);
}

function sessionsIn({ database }: Store): unknown[][] {
  return database.read([], (rows) => rows.query("SELECT id, title FROM sessions ORDER BY id").values());
}

/** The next message number. */
async function nextId({ sessions }: Store): Promise<number> {
  const { session, content, timestamp } = said(1);
  const message = { role: "user" as const, speaker: null, content, timestamp, token_count: null };
  const [added] = await sessions.append({ id: session, chat: "main", title: null }, [message]);
  return added?.id ?? 0;
}

const SESSIONS = [0, 1, 2, 3, 4].map((number) => [`session-${number}`, `Title of session-${number}`]);
const messages = (path: string, type = "leaf") => pagesOf(path, "messages", type);
const overflow = (path: string) =>
  pagesOf(path, "messages", "overflow").sort(
    (a, b) => Number(nextPage(path, a) === 0) - Number(nextPage(path, b) === 0),
  );

test("RESCUE-1: each message is stored twice, so damage to either copy loses none, and each keeps its number", async () => {
  const damages: Record<string, (path: string) => void> = {
    "a page of messages": (path) => spoil(path, messages(path).slice(3, 4)),
    "the root of messages": (path) => spoil(path, messages(path, "internal")),
    "the first and the last page": (path) =>
      spoil(path, messages(path).slice(-1).concat(messages(path).slice(0, 1)), 0),
    "the middle of a long message": (path) => spoil(path, overflow(path).slice(5, 6), 0),
    "the ends of long messages, and a page": (path) => {
      const ends = overflow(path).filter((page) => nextPage(path, page) === 0);
      spoil(path, ends.slice(0, 3));
      spoil(path, [...ends.slice(3, 6), messages(path)[3] as number], 0);
    },
    "all that is searched": (path) => spoil(path, searched(path)),
    "an index": (path) => spoil(path, pagesOf(path, "messages_of_session", "internal")),
    "index and messages": (path) =>
      spoil(path, [...pagesOf(path, "messages_of_session").slice(0, 1), ...messages(path).slice(5, 6)]),
    "the header": (path) => overwrite(path, 0, Buffer.alloc(100)),
  };
  for (const [name, damage] of Object.entries(damages)) {
    const { store, path } = await damagedStore(damage);
    const damaged = readFileSync(path);
    expect([name, reopen(store)]).toEqual([name, allSaid(COUNT)]);
    expect([name, sessionsIn(store)]).toEqual([name, SESSIONS]);
    expect(await nextId(store)).toBe(COUNT + 1);
    // Its conversations are intact, so they are in files before the damage is found; after that it is a cache.
    if (name === "all that is searched") continue;
    const [aside = ""] = setAsideIn(store.directory);
    expect([name, databaseFiles(store.directory)]).toEqual([name, ["retain.db", basename(aside)]]);
    expect(readFileSync(aside).equals(damaged)).toBe(true);
    expect(store.warnings).toHaveLength(1);
    for (const part of [path, "400 messages from 5 sessions were recovered.", aside])
      expect(store.warnings[0]).toContain(part);
  }
});

test("RESCUE-1: a page lost in both copies loses only its own messages, and the warning counts them", async () => {
  const bad = [4, 9, 15];
  let lost = 0;
  const { store } = await damagedStore((path) => {
    const pages = bad.map((index) => messages(path)[index] as number);
    lost = pages.reduce((sum, page) => sum + rowsOn(path, page), 0);
    spoil(path, [...pages, ...searched(path)]);
  });
  const found = reopen(store);
  expect(lost).toBeGreaterThan(10);
  expect(found).toHaveLength(COUNT - lost);
  expect(found).toEqual(allSaid(COUNT).filter(({ id }) => found.some((message) => message.id === id)));
  expect(store.warnings[0]).toContain(
    `${COUNT - lost} messages from 5 sessions were recovered, ${lost} could not be read.`,
  );
  expect(await nextId(store)).toBe(COUNT + 1);
});

test("RESCUE-1: pages between bad ones are found even without the index", async () => {
  let lost = 0;
  const { store } = await damagedStore((path) => {
    const pages = [messages(path)[2], messages(path)[6], messages(path).at(-1)] as number[];
    lost = pages.reduce((sum, page) => sum + rowsOn(path, page), 0);
    spoil(path, [...pages, ...searched(path), ...pagesOf(path, "messages_of_session", "internal")]);
  });
  expect(reopen(store)).toHaveLength(COUNT - lost);
  expect(await nextId(store)).toBe(COUNT + 1);
});

test("RESCUE-1: the rest of a truncated file is recovered", async () => {
  const { store } = await damagedStore((path) => truncateSync(path, Math.floor(statSync(path).size * 0.6)));
  const found = reopen(store);
  expect(found.length).toBeGreaterThan(100);
  expect(found).toEqual(allSaid(COUNT).filter(({ id }) => found.some((message) => message.id === id)));
  expect(store.warnings[0]).toContain(`${found.length} messages from 5 sessions were recovered`);
  expect(await nextId(store)).toBeGreaterThan(COUNT);
});

test("RESCUE-1: lost sessions are recreated from their messages", async () => {
  const { store } = await damagedStore((path) => spoil(path, pagesOf(path, "sessions")));
  expect(reopen(store)).toEqual(allSaid(COUNT));
  expect(sessionsIn(store)).toEqual(SESSIONS.map(([id]) => [id, null]));
  const [latest] = store.sessions.list({ limit: 1 });
  expect(latest).toMatchObject({
    messages: 80,
    created_at: said(5).timestamp,
    updated_at: said(400).timestamp,
  });
});

test("RESCUE-1: whatever is damaged, the database opens and gives new messages unused numbers", async () => {
  const blow = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    // Not the first page, without which nothing is readable.
    page: fc.boolean(),
    bytes: fc.oneof(
      fc.constantFrom(100, 512, 4096, 40_960).map((size) => new Uint8Array(size)),
      fc.uint8Array({ minLength: 1, maxLength: 4096 }),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(blow, { minLength: 1, maxLength: 6 }), async (blows) => {
      const { store } = await damagedStore((path) => {
        for (const { at, page, bytes } of blows) {
          const place = 4096 + Math.floor(at * (statSync(path).size - 4096 - bytes.length));
          overwrite(path, page ? place - (place % 4096) : place, bytes);
        }
      });
      reopen(store);
      const added = await nextId(store);
      const rescued = messagesIn(store.database).filter(({ id }) => id !== added);
      if (store.warnings.length > 0) expect(rescued.filter(({ id }) => id < 1 || id > COUNT)).toEqual([]);
      store.close();
    }),
    { numRuns: process.env.RETAIN_FIRE ? 500 : 25 },
  );
}, 600_000);

test("RESCUE-1: an unreadable database is kept, and its numbers are not reused", async () => {
  const damages: Record<string, (path: string) => void> = {
    "its first page": (path) => spoil(path, [1]),
    "all of it": (path) => writeFileSync(path, "not a database ".repeat(100_000)),
    "another program's": (path) => {
      writeFileSync(path, "");
      using foreign = new Database(path);
      foreign.run("CREATE TABLE messages (id INTEGER, content TEXT)");
      foreign.run("INSERT INTO messages SELECT value, hex(randomblob(500)) FROM json_each('[1,2,3,4]')");
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    const { store, path } = await damagedStore(damage);
    const damaged = readFileSync(path);
    expect([name, reopen(store)]).toEqual([name, []]);
    expect(store.warnings).toHaveLength(1);
    expect(setAsideIn(store.directory)).toHaveLength(1);
    if (name === "another program's") continue;
    expect(readFileSync(setAsideIn(store.directory)[0] ?? "").equals(damaged)).toBe(true);
    expect(store.warnings[0]).toContain("The damaged file could not be read.");
    expect(await nextId(store)).toBeGreaterThan(COUNT);
  }
});

test("RESCUE-1: a directory in place of the database is kept too", async () => {
  const store = new Store();
  const path = join(store.directory, "retain.db");
  mkdirSync(path);
  expect(reopen(store)).toEqual([]);
  expect(store.warnings).toEqual([expect.stringContaining(`${path}.damaged-`)]);
  expect(databaseFiles(store.directory)).toHaveLength(2);
});

/** A database, and a WAL with 50 more messages. */
async function withLog(): Promise<{ path: string; image: Buffer; log: Buffer }> {
  const { path } = await damagedStore(() => {});
  const database = new Database(path);
  database.run("PRAGMA journal_mode = WAL");
  const insert = database.query(
    "INSERT INTO messages (session_id, role, content, timestamp, token_count) VALUES (?, ?, ?, ?, ?)",
  );
  for (let number = COUNT + 1; number <= COUNT + 50; number++) {
    const { session, role, content, timestamp } = said(number);
    insert.run(session, role, content, timestamp, number);
  }
  const files = { path, image: readFileSync(path), log: readFileSync(`${path}-wal`) };
  database.close();
  return files;
}

test("RESCUE-1: changes that are only in the WAL are recovered too", async () => {
  const { path, image, log } = await withLog();
  expect(log.length).toBeGreaterThan(0);
  for (const page of [messages(path)[2] as number, 1]) {
    const other = new Store();
    const copy = join(other.directory, "retain.db");
    writeFileSync(copy, image);
    writeFileSync(`${copy}-wal`, log);
    spoil(copy, [page]);
    // An open reader keeps SQLite from checkpointing the WAL.
    const reader = new Database(copy);
    reader.query("SELECT count(*) FROM sessions").all();
    expect(reopen(other)).toEqual(allSaid(COUNT + 50));
    reader.close();
    if (page === 1) continue;
    expect(readFileSync(`${setAsideIn(other.directory)[0]?.replace(/-read$/, "")}-wal`).equals(log)).toBe(
      true,
    );
    expect(other.warnings[0]).toContain("450 messages from 5 sessions were recovered.");
  }
});

test("RESCUE-5: an interrupted recovery is repeated from every state that a crash can leave", async () => {
  const crashes: Record<string, (path: string) => void> = {
    "the log has its second name": (path) => linkSync(`${path}-wal`, `${path}.damaged-5-wal`),
    "the file is moved": (path) => {
      linkSync(`${path}-wal`, `${path}.damaged-5-wal`);
      renameSync(path, `${path}.damaged-5`);
    },
    "the new one is half made": (path) => {
      renameSync(path, `${path}.damaged-5`);
      renameSync(`${path}-wal`, `${path}.damaged-5-wal`);
      for (const rest of [".new", ".new-journal", ".scratch", ".scratch-wal", ".lock"])
        writeFileSync(path + rest, "half of something ".repeat(1_000));
    },
  };
  const { path, image, log } = await withLog();
  for (const [name, crash] of Object.entries(crashes)) {
    const other = new Store();
    const copy = join(other.directory, "retain.db");
    writeFileSync(copy, image);
    spoil(copy, [messages(path)[2] as number]);
    writeFileSync(`${copy}-wal`, log);
    crash(copy);
    expect([name, reopen(other)]).toEqual([name, allSaid(COUNT + 50)]);
    expect(other.warnings[0]).toContain("450 messages from 5 sessions were recovered.");
    const left = databaseFiles(other.directory).filter(
      (file) => !/^retain\.db(?:\.damaged-\d+(?:-wal|-read)?)?$/.test(file),
    );
    expect([name, left]).toEqual([name, []]);
  }
});

test("RESCUE-5: a file is recovered once: later changes and deletions stay", async () => {
  const { store, path } = await damagedStore((file) => spoil(file, messages(file).slice(3, 4)));
  expect(reopen(store)).toHaveLength(COUNT);
  await store.sessions.rewrite((content) => content.replace("Message 17 of ours", "Something else"));
  await store.sessions.remove("session-3");
  store.database.close();
  for (const damage of [() => spoil(path, messages(path).slice(8, 9)), () => rmSync(path)]) {
    damage();
    const found = reopen(store);
    expect(setAsideIn(store.directory)).toHaveLength(1);
    expect(found).toHaveLength(COUNT - 80);
    expect(found.find(({ id }) => id === 17)?.content).toStartWith("Something else");
  }
});

test("RESCUE-5: if the whole database is lost, conversations are in their files", async () => {
  const { store, path } = await damagedStore((file) => spoil(file, messages(file).slice(3, 4)));
  reopen(store);
  store.database.close();
  writeFileSync(path, "no database at all ".repeat(1_000));
  expect(reopen(store)).toEqual(allSaid(COUNT));
});

test("RESCUE-1: recovered messages are searchable", async () => {
  const { store } = await damagedStore((path) => spoil(path, messages(path).slice(3, 4)));
  reopen(store);
  expect(await store.ask('"Message 17 of ours"')).toEqual([said(17).content]);
});

test("RESCUE-1: the first read that hits the damage returns the messages", async () => {
  const { store } = await damagedStore((path) => spoil(path, messages(path, "internal")));
  expect(store.sessions.message(17)?.content).toBe(said(17).content);
  expect(store.sessions.messages("session-2")).toHaveLength(80);
});

test("RESCUE-5: a link in place of a file that was moved aside is not followed", async () => {
  const { store, path } = await damagedStore(() => {});
  const other = new Store();
  symlinkSync(path, join(other.directory, "retain.db.damaged-5"));
  expect(reopen(other)).toEqual([]);
  symlinkSync(path, join(other.directory, "retain.db.lock"));
  other.database.close();
  renameSync(join(other.directory, "retain.db"), join(other.directory, "moved"));
  expect(() => reopen(other)).toThrow("is a link");
  expect(reopen(store)).toHaveLength(COUNT);
});

test("SESS-1: tool calls and session numbers are recovered too", async () => {
  const store = new Store();
  const path = join(store.directory, "retain.db");
  const { sessions } = store;
  const result = { id: "1", name: "look", output: "found \ufffd".repeat(900), ok: true };
  const { id } = await sessions.begin({ chat: "main", title: "T", day: "2026-02-18", openedBy: "here:1" }, [
    { ...SPOKEN, role: "user" },
    { ...SPOKEN, role: "assistant", details: { calls: [{ id: "1", name: "look", input: { at: [1] } }] } },
    { ...SPOKEN, role: "tool", content: "", details: { results: [result] } },
    { ...SPOKEN, role: "system", details: { compactsTo: 1 } },
  ]);
  await sessions.change(id, { summary: "They looked.", tags: ["a"] });
  const { id: gone } = await sessions.begin(
    { chat: "main", title: null, day: "2026-02-18", openedBy: null },
    [{ ...SPOKEN, role: "user" }],
  );
  await sessions.remove(gone);
  await sessions.claim(id, "nobody:1", () => true);
  await sessions.release(id, "nobody:1");
  const before = [sessions.messages(id), sessions.session(id)];
  store.database.close();
  rmSync(join(store.directory, "sessions"), { recursive: true });
  asEarlier(path);
  {
    using database = new Database(path);
    database.run("INSERT INTO state VALUES ('session:20260218', '2')");
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  spoil(path, pagesOf(path, "messages_of_session"));
  expect(reopen(store)).toHaveLength(4);
  expect(store.warnings).toHaveLength(1);
  expect([sessions.messages(id), sessions.session(id)]).toEqual(before);
  expect(sessions.unsummarised(() => true)).toEqual([]);
  expect(await store.ask("looked", { filter: { kinds: ["summary"] } })).toEqual(["They looked."]);
  const next = await sessions.begin({ chat: "main", title: null, day: "2026-02-18", openedBy: null }, [
    { ...SPOKEN, role: "user" },
  ]);
  expect(next.id).toBe("session_20260218_003");
});

test("SESS-1: damaged details are kept if they parse as JSON, and never cost a message", async () => {
  const { store } = await damagedStore((path) => {
    using database = new Database(path);
    database.query("UPDATE messages SET details = ? WHERE id = 3").run('{"model": "m\ufffd"}');
    database.query("UPDATE messages SET role = 'tool', details = ? WHERE id = 4").run('{"model": "cut off');
    database.run("DELETE FROM chunks WHERE source = '4'");
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    spoil(path, pagesOf(path, "messages_of_session", "internal"));
  });
  const expected = allSaid(COUNT).map((one) => (one.id === 4 ? { ...one, role: "tool" } : one));
  expect(reopen(store)).toEqual(expected);
  expect(store.sessions.message(3)?.details).toEqual({ model: "m\ufffd" });
  expect(store.sessions.message(4)?.details).toEqual({});
});

const SPOKEN = {
  speaker: null,
  content: "Looked at it",
  timestamp: "2026-02-18T09:30:00.000Z",
  token_count: null,
};
