/** SIGKILL at random moments. Some dozens of times in the ordinary tests, hundreds with `bun run fire`. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentOf, parseMarkdown } from "../../src/core/frontmatter.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const ROUNDS = process.env.RETAIN_FIRE ? 400 : 40;

interface Acknowledged {
  version: number;
  hash: string;
  /** A delete was under way or acknowledged after this. */
  deleted: boolean;
}

/** Lets a writer run until it is killed; returns what it had said by then. */
async function runAndKill(
  sandbox: Sandbox,
  seed: number,
  acknowledged: Map<string, Acknowledged>,
): Promise<void> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "writer.ts"), String(seed)], {
    cwd: sandbox.work,
    env: sandbox.env(),
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines = 1 + Math.floor(Math.random() * 12);
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true });
    if (said.split("\n").length <= lines) continue;
    await Bun.sleep(Math.random() * 4);
    child.kill("SIGKILL");
  }
  await child.exited;
  for (const line of said.split("\n").slice(0, -1)) {
    const [verb, id = "", version, hash = ""] = line.split(" ");
    const known = acknowledged.get(id);
    if (verb === "delete" && known) acknowledged.set(id, { ...known, deleted: true });
    else acknowledged.set(id, { version: Number(version), hash, deleted: false });
  }
}

test("DUR-1: after SIGKILL at any moment every document is whole, and nothing acknowledged is lost", async () => {
  const sandbox = new Sandbox();
  const acknowledged = new Map<string, Acknowledged>();
  for (let round = 0; round < ROUNDS; round++) {
    await runAndKill(sandbox, round, acknowledged);
    for (const [id, { version, hash }] of acknowledged) {
      const path = sandbox.path("memory", id);
      if (!existsSync(path)) sandbox.ok(["restore", id]);
      const file = parseMarkdown(readFileSync(path, "utf8"));
      expect(file.problem).toBeNull();
      const content = contentOf(file);
      expect(content).toEndWith("end\n");
      const now = Number(file.fields.version);
      expect(now).toBeGreaterThanOrEqual(version);
      if (now === version) expect(String(Bun.hash(content))).toBe(hash);
      acknowledged.set(id, { version: now, hash: String(Bun.hash(content)), deleted: false });
    }
    const listed = sandbox.ok(["list", "--json"]).json.data.documents as { id: string; version: number }[];
    for (const { id, version } of listed) expect(version).toBe(acknowledged.get(id)?.version ?? version);
  }
  expect(acknowledged.size).toBe(5);
}, 600_000);

test("DUR-3: unfinished writes are not documents, and are cleared away", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "a"], { stdin: "# A\n" });
  const directory = join(sandbox.memory, "collections/memory");
  writeFileSync(join(directory, ".tmp-4242-left-over"), "half a docu");
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("a\n");
  expect(readdirSync(directory).sort()).toEqual(["a.md"]);
});
