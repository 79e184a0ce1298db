/** Writers of conversations that are killed, and whose index is taken away under them: every acknowledged message stays. */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterThisTest } from "../helpers/clean-up.ts";
import { sessionsAt } from "../helpers/sessions-at.ts";
import { report, sizeOf } from "./report.ts";

const ROUNDS = sizeOf("RETAIN_FIRE_ROUNDS", 3);
const WRITERS = 4;
const REMOVALS = 5;

/** Adds messages to a session that all share and to one of its own, and says what it was told is stored. */
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

test("CONV-9: writers that are killed while somebody removes retain.db again and again lose no acknowledged message", async () => {
  const root = mkdtempSync(join(tmpdir(), "retain-fire-"));
  afterThisTest(() => rmSync(root, { recursive: true }));
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = acknowledged.length;
    const children = Array.from({ length: WRITERS }, (_, worker) =>
      Bun.spawn([process.execPath, "-e", WRITER, root, `${round}-${worker}`], {
        stdout: "pipe",
        stderr: "inherit",
      }),
    );
    const listening = children.map(({ stdout }) => listen(stdout, acknowledged));
    for (let removal = 0; removal < REMOVALS; removal++) {
      const seen = acknowledged.length;
      while (acknowledged.length < seen + WRITERS * 3) {
        if (children.some(({ exitCode }) => exitCode !== null)) throw new Error("A writer gave up");
        await Bun.sleep(2);
      }
      for (const name of readdirSync(root))
        if (name.startsWith("retain.db")) rmSync(join(root, name), { force: true });
    }
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(listening);
    expect(missing(root, acknowledged.slice(before))).toEqual([]);
  }
  expect(missing(root, acknowledged)).toEqual([]);
  expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);
  report({
    what: "killed writers of conversations, retain.db removed",
    runs: ROUNDS,
    acknowledged: acknowledged.length,
    lost: 0,
    failures: 0,
  });
}, 7_200_000);

/** Which of these a process that comes afterwards does not find as they were acknowledged. */
function missing(root: string, acknowledged: readonly Acknowledged[]): Acknowledged[] {
  const { sessions, database } = sessionsAt(root);
  try {
    return acknowledged.filter(({ session, id, content }) => {
      const found = sessions.message(id);
      return found?.session !== session || found.content !== content;
    });
  } finally {
    sessions.close();
    database.close();
  }
}

/** Takes down what a writer says, line by line; a last line that its death cut off does not count. */
async function listen(stdout: ReadableStream<Uint8Array>, acknowledged: Acknowledged[]): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of stdout) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) acknowledged.push(JSON.parse(line));
  }
}
