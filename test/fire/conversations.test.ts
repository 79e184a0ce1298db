/** Conversation writers that are killed while their index is removed: every acknowledged message stays. */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterThisTest } from "../helpers/clean-up.ts";
import { seededRandom } from "../helpers/seed.ts";
import { sessionsAt } from "../helpers/sessions-at.ts";
import { report, sizeOf } from "./report.ts";

/**
 * After this many rounds all writers are killed and every acknowledged message is checked, because a reader next to a writer may
 * answer before the rows are complete. The next rounds start without conversations, since every rebuild reads all of them.
 */
const ROUNDS_EACH = 10;
/** Each round removes retain.db and kills one writer. */
const ROUNDS = sizeOf("RETAIN_FIRE_ROUNDS", ROUNDS_EACH);
const WRITERS = 4;
const random = seededRandom();

/** Adds messages to a shared session and to its own, and prints what was acknowledged. */
const WRITER = `
  import { sessionsAt } from "${join(import.meta.dir, "../helpers/sessions-at.ts")}";
  const [root, worker] = process.argv.slice(-2);
  const { sessions } = sessionsAt(root, () => {});
  const parent = process.ppid;
  for (let number = 0; process.ppid === parent; number++) {
    const id = number % 3 === 0 ? "shared" : "of-" + worker;
    const content = worker + " says " + number;
    const said = { role: "user", speaker: null, content, timestamp: "2026-11-15T10:00:00Z", token_count: null };
    const [added] = await sessions.append({ id, chat: "main", title: null }, [said]);
    process.stdout.write(JSON.stringify({ session: id, id: added.id, content }) + "\\n");
  }
`;

interface Acknowledged {
  readonly session: string;
  readonly id: number;
  readonly content: string;
}

test("INDEX-3: writers killed while retain.db is repeatedly removed lose no acknowledged message", async () => {
  let acknowledged = 0;
  for (let done = 0; done < ROUNDS; done += ROUNDS_EACH)
    acknowledged += await killAndRemove(Math.min(ROUNDS_EACH, ROUNDS - done));
  report({
    what: "killed writers of conversations, retain.db removed",
    runs: ROUNDS,
    acknowledged,
    lost: 0,
    failures: 0,
  });
}, 7_200_000);

/** Returns the number of acknowledged messages. */
async function killAndRemove(rounds: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "retain-fire-"));
  afterThisTest(() => rmSync(root, { recursive: true }));
  const acknowledged: Acknowledged[] = [];
  let started = 0;
  const start = () => {
    const child = Bun.spawn([process.execPath, "-e", WRITER, root, String(started++)], {
      stdout: "pipe",
      stderr: "inherit",
    });
    afterThisTest(() => child.kill("SIGKILL"));
    return { child, ended: listen(child.stdout, acknowledged) };
  };
  const kill = ({ child, ended }: ReturnType<typeof start>) => {
    child.kill("SIGKILL");
    return ended;
  };
  const writers = Array.from({ length: WRITERS }, start);
  for (let round = 0; round < rounds; round++) {
    const before = acknowledged.length;
    while (acknowledged.length < before + WRITERS * 3) {
      if (writers.some(({ child }) => child.exitCode !== null)) throw new Error("A writer gave up");
      await Bun.sleep(2);
    }
    for (const name of readdirSync(root))
      if (name.startsWith("retain.db")) rmSync(join(root, name), { force: true });
    // During the rebuild or a write.
    await Bun.sleep(random() * 20);
    await Promise.all(writers.splice(0, 1).map(kill));
    writers.push(start());
  }
  await Promise.all(writers.map(kill));
  expect(missing(root, acknowledged)).toEqual([]);
  expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);
  return acknowledged.length;
}

/** The acknowledged messages that a later process doesn't find unchanged. */
function missing(root: string, acknowledged: readonly Acknowledged[]): Acknowledged[] {
  using at = sessionsAt(root);
  return acknowledged.filter(({ session, id, content }) => {
    const found = at.sessions.message(id);
    return found?.session !== session || found.content !== content;
  });
}

/** Records a writer's output line by line, ignoring a truncated last line. */
async function listen(stdout: ReadableStream<Uint8Array>, acknowledged: Acknowledged[]): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of stdout) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) acknowledged.push(JSON.parse(line));
  }
}
