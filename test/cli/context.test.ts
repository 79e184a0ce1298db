import { expect, test } from "bun:test";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OPENING } from "../../src/context/fence.ts";
import { localDay } from "../../src/util/days.ts";
import { Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";

const ENV = { RETAIN_EMBEDDING: "none" };
const HOUR_MS = 3_600_000;

/** As a person does it, in an editor. */
function write(file: string, content: string | Uint8Array, age = 0): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const time = new Date(Date.now() - age);
  utimesSync(file, time, time);
}

function filled(): Sandbox {
  const box = new Sandbox();
  const home = (path: string, content: string, age = 0) =>
    write(join(box.memory, "memories", path), content, age);
  box.ok(["init"]);
  home("USER.md", "- Name: Ada\n");
  home("MEMORY.md", "# Memory\n\n- Deploys on Fridays\n");
  home(`${localDay(new Date().toISOString())}.md`, "## 09:00 - Mirror\nThe mirror is ordered.\n");
  home("2020-01-01.md", "## 09:00 - Dome\nThe dome was painted.\n");
  write(join(box.work, ".retain/memories/MEMORY.md"), "- Orion is a telescope\n");
  write(join(box.work, ".retain/memories/working/s1.md"), "- Topic: mirrors\n", 2 * HOUR_MS + 60_000);
  write(join(box.work, ".retain/memories/working/s0.md"), "- Topic: ages ago\n", 9 * 24 * HOUR_MS);
  return box;
}

test("CTX-1: the command prints the prompt, in order, joined by lines of dashes", () => {
  const box = filled();
  const { stdout } = box.ok(["context", "--query", "the dome", "--session", "s1"]);
  const parts = stdout.trimEnd().replaceAll(OPENING, "").split("\n\n---\n\n");
  expect(parts.map((part) => part.split("\n")[0])).toEqual([
    expect.stringContaining("You are a helpful assistant"),
    "## Memory",
    "### User",
    "### Long-term memory",
    "### Long-term memory (this project)",
    "### Recent notes",
    "### Working memory (this project, updated 2 hours ago)",
    "### Relevant memories",
  ]);
  expect(parts.at(-1)).toContain("inferred: The dome was painted.");
});

test("CTX-11: --json reports the state of each part", () => {
  const box = filled();
  const { json, stderr } = box.ok(
    ["context", "--session", "s0", "--chat", "work", "--budget", "900", "--json"],
    {
      env: ENV,
    },
  );
  expect(stderr).toBe("");
  const { text, tokens, budget, parts } = json.data;
  expect([json.command, budget, json.warnings]).toEqual(["context", 900, []]);
  expect(tokens).toBeGreaterThan(500);
  expect(text).toContain("### User\n\n- Name: Ada");
  expect(parts.map(({ name, included, shortened, why }: never) => [name, included, shortened, why])).toEqual([
    ["base", true, false, null],
    ["marks", true, false, null],
    ["user", true, false, null],
    ["memory", true, false, null],
    ["memory", true, false, null],
    ["logs", true, false, null],
    ["working", false, false, expect.stringMatching(/\b9 days ago.*\b7 days/)],
    ["relevant", false, false, "no query"],
  ]);
  expect(parts[2]).toEqual({
    name: "user",
    title: "User",
    tokens: expect.any(Number),
    included: true,
    shortened: false,
    why: null,
    path: join(box.memory, "memories/USER.md"),
  });
  expect(parts.filter(({ path }: never) => path === undefined)).toHaveLength(4);
});

test("CTX-11: stderr lists omitted parts, all parts with --verbose, and nothing with --quiet", () => {
  const box = filled();
  const args = ["context", "--session", "s0"];
  const plain = box.ok(args);
  expect(plain.stderr).toMatch(/^left out: Working memory \(this project\): .*\b9 days ago.*\b7 days\n$/);
  expect(box.ok([...args, "--query", "submarines"]).stderr).toContain(
    "left out: Relevant memories: nothing found\n",
  );
  const quiet = box.ok([...args, "--quiet"]);
  expect([quiet.stdout, quiet.stderr]).toEqual([plain.stdout, ""]);
  const verbose = box.ok([...args, "--verbose"]);
  expect(verbose.stdout).toBe(plain.stdout);
  expect(verbose.stderr).toMatch(/^PART +TOKENS +IN +FILE +WHY$/m);
  expect(verbose.stderr).toMatch(/^User +\d+ +yes +\S+\/memories\/USER\.md$/m);
  expect(verbose.stderr).toMatch(/^Working memory \(this project\) +0 +no +\S+s0\.md +stale/m);
  expect(verbose.stderr).toMatch(/^Relevant memories +0 +no +no query$/m);
  expect(verbose.stderr).toMatch(/^\d+ of 8000 tokens$/m);
});

test("CTX-11: a shortened part is reported too", () => {
  const box = new Sandbox();
  const facts = Array.from({ length: 60 }, (_, index) => `- Fact number ${index} of them\n`);
  write(join(box.memory, "memories/MEMORY.md"), facts.join(""));
  const { stderr, stdout } = box.ok(["context", "--budget", "900"]);
  expect(stderr).toMatch(/^shortened: Long-term memory: does not fit .*\d+ tokens.*\d+/m);
  expect(stdout).toContain(": Fact number 59 of them\n");
  expect(stdout).not.toContain("Fact number 0 of");
});

test("CTX-11: a budget that is too small exits with 2 and says how much is needed", () => {
  const box = new Sandbox();
  const { exitCode, stdout, stderr } = box.run(["context", "--budget", "50"]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  const least = /--budget (\d+)/.exec(stderr)?.[1] ?? "";
  expect(box.ok(["context", "--budget", least]).stdout).toContain("[MEMORY]");
  for (const wrong of ["0", "many", "1.5"]) expect(box.run(["context", "--budget", wrong]).exitCode).toBe(2);
});

test("CTX-2: on an empty machine it prints the instructions and creates nothing", () => {
  const box = new Sandbox();
  const { stdout } = box.ok(["context", "--query", "anything"]);
  expect(stdout).toContain("<memory>Short title: fact to remember</memory>");
  expect(stdout).toContain("[MEMORY] ");
  expect(stdout.split("\n\n---\n\n")).toHaveLength(2);
  expect(box.tree(box.root)).toEqual([]);
});

test("FACT-17: private parts of a file stay out", () => {
  const box = new Sandbox();
  mkdirSync(join(box.memory, "memories"), { recursive: true });
  writeFileSync(
    join(box.memory, "memories/USER.md"),
    "- Name: Jamie\n<private>\n- my diagnosis\n</private>\n",
  );
  const { stdout } = box.ok(["context"]);
  expect(stdout).toContain("Name: Jamie");
  expect(stdout).not.toContain("diagnosis");
});

test("FACT-17: invalid chat and session names exit with 2 and reach no other path", () => {
  const box = filled();
  for (const name of ["../../etc", "a/b", "", "."])
    for (const option of ["--chat", "--session"]) {
      const { exitCode, stdout } = box.run(["context", option, name]);
      expect([exitCode, stdout]).toEqual([2, ""]);
    }
});

test("FACT-17: a link out of the workspace is not followed, and is reported", () => {
  const box = filled();
  const secret = box.write("secret.md", "- A private thing\n");
  Bun.spawnSync(["ln", "-s", secret, join(box.memory, "memories/linked.md")]);
  Bun.spawnSync(["ln", "-s", secret, join(box.memory, "memories/models.md")]);
  mkdirSync(join(box.memory, "context"));
  Bun.spawnSync(["ln", "-s", secret, join(box.memory, "context/system_prompt.md")]);
  const { stdout, stderr } = box.ok(["context"]);
  expect(stdout).not.toContain("private thing");
  expect(stdout).toContain("You are a helpful assistant");
  expect(stderr).toMatch(/left out: linked: .*linked\.md .*outside the workspace/);
});

test("CTX-1: facts marked in a reply are in the next context", () => {
  const box = new Sandbox();
  const stdin =
    "Sure.\n\n[MEMORY] Prefers tea over coffee\n\n<working-memory>\n- Topic: drinks\n</working-memory>\n" +
    "<memory>Order: two pots were ordered</memory>\n<chat-memory>Cup: the blue cup is chipped</chat-memory>\n";
  box.ok(["ingest", "-", "--session", "s1", "--chat", "kitchen"], { stdin });
  const { stdout } = box.ok(["context", "--session", "s1", "--chat", "kitchen"]);
  for (const kept of [
    ": Prefers tea over coffee",
    "(updated just now)\n\n- Topic: drinks",
    "two pots",
    "blue cup",
  ])
    expect(stdout).toContain(kept);
  const elsewhere = box.ok(["context"]).stdout;
  expect(elsewhere).toContain("two pots");
  for (const own of ["Topic: drinks", "blue cup"]) expect(elsewhere).not.toContain(own);
});

test("CTX-1: relevant memories are found by meaning too", () => {
  const box = new Sandbox(WITH_MEANING);
  write(
    join(box.memory, "memories/2020-01-01.md"),
    "## 09:00 - Pet\nBiscuit, the border collie puppy, sleeps.\n",
  );
  const { stdout } = box.ok(["context", "--query", "what is our dog called"]);
  expect(stdout).toContain("Biscuit, the border collie puppy, sleeps.");
});
