/** SIGKILL at random moments. Dozens of times in the normal tests, a thousand times with `bun run fire`. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentOf, parseMarkdown } from "../../src/core/documents/frontmatter.ts";
import { bundled } from "../helpers/bundled.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { seededRandom } from "../helpers/seed.ts";
import { report, sizeOf } from "./report.ts";

const WRITER = await bundled("document-writer", `import "${join(import.meta.dir, "writer.ts")}";`);
const ROUNDS = sizeOf("RETAIN_FIRE_ROUNDS", 30);

interface Acknowledged {
  version: number;
  hash: string;
  /** The delete was acknowledged. */
  deleted: boolean;
}

const random = seededRandom();

/** The number of acknowledged writes. */
let told = 0;

/** Runs a writer until it is killed; returns the document that it may have been writing. */
async function runAndKill(
  sandbox: Sandbox,
  round: number,
  acknowledged: Map<string, Acknowledged>,
): Promise<string> {
  const child = Bun.spawn([process.execPath, WRITER, String(round)], {
    cwd: sandbox.work,
    env: sandbox.env(),
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines = 1 + Math.floor(random() * 12);
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true });
    if (said.split("\n").length <= lines) continue;
    await Bun.sleep(random() * 4);
    child.kill("SIGKILL");
  }
  await child.exited;
  let last = 0;
  let current = `doc-${round % 5}`;
  for (const line of said.split("\n").slice(0, -1)) {
    told++;
    const [verb, id = "", version, hash = ""] = line.split(" ");
    const known = acknowledged.get(id);
    if (verb === "delete" && known) acknowledged.set(id, { ...known, deleted: true });
    else acknowledged.set(id, { version: Number(version), hash, deleted: false });
    if (verb === "put") last++;
    const undone = verb === "delete" || (verb === "put" && (last - 1) % 7 === 3);
    current = undone ? id : `doc-${(round + last) % 5}`;
  }
  return current;
}

test("DUR-1: after SIGKILL at any moment every document is whole, and nothing acknowledged is lost", async () => {
  const sandbox = new Sandbox();
  const acknowledged = new Map<string, Acknowledged>();
  for (let round = 0; round < ROUNDS; round++) {
    const interrupted = await runAndKill(sandbox, round, acknowledged);
    for (const [id, { version, hash, deleted }] of acknowledged) {
      const where = `round ${round}, ${id}`;
      const path = sandbox.path("memory", id);
      if (id !== interrupted) expect([where, existsSync(path)]).toEqual([where, !deleted]);
      if (!existsSync(path)) sandbox.ok(["restore", id]);
      const file = parseMarkdown(readFileSync(path, "utf8"));
      const content = contentOf(file);
      const now = Number(file.fields.version);
      expect([where, file.problem, content.endsWith("end\n")]).toEqual([where, null, true]);
      if (id !== interrupted) expect([where, now]).toEqual([where, version]);
      else expect(now).toBeGreaterThanOrEqual(version);
      if (now === version) expect([where, String(Bun.hash(content))]).toEqual([where, hash]);
      acknowledged.set(id, { version: now, hash: String(Bun.hash(content)), deleted: false });
    }
    const listed = sandbox.ok(["list", "--json"]).json.data.documents as { id: string; version: number }[];
    for (const { id, version } of listed) expect(version).toBe(acknowledged.get(id)?.version ?? version);
  }
  expect(acknowledged.size).toBe(5);
  report({ what: "killed writers", runs: ROUNDS, acknowledged: told, lost: 0, failures: 0 });
}, 3_600_000);

testNeeding("strace")(
  "DUR-1: old state linked, new file flushed, renamed, directory flushed, then acknowledged",
  () => {
    const sandbox = new Sandbox();
    sandbox.ok(["put", "-", "--id", "a"], { stdin: "# A\n" });
    const log = join(sandbox.root, "trace");
    const calls = "openat,fsync,fdatasync,rename,renameat,renameat2,link,linkat,write,writev,pwrite64";
    Bun.spawnSync(
      ["strace", "-f", "-y", "-o", log, "-e", `trace=${calls}`, RETAIN, "put", "-", "--id", "a"],
      {
        cwd: sandbox.work,
        env: sandbox.env(),
        stdin: new TextEncoder().encode("# A\n\nnew\n"),
      },
    );
    const trace = readFileSync(log, "utf8").split("\n");
    const collection = join(sandbox.memory, "collections/memory");
    const steps = [
      /link(?:at)?\(.*memory\/a\.md.*\/v1_/,
      new RegExp(`fsync\\(\\d+<${collection}/\\.versions/a>`),
      /fsync\(\d+<.*\/\.tmp-/,
      /rename(?:at2?)?\(.*\.tmp-.*\/a\.md/,
      new RegExp(`fsync\\(\\d+<${collection}>`),
      /write(?:v|64)?\(1<.*Replaced document/,
    ];
    let from = 0;
    for (const step of steps) {
      const at = trace.findIndex((line, index) => index >= from && step.test(line));
      expect([String(step), at >= from]).toEqual([String(step), true]);
      from = at + 1;
    }
  },
);

test("DUR-1: unfinished writes are not documents, and are removed", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "a"], { stdin: "# A\n" });
  const directory = join(sandbox.memory, "collections/memory");
  writeFileSync(join(directory, ".tmp-4242-left-over"), "half a docu");
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("a\n");
  expect(readdirSync(directory).sort()).toEqual(["a.md"]);
});
