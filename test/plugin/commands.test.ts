/** `/retain:*` in the real Claude Code: what a command may run without asking, and what it may not. */
import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { confirmationOf } from "../../src/agent/memory-tools/forget.ts";
import { askClaude, PLUGIN, testNeedingClaude } from "../helpers/claude-code.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { bash, project, results, tool } from "./session.ts";

const test = testNeedingClaude();

test("PLUGIN-2: /retain:search runs the search without asking, and nothing else", async () => {
  const sandbox = new Sandbox();
  project(sandbox);
  const run = await askClaude(sandbox, `/retain:search what's "staging`, [
    bash("retain search 'what'\\''s staging; `touch a` $(touch b)' --limit 3"),
    bash(`retain search "$(touch c)"`),
    bash("retain search staging; touch d"),
    bash("retain delete staging"),
  ]);
  expect(run.messages[0]).toContain(`<arguments>\nwhat's "staging\n</arguments>`);
  const [found, ...others] = results(run);
  expect(found?.content).toContain("Staging deploys from the branch release-candidate.");
  expect(others.map(({ is_error }) => is_error)).toEqual([true, true, true]);
  for (const file of ["a", "b", "c", "d"]) expect(existsSync(join(sandbox.work, file))).toBe(false);
});

test("PLUGIN-2: every command runs its verb without asking, with the words as typed", async () => {
  const sandbox = new Sandbox();
  sandbox.write("research.md", "# GPU Patterns\n\nMetal vs CUDA\n");
  sandbox.write("new research.md", "# GPU Patterns\n\nMetal won\n");
  const typed = [
    "put research.md --collection knowledge --id gpu-patterns",
    "get gpu-patterns --format context",
    "update gpu-patterns --tags 'gpu,metal' --content 'new research.md'",
    "search 'which GPU?' --collection knowledge",
    "list --collection knowledge",
    "versions gpu-patterns",
    "diff gpu-patterns --from v1",
    "restore gpu-patterns --version v1",
    "delete gpu-patterns",
    "remember 'Ada'\\''s editor is ed'",
    "recall 'what does Ada use?'",
    "facts",
    "status",
    "undo",
    "review",
  ];
  const run = await askClaude(
    sandbox,
    typed.map((line) => `/retain:${line}`),
    typed.flatMap((line) => [bash(`retain ${line}`), { text: "There." }]),
  );
  const said = results(run);
  expect(said.map(({ content, is_error }) => (is_error ? content : "well"))).toEqual(typed.map(() => "well"));
  expect(said.map(({ content }) => content)).toEqual([
    expect.stringContaining("gpu-patterns"),
    expect.stringContaining("Metal vs CUDA"),
    expect.stringContaining("gpu-patterns"),
    expect.stringContaining("Metal won"),
    expect.stringContaining("gpu-patterns"),
    expect.stringContaining("v1"),
    expect.stringContaining("-Metal vs CUDA\n+Metal won"),
    expect.stringContaining("Restored"),
    expect.stringContaining("gpu-patterns"),
    expect.stringContaining("Memory saved: Ada's editor is ed"),
    expect.stringContaining("Ada's editor is ed"),
    expect.stringContaining("Ada's editor is ed"),
    expect.stringContaining("1 fact"),
    expect.stringContaining("Undone"),
    expect.stringContaining("Nothing to review."),
  ]);
  expect(sandbox.run(["get", "gpu-patterns"]).exitCode).toBe(1);
});

test("PLUGIN-2: a text is stored as a document from stdin, without asking", async () => {
  const sandbox = new Sandbox();
  const text =
    "retain put - --id gpu --tags gpu,metal <<'RETAIN_END'\n# GPU\n\nIt's $5; `cheap`.\nRETAIN_END";
  const run = await askClaude(sandbox, "/retain:put what we found out, as gpu", [bash(text)]);
  expect(results(run)[0]?.content).toContain("Stored");
  expect(sandbox.ok(["get", "gpu", "--format", "raw"]).stdout).toBe("# GPU\n\nIt's $5; `cheap`.\n");
});

test("PLUGIN-4: /retain:forget may preview without asking, but not forget", async () => {
  const sandbox = new Sandbox();
  const memory = project(sandbox);
  const [{ id }] = sandbox.ok(["facts", "--json"]).json.data.facts;
  const run = await askClaude(sandbox, "/retain:forget staging", [
    bash("retain forget --dry-run staging"),
    bash(`retain why ${id}`),
    bash("retain forget staging --yes"),
  ]);
  const [looked, told, forgot] = results(run);
  expect(looked?.content).toContain(`Would forget fact ${id}`);
  expect(told?.content).toContain("release-candidate");
  expect(forgot?.is_error).toBe(true);
  expect(readFileSync(memory, "utf8")).toContain("release-candidate");
});

const FACT = "Staging deploys from the branch release-candidate.";
const KEPT = { text: "The invoices are printed on yellow paper." };

/** The project's memory files that still contain the fact; other messages are saved. */
function holding(sandbox: Sandbox): string[] {
  expect(sandbox.ok(["search", "yellow invoices"]).stdout).toContain(KEPT.text);
  const memory = join(sandbox.work, ".retain");
  return sandbox.tree(memory).filter((file) => readFileSync(join(memory, file)).includes("candidate"));
}

test("PLUGIN-4: a forgotten fact is not saved again from the conversation about it", async () => {
  const sandbox = new Sandbox();
  project(sandbox);
  const [{ id }] = sandbox.ok(["facts", "--json"]).json.data.facts;
  const shown = { text: `The fact is: ${FACT} Forget it for good?` };
  const gone = { text: `It is gone: ${FACT}` };
  const run = await askClaude(
    sandbox,
    ["/retain:forget staging", "yes", "How are invoices printed?"],
    [bash(`retain why ${id}`), shown, bash(`retain forget ${id} --yes`), gone, KEPT],
    { args: ["--plugin-dir", PLUGIN, "--allowedTools", "Bash(retain forget:*)"] },
  );
  expect(results(run).at(-1)?.content).toContain(`Forgotten: fact ${id}`);
  expect(holding(sandbox)).toEqual([]);
});

test("PLUGIN-4: nor from one in which the tool forgets it", async () => {
  const sandbox = new Sandbox();
  project(sandbox);
  const [{ id }] = sandbox.ok(["facts", "--json"]).json.data.facts;
  const forget = {
    calls: [{ name: tool("memory_forget"), input: { id, confirm: confirmationOf(id, FACT) } }],
  };
  const run = await askClaude(
    sandbox,
    [`Forget this: ${FACT}`, "How are invoices printed?"],
    [forget, { text: `It is gone: ${FACT}` }, KEPT],
    { args: ["--plugin-dir", PLUGIN, "--allowedTools", tool("memory_forget")] },
  );
  expect(results(run)[0]?.is_error ?? false).toBe(false);
  expect(holding(sandbox)).toEqual([]);
});
