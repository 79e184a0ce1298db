/** A database with the old schema, created by the old SQL, and its conversations. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SqliteCare } from "../../src/sqlite/database/care.ts";
import { ME, said, talk } from "../helpers/conversations.ts";
import { pagesOf, setAsideIn, spoil } from "../helpers/damage.ts";
import { Store } from "../helpers/store.ts";

const EARLIER = readFileSync(join(import.meta.dir, "earlier-shape.sql"), "utf8");
const COUNT = 200;

/** A store with a database of the earlier version: messages of three sessions, the last three deleted. */
function earlier(change: (database: Database) => void = () => {}): Store {
  const store = new Store();
  using database = new Database(join(store.directory, "retain.db"));
  database.run("PRAGMA journal_mode = WAL");
  database.run(EARLIER);
  const session = database.query(
    "INSERT INTO sessions (id, chat, title, summary, created_at, updated_at, tags) VALUES (?, ?, ?, ?, '', ?, ?)",
  );
  for (const id of ["a", "b", "c"])
    session.run(id, id === "c" ? "work" : "main", `Title ${id}`, null, id, '["t"]');
  const message = database.query(
    "INSERT INTO messages (session_id, chat, role, speaker, content, timestamp, token_count) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  for (let number = 1; number <= COUNT + 3; number++) message.run(...rowOf(number));
  database.run(`DELETE FROM messages WHERE id > ${COUNT}`);
  change(database);
  return store;
}

function rowOf(number: number): [string, string, string, string | null, string, string, number | null] {
  const session = ["a", "b", "c"][number % 3] ?? "a";
  const role = ["user", "assistant", "system"][number % 7 === 0 ? 2 : number % 2] ?? "user";
  const speaker = number % 5 === 0 ? "Ada" : null;
  const time = new Date(1_700_000_000_000 + number * 60_000).toISOString();
  return [
    session,
    session === "c" ? "work" : "main",
    role,
    speaker,
    `Message ${number}`,
    time,
    number % 4 || null,
  ];
}

const COLUMNS = "session_id, chat, role, speaker, content, timestamp, token_count";

function messagesIn({ database }: Store): unknown[][] {
  return database.read([], (rows) => rows.query(`SELECT id, ${COLUMNS} FROM messages ORDER BY id`).values());
}

const ALL = Array.from({ length: COUNT }, (_, index) => [index + 1, ...rowOf(index + 1)]);

test("SESS-1: a database with the old schema keeps every message, and no number is reused", async () => {
  const store = earlier();
  expect(messagesIn(store)).toEqual(ALL);
  expect(store.warnings).toEqual([]);
  const { sessions } = store;
  expect(sessions.session("c")).toMatchObject({
    chat: "work",
    title: "Title c",
    tags: ["t"],
    openedBy: null,
  });
  expect(sessions.unsummarised(() => false).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  const [added] = await sessions.append({ id: "a", chat: "main", title: null }, [said("tool", "A result")]);
  expect(added).toMatchObject({ id: COUNT + 4, role: "tool", details: {} });
  expect(sessions.messages("b").every(({ details }) => Object.keys(details).length === 0)).toBe(true);
  expect((await sessions.begin(ME, talk("Hello"))).messages[0]?.id).toBe(COUNT + 5);
  expect(new SqliteCare(store.database).check().problems).toEqual([]);
});

test("SESS-1: so does one without messages, deleted or never stored", async () => {
  const emptied = earlier((database) => database.run("DELETE FROM messages"));
  expect((await emptied.sessions.begin(ME, talk("Hello"))).messages[0]?.id).toBe(COUNT + 4);
  const unused = earlier((database) => {
    for (const table of ["messages", "sessions", "sqlite_sequence"]) database.run(`DELETE FROM ${table}`);
  });
  expect((await unused.sessions.begin(ME, talk("Hello"))).messages[0]?.id).toBe(1);
});

test("SESS-1: a damaged one with the old schema is moved aside, and its messages are recovered", async () => {
  const damages: Record<string, (store: Store) => void> = {
    "a page of messages": ({ directory }) => {
      const path = join(directory, "retain.db");
      spoil(path, pagesOf(path, "messages_of_session"));
    },
    "a row that no table takes": ({ directory }) => {
      using database = new Database(join(directory, "retain.db"));
      database.run("PRAGMA ignore_check_constraints = ON");
      database.run("UPDATE messages SET role = 'nobody' WHERE id = 5");
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    const store = earlier((database) => database.run("PRAGMA wal_checkpoint(TRUNCATE)"));
    damage(store);
    store.sessions.sync();
    const expected = ALL.filter(([id]) => name === "a page of messages" || id !== 5);
    expect([name, messagesIn(store)]).toEqual([name, expected]);
    expect(setAsideIn(store.directory)).toHaveLength(1);
    expect(store.warnings[0]).toContain(`${expected.length} messages from 3 sessions were recovered`);
    expect((await store.sessions.begin(ME, talk("Hello"))).messages[0]?.id).toBeGreaterThan(COUNT + 3);
  }
});
