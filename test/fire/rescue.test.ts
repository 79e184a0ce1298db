/** Many processes on a damaged database with conversations, and SIGKILL during recovery. */
import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundled } from "../helpers/bundled.ts";
import {
  allSaid,
  databaseFiles,
  imageOf,
  messagesIn,
  pagesOf,
  setAsideIn,
  spoil,
} from "../helpers/damage.ts";
import { seededRandom } from "../helpers/seed.ts";
import { sessionsAt } from "../helpers/sessions-at.ts";

const PROCESSES = 8;
const ROUNDS = process.env.RETAIN_FIRE ? 40 : 3;
const KILLS = process.env.RETAIN_FIRE ? 200 : 12;
const COUNT = 300;
const random = seededRandom();

/** Adds messages to its own session and prints what was acknowledged. */
const WRITER = await bundled(
  "message-writer",
  `
  import { dirname } from "node:path";
  import { sessionsAt } from "${join(import.meta.dir, "../helpers/sessions-at.ts")}";
  async function write(path, worker, count) {
    const { sessions, database } = sessionsAt(dirname(path), (message) => console.log(JSON.stringify({ message })));
    for (let number = 0; number < Number(count); number++) {
      const content = "Number " + number + " of worker " + worker;
      const said = { role: "user", speaker: null, content, timestamp: "2026-11-15T10:00:00Z", token_count: null };
      const [added] = await sessions.append({ id: "of-" + worker, chat: "main", title: null }, [said]);
      console.log(JSON.stringify({ id: added.id, content: added.content }));
      sessions.messages("of-" + worker);
    }
    database.close();
  }
  void write(...process.argv.slice(2));
`,
);

interface Line {
  message?: string;
  id?: number;
  content?: string;
}

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function workspace(image?: Uint8Array): { directory: string; path: string } {
  const directory = mkdtempSync(join(tmpdir(), "retain-rescue-"));
  directories.push(directory);
  const path = join(directory, "retain.db");
  if (image !== undefined) writeFileSync(path, image);
  return { directory, path };
}

function start(path: string, worker: number, count: number) {
  return Bun.spawn([process.execPath, WRITER, path, String(worker), String(count)], {
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function outcome(child: ReturnType<typeof start>): Promise<Line[]> {
  const [code, said, problems] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (code !== 0) throw new Error(problems);
  return said
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

function contentsIn(path: string): Map<number, string> {
  using at = sessionsAt(dirname(path), () => {});
  at.sessions.sync();
  return new Map(messagesIn(at.database).map(({ id, content }) => [id, content]));
}

test("RESCUE-5: of eight processes that hit a damaged database one recovers it, and none loses data", async () => {
  const image = await imageOf(COUNT);
  for (let round = 0; round < ROUNDS; round++) {
    const { directory, path } = workspace(image);
    spoil(path, pagesOf(path, "messages").slice(3, 4));
    spoil(path, pagesOf(path, "messages_of_session", "internal"));
    const children = Array.from({ length: PROCESSES }, (_, worker) => start(path, worker, 10));
    const lines = (await Promise.all(children.map(outcome))).flat();
    const told = lines.flatMap(({ message }) => message ?? []);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`${COUNT} messages from 5 sessions were recovered.`);
    expect(setAsideIn(directory)).toHaveLength(1);
    expect(databaseFiles(directory)).toHaveLength(2);
    const contents = contentsIn(path);
    for (const { id, content } of allSaid(COUNT)) expect(contents.get(id)).toBe(content);
    const stored = lines.filter(({ id }) => id !== undefined);
    expect(stored).toHaveLength(PROCESSES * 10);
    for (const { id = 0, content = "" } of stored) expect(contents.get(id)).toBe(content);
    expect(contents.size).toBe(COUNT + PROCESSES * 10);
  }
}, 600_000);

test("RESCUE-5: damage while eight processes write loses nothing that was stored", async () => {
  const image = await imageOf(COUNT);
  for (let round = 0; round < ROUNDS; round++) {
    const { directory, path } = workspace(image);
    // The same page in every database: the index's root.
    const pages = pagesOf(path, "messages_of_session", "internal");
    const children = Array.from({ length: PROCESSES }, (_, worker) => start(path, worker, 30));
    const outcomes = Promise.all(children.map(outcome));
    // A write gives up after the third damage.
    for (let blow = 0; blow < 2; blow++) {
      await Bun.sleep(100 + random() * 100);
      // The file is missing for a moment while it is replaced.
      if (existsSync(path)) spoil(path, pages);
    }
    const lines = (await outcomes).flat();
    const contents = contentsIn(path);
    for (const { id, content } of allSaid(COUNT)) expect(contents.get(id)).toBe(content);
    for (const { id, content } of lines) if (id !== undefined) expect(contents.get(id)).toBe(content);
    expect(databaseFiles(directory).filter((name) => /\.(?:new|scratch)/.test(name))).toEqual([]);
  }
}, 600_000);

/** Holds a change open for a moment, as a process that has not hit the damage. */
const CHANGER = `
  import { Database } from "bun:sqlite";
  const database = new Database(process.argv.at(-1));
  database.run("BEGIN IMMEDIATE");
  database.run("INSERT INTO messages (id, session_id, role, content, timestamp) VALUES (1000, 'late', 'user', 'Late', '')");
  console.log("begun");
  await Bun.sleep(300);
  database.run("COMMIT");
`;

test("RESCUE-5: recovery waits for another process's change and includes it", async () => {
  const { path } = workspace(await imageOf(50));
  const child = Bun.spawn([process.execPath, "-e", CHANGER, path], { stdout: "pipe" });
  await child.stdout.getReader().read();
  spoil(path, pagesOf(path, "messages_of_session"));
  expect(contentsIn(path).get(1000)).toBe("Late");
  expect(await child.exited).toBe(0);
});

test("RESCUE-5: after SIGKILL at any moment of a recovery, the next process has every message once", async () => {
  const image = await imageOf(COUNT);
  for (let kill = 0; kill < KILLS; kill++) {
    const { directory, path } = workspace(image);
    spoil(path, pagesOf(path, "messages").slice(3, 4));
    spoil(path, pagesOf(path, "messages_of_session", "internal"));
    const child = start(path, 0, 1);
    await Bun.sleep(30 + random() * 150);
    child.kill("SIGKILL");
    await child.exited;
    const contents = contentsIn(path);
    for (const { id, content } of allSaid(COUNT)) expect(contents.get(id)).toBe(content);
    expect([COUNT, COUNT + 1]).toContain(contents.size);
    expect(setAsideIn(directory)).toHaveLength(1);
    expect(databaseFiles(directory).filter((name) => /\.(?:new|scratch)/.test(name))).toEqual([]);
  }
}, 600_000);
