/** Many processes on one workspace. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseMarkdown } from "../../src/core/documents/frontmatter.ts";
import { openRetain, type Retain } from "../../src/index.ts";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const PROCESSES = 8;
const ROUNDS = process.env.RETAIN_FIRE ? 60 : 3;

test("DUR-2: eight processes that put and update at once lose nothing", async () => {
  const sandbox = new Sandbox();
  const work = Array.from({ length: PROCESSES }, async (_, worker) => {
    for (let round = 0; round < ROUNDS; round++) {
      const own = sandbox.start(["put", "-", "--id", `own-${worker}-${round}`], {
        stdin: `# Own\n\n${worker}.${round}\n`,
      });
      const shared = sandbox.start(["put", "-", "--id", "shared", "--json"], {
        stdin: `# Shared\n\n${worker}.${round}\n`,
      });
      for (const child of [own, shared]) {
        const [code, said, problems] = await Promise.all([
          child.exited,
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
        ]);
        if (code !== 0) throw new Error(said + problems);
        expect(problems).toBe("");
      }
    }
  });
  await Promise.all(work);
  const { total, documents } = sandbox.ok(["list", "--json"]).json.data;
  expect(total).toBe(PROCESSES * ROUNDS + 1);
  expect(documents.filter((row: { version: number }) => row.version === 1)).toHaveLength(PROCESSES * ROUNDS);
  const { version, version_history } = parseMarkdown(sandbox.document("memory", "shared")).fields;
  expect(version).toBe(PROCESSES * ROUNDS);
  const numbers = (version_history as { version: number }[]).map((entry) => entry.version);
  expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => PROCESSES * ROUNDS - 9 + index));
}, 600_000);

test("DUR-2: all tags that eight processes merge into one document are there", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "tagged"], { stdin: "# T\n" });
  const children = Array.from({ length: PROCESSES * 2 }, (_, index) =>
    sandbox.start(["update", "tagged", "--tags", `t${index}`, "--merge-tags"]),
  );
  for (const child of children) expect(await child.exited).toBe(0);
  const { tags, version } = parseMarkdown(sandbox.document("memory", "tagged")).fields;
  expect((tags as string[]).sort()).toEqual(
    Array.from({ length: PROCESSES * 2 }, (_, index) => `t${index}`).sort(),
  );
  expect(version).toBe(PROCESSES * 2 + 1);
}, 600_000);

test("DUR-2: of eight updates that expect version 1, one succeeds and seven are rejected", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "guarded"], { stdin: "# G\n" });
  const children = Array.from({ length: PROCESSES }, (_, index) =>
    sandbox.start(["update", "guarded", "--tags", `t${index}`, "--if-version", "1"]),
  );
  const codes = await Promise.all(children.map((child) => child.exited));
  expect(codes.sort()).toEqual([0, ...Array.from({ length: PROCESSES - 1 }, () => 3)]);
}, 600_000);

test("DUR-2: processes that all hit a damaged database continue and lose nothing", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "there"], { stdin: "# There\n" });
  for (let round = 0; round < (process.env.RETAIN_FIRE ? 40 : 5); round++) {
    for (const suffix of ["-wal", "-shm"])
      rmSync(join(sandbox.memory, `retain.db${suffix}`), { force: true });
    writeFileSync(join(sandbox.memory, "retain.db"), "not a database ".repeat(1_000));
    const children = Array.from({ length: PROCESSES }, (_, worker) =>
      sandbox.start(["put", "-", "--id", `d-${round}-${worker}`, "--json"], { stdin: `# D\n\n${worker}\n` }),
    );
    for (const child of children) {
      const [code, said] = await Promise.all([child.exited, new Response(child.stdout).text()]);
      if (code !== 0) throw new Error(said);
    }
    expect(sandbox.ok(["list", "--json"]).json.data.total).toBe(1 + PROCESSES * (round + 1));
  }
}, 600_000);

test("DUR-2: the lock holds even if the database is removed", async () => {
  const sandbox = new Sandbox();
  const holder = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() });
  await holder.documents.put({ content: "# A", id: "a" });
  for (const suffix of ["", "-wal", "-shm"])
    rmSync(join(sandbox.memory, `retain.db${suffix}`), { force: true });
  sandbox.ok(["put", "-", "--id", "b"], { stdin: "# B\n" });
  // The holder's database is gone: it must not write under the old lock, which excludes nobody.
  const other = new WorkspaceDatabase(
    join(sandbox.memory, "retain.db"),
    () => {},
    () => {},
  );
  const writing = other.tryExclusively(() => holderIsExcluded(holder, sandbox));
  expect(writing?.result).toBe(true);
  other.close();
  await holder.documents.put({ content: "# C", id: "c" });
  expect(sandbox.ok(["list", "-q", "--sort", "id"]).stdout).toBe("a\nb\nc\n");
  holder.close();
});

/** Whether a write that starts now has changed nothing when this returns. */
function holderIsExcluded(holder: Retain, sandbox: Sandbox): boolean {
  void holder.documents.put({ content: "# D", id: "d" }).catch(() => {});
  return !existsSync(sandbox.path("memory", "d"));
}

testNeeding("/proc/locks")("DUR-2: opening the database twice in one process releases no lock", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "a"], { stdin: "# A\n" });
  const path = join(sandbox.memory, "retain.db");
  const ignore = () => {};
  const first = new WorkspaceDatabase(path, ignore, ignore);
  const held = first.tryExclusively(() => {
    const second = new WorkspaceDatabase(path, ignore, ignore);
    second.read(null, () => null);
    const locks = readFileSync("/proc/locks", "utf8").split("\n");
    second.close();
    return locks.filter((line) => line.includes(`:${statSync(path).ino} `)).length;
  });
  first.close();
  expect(held?.result).toBeGreaterThan(0);
});

test("DUR-2: list does not wait for a writer", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "a"], { stdin: "# A\n" });
  const holder = new WorkspaceDatabase(
    join(sandbox.memory, "retain.db"),
    () => {},
    () => {},
  );
  const listed = holder.tryExclusively(() => {
    writeFileSync(join(sandbox.memory, "collections/memory/b.md"), "# B\n");
    return sandbox.ok(["list", "-q", "--sort", "id"]).stdout;
  });
  holder.close();
  expect(listed?.result).toBe("a\nb\n");
});
