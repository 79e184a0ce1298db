/** Forgetting words that documents and conversations say, and no fact or note stands for. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { conversation, talk } from "../helpers/conversations.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const WORDS = "meet me at the old mill";

async function filled(): Promise<{ sandbox: Sandbox; id: string }> {
  const sandbox = new Sandbox();
  const plan = `# Plan\n\nWe sail on Friday. Then Meet me at the\nold mill, alone. Bring rope.\n`;
  await sandbox.addDocument(plan, { id: "plan" });
  await sandbox.setUp(({ documents }) => documents.update("plan", { tags: ["sea"] }));
  await sandbox.addDocument("# Other\n\nThe new mill grinds corn.\n", { id: "other" });
  const id = await conversation(sandbox, talk(`Tell her to ${WORDS} at nine. And greet her.`, "I will."));
  return { sandbox, id };
}

/** Every file of the workspace that holds the words, the index included. */
function holding({ memory, tree }: Sandbox, sandbox: Sandbox): string[] {
  return tree
    .call(sandbox, memory)
    .filter((path) => readFileSync(join(memory, path), "latin1").includes("old mill"));
}

test("FORGET-22: words in documents and messages are shown with their positions, and nothing changes before confirmation", async () => {
  const { sandbox, id } = await filled();
  const dry = sandbox.ok(["forget", WORDS, "--dry-run", "--json"]).json.data.passages;
  expect(dry).toMatchObject([
    { kind: "document", where: "collections/memory/plan.md" },
    { kind: "message", where: id, at: 1, text: `Tell her to ${WORDS} at nine.` },
  ]);
  const asked = sandbox.run(["forget", WORDS]);
  expect(asked.exitCode).not.toBe(0);
  expect(asked.stderr).toContain("--passage --yes");
  expect(sandbox.run(["forget", WORDS, "--passage"]).exitCode).not.toBe(0);
  expect(holding(sandbox, sandbox)).toContain(`sessions/${id}.jsonl`);
});

test("FORGET-22: '--passage' removes the matching sentences, '--whole' the documents and messages", async () => {
  for (const extent of ["--passage", "--whole"]) {
    const { sandbox, id } = await filled();
    sandbox.ok(["forget", WORDS, extent, "--yes"]);
    expect([extent, holding(sandbox, sandbox)]).toEqual([extent, []]);
    const path = join(sandbox.memory, "collections/memory/plan.md");
    const said = sandbox.ok(["sessions", "show", id, "--json"]).json.data.conversation[0].content;
    if (extent === "--passage") {
      expect(readFileSync(path, "utf8")).toContain("We sail on Friday. [forgotten]");
      expect(readFileSync(path, "utf8")).toContain("Bring rope.");
      expect(said).toBe("[forgotten] And greet her.");
    } else {
      expect(existsSync(path)).toBe(false);
      expect(said).toBe("[forgotten]");
    }
    expect(sandbox.ok(["get", "other"]).stdout).toContain("The new mill");
    expect(sandbox.ok(["doctor"]).exitCode).toBe(0);
  }
});

test("FORGET-22: words without a match, and words that are too short, are reported and change nothing", async () => {
  const { sandbox } = await filled();
  expect(sandbox.run(["forget", "the green lighthouse keeper", "--whole", "--yes"]).exitCode).not.toBe(0);
  expect(sandbox.run(["forget", "me", "--passage", "--yes"]).exitCode).toBe(2);
  expect(holding(sandbox, sandbox)).not.toEqual([]);
});

test("FORGET-22: words that are too short show where they are and how to remove them, and the whole sentence does", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("The heron lives at the lake");
  await sandbox.addDocument("# Door\n\nThe gate code is 4711. Flight 147112 is late.\n", { id: "door" });
  const before = sandbox.document("memory", "door");
  for (const options of [[], ["--yes"], ["--passage", "--yes"], ["--whole", "--yes"]]) {
    const { exitCode, stdout, stderr } = sandbox.run(["forget", "4711", ...options]);
    expect([exitCode, stdout.match(/door\.md:.*/g)]).toEqual([
      2,
      [expect.stringContaining("The gate code is 4711.")],
    ]);
    expect(stderr).toContain("retain forget 'The gate code is 4711.' --passage");
  }
  expect(sandbox.ok(["forget", "4711", "--dry-run"]).stdout).toContain("--passage");
  expect(sandbox.document("memory", "door")).toBe(before);
  sandbox.ok(["forget", "The gate code is 4711.", "--passage", "--yes"]);
  expect(sandbox.ok(["get", "door"]).stdout).toContain("[forgotten] Flight 147112 is late.");
});

test("FORGET-1: places that contain the words come before similar facts, and a similar fact shares a word with them", async () => {
  const sandbox = new Sandbox();
  for (const fact of ["Works at Acme in Berlin", "Prefers dark mode", "Has the code of the garage"])
    await sandbox.addFact(fact);
  await conversation(sandbox, talk("My sister Eva lives in Graz", "I see."));
  for (const words of ["eva", "sister Eva"]) {
    const { json, stdout } = sandbox.run(["forget", words, "--yes", "--json"]);
    expect(json.data.passages).toMatchObject([{ kind: "message", text: "My sister Eva lives in Graz" }]);
    expect(stdout).not.toContain("Acme");
  }
  expect(sandbox.run(["forget", "submarine", "--yes", "--json"]).json.error.code).toBe("not_found");
  const { found } = sandbox.run(["forget", "entrance", "codes", "--yes", "--json"]).json.data;
  expect(found.map(({ text }: { text: string }) => text)).toEqual(["Has the code of the garage"]);
});

test("FORGET-1: words that name a fact and are in a document too name that document", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("The door code is kept by Anna");
  await sandbox.addDocument("# Door\n\nThe door code is 4711.\n", { id: "door" });
  for (const option of ["--dry-run", "--yes"])
    expect(sandbox.ok(["forget", "door code", option]).stdout).toContain("memory/door");
  expect(sandbox.ok(["forget", "door", "--yes"]).stdout).not.toContain("memory/door");
});

test("FORGET-22: a sentence that only an earlier version contains is found and removed", async () => {
  for (const extent of ["--passage", "--whole"]) {
    const { sandbox } = await filled();
    await sandbox.addDocument("# Plan\n\nWe sail on Friday, past the old mill.\n", { id: "plan" });
    const { passages } = sandbox.ok(["forget", "the old mill", "--dry-run", "--json"]).json.data;
    expect(passages.map(({ kind }: { kind: string }) => kind).slice(0, 2)).toEqual(["document", "version"]);
    sandbox.ok(["forget", "the old mill", extent, "--yes"]);
    expect([extent, holding(sandbox, sandbox)]).toEqual([extent, []]);
  }
});
