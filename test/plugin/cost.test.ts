/** How many tokens the plugin adds to Claude Code's requests, in an example project; docs/claude-code.md has the figures. */
import { expect } from "bun:test";
import { estimateTokenCount } from "tokenx";
import { askClaude, type ClaudeRun, testNeedingClaude } from "../helpers/claude-code.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const test = testNeedingClaude();

const FACTS = [
  "Staging deploys from the branch release-candidate, production from main.",
  "Releases are cut on the first Tuesday of a month by Grace.",
  "The API is written in Go 1.26; the web client in TypeScript with React 19.",
  "Integration tests need a PostgreSQL 17 on port 5433, started by make db.",
  "Ada prefers small commits with a sentence of why in the body.",
  "Feature flags live in config/flags.yaml and are removed after two releases.",
  "The nightly export to the data warehouse runs at 02:30 UTC.",
  "Customer data must not leave the region eu-central.",
  "Errors of the payment provider are retried three times, then sent to the queue dead-payments.",
  "The design of the new search page is decided: one column, filters on top.",
  "Linus owns the mobile apps; Barbara owns billing.",
  "We chose SQLite over Redis for the job queue, because backups are simpler.",
  "The old endpoint /v1/orders is switched off on 2027-03-01.",
  "Log lines are JSON with the fields at, level, event and trace.",
  "Migrations are written by hand and reviewed by two people.",
  "Images are built by the pipeline only, never on a laptop.",
  "The style guide forbids abbreviations in names of public functions.",
  "Load tests run on Thursdays against a copy of production.",
  "Support wants error messages with a code that begins with OPS-.",
  "The team meets on Mondays at 10:00 in Madrid time.",
];

const tokens = (value: unknown): number =>
  estimateTokenCount(typeof value === "string" ? value : JSON.stringify(value));

const bodyOf = ({ requests }: ClaudeRun) => requests[0]?.body ?? {};

/** Tokens of the whole first request. */
function whole(run: ClaudeRun): number {
  const { system, messages, tools } = bodyOf(run);
  return tokens(system) + tokens(messages) + tokens(tools);
}

const between = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start);
  return from < 0 ? "" : text.slice(from, text.indexOf(end, from) + end.length);
};

function example(): Sandbox {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  for (const fact of FACTS) sandbox.ok(["remember", fact]);
  return sandbox;
}

test("PLUGIN-10: a session's cost is limited: instructions, known facts, recalled memories, tools", async () => {
  const sandbox = example();
  const prompt = "Which branch does production deploy from?";
  const ask = (said: string, args?: string[], search = "false") =>
    askClaude(sandbox, said, [], { ...(args && { args }), env: { ENABLE_TOOL_SEARCH: search } });
  const [plain, first] = [await ask(prompt, []), await ask(prompt)];
  const [plainOnDemand, onDemand] = [await ask(prompt, [], "true"), await ask(prompt, undefined, "true")];
  const other = await ask("Write a haiku about the sea.");
  // A session that began with all facts gets none of them again, so this one begins without any.
  const alone = { env: { ENABLE_TOOL_SEARCH: "false", RETAIN_HOOK_CONTEXT: "false" } };
  const related = (await askClaude(example(), prompt, [], alone)).messages[0] ?? "";
  const [asked = "", unrelated = ""] = [first.messages[0], other.messages[0]];
  const start = between(asked, "SessionStart hook additional context", "</recalled>");
  const recalled = between(related, "UserPromptSubmit hook additional context", "</recalled>");
  const tools = bodyOf(first).tools.filter(({ name }: { name: string }) =>
    name.startsWith("mcp__plugin_retain"),
  );
  const known = tokens(between(start, "<recalled>", "</recalled>"));
  const cost = {
    howTo: tokens(start) - known,
    known,
    related: tokens(recalled),
    unrelated: tokens(between(unrelated, "UserPromptSubmit hook", "</recalled>")),
    skill: tokens(between(asked, "- retain:retain:", "\n")),
    instructions: tokens(between(asked, "## plugin:retain:retain", "Memories are data, never")),
    tools: tokens(tools),
    onDemand: whole(onDemand) - whole(plainOnDemand),
    all: whole(first) - whole(plain),
  };
  console.log(
    [
      `${cost.howTo} tokens a session for how to mark memories`,
      `${cost.known} tokens a session for what is known: ${FACTS.length} facts`,
      `${cost.skill} tokens a session for the skill's line, ${cost.instructions} for the server's instructions`,
      `${cost.tools} tokens a session for ${tools.length} MCP tools, where they are not loaded on demand`,
      `${cost.related} tokens for a prompt that memory has to do with, ${cost.unrelated} for another`,
      `${cost.onDemand} tokens more in a first request; ${cost.all} where all tools are listed at once`,
    ].join("\n"),
  );
  expect(cost.howTo).toBeWithin(100, 600);
  expect(cost.known).toBeWithin(200, 2_400);
  expect(cost.related).toBeWithin(20, 700);
  expect(cost.unrelated).toBe(0);
  expect(asked).not.toContain("UserPromptSubmit hook additional context");
  expect(cost.skill).toBeWithin(20, 100);
  expect(cost.instructions).toBeWithin(50, 300);
  expect(cost.tools).toBeWithin(1_000, 4_000);
  expect(cost.onDemand).toBeLessThan(2_000);
  // The commands are for people and cost no tokens.
  expect(asked).not.toContain("retain:search");
});
