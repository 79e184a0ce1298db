/** What hooks keep back of a Claude Code session: what memory was asked for or to forget, and small talk. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { assistant, ClaudeCode, SESSION, toolCall, user } from "../agent/hooks-transcript.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const WORDS = { RETAIN_EMBEDDING: "none" };
const FORGET = "mcp__plugin_retain_retain__memory_forget";
const FACT = "The door code of the Zanzibar office is on the fridge.";

/** As Claude Code 2.1.325 writes it; older ones name the command first. */
const command = (name: string, args = "") => [
  user(
    `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
  ),
  user(`What was typed after /${name}: ${args}`, { isMeta: true }),
];

function turnsOf(sandbox: Sandbox, session = SESSION): string[] {
  const shown = sandbox.run(["sessions", "show", session, "--json"]);
  if (shown.exitCode !== 0 || shown.json.data.id !== session) return [];
  return shown.json.data.conversation
    .filter(({ role }: { role: string }) => role !== "system")
    .map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`);
}

const ASKED = user("Which paper do invoices use?");
const ANSWERED = assistant("Invoices are printed on yellow paper.");
const INVOICES = ["user: Which paper do invoices use?", "assistant: Invoices are printed on yellow paper."];

for (const event of ["pre-compact", "session-end"]) {
  test(`HOOK-23: what answers a command of Retain's is not kept at ${event}, and what follows is`, () => {
    const sandbox = new Sandbox();
    const claude = new ClaudeCode(sandbox);
    claude.write(
      ...command("retain:forget", "zanzibar"),
      toolCall("Bash", { command: "retain forget --dry-run 'zanzibar'" }, FACT),
      assistant(`The fact is: ${FACT} Forget it for good?`),
      user("yes, that one about the Zanzibar fridge"),
      toolCall("Bash", { command: "retain --json forget o1l54c1nns --yes" }, "Forgotten."),
      assistant(`I forgot: ${FACT}`),
      ...command("retain:search", "fridge"),
      assistant(`Memory has: ${FACT}`),
      ...command("deploy"),
      assistant("Version 7 is deployed to staging by now."),
      ASKED,
      ANSWERED,
    );
    claude.hook(event, {}, WORDS);
    expect(turnsOf(sandbox)).toEqual(["assistant: Version 7 is deployed to staging by now.", ...INVOICES]);
    expect(sandbox.ok(["search", "zanzibar fridge"]).stdout).not.toContain("fridge");
  });
}

test("HOOK-23: nothing is saved from a turn that called the forget tool, not even its marks", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  const reply = `Gone: ${FACT}\n\n[MEMORY] ${FACT}`;
  claude.write(
    ASKED,
    ANSWERED,
    user("Forget the Zanzibar door code on the fridge"),
    assistant(`[MEMORY] I look for it: ${FACT}`, { stop_reason: "tool_use" }),
    toolCall(FORGET, { id: "o1l54c1nns", confirm: true }, FACT),
  );
  claude.stop(reply, WORDS);
  claude.write(assistant(reply));
  claude.stop(reply, WORDS);
  claude.hook("session-end", {}, WORDS);
  expect(turnsOf(sandbox)).toEqual(INVOICES);
  expect(sandbox.ok(["facts", "--json"]).stdout).not.toContain("fridge");
});

test("HOOK-23: even with a hook between the command and its answer, and without the saved position", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  claude.write(ASKED, ANSWERED, ...command("retain:recall", "the door"));
  claude.hook("pre-compact", {}, WORDS);
  claude.write(assistant(`Memory has: ${FACT}`));
  claude.hook("pre-compact", {}, WORDS);
  expect(turnsOf(sandbox)).toEqual(INVOICES);
  rmSync(join(sandbox.memory, "hooks.db"));
  claude.write(user("Where does staging run?"), assistant("Staging runs in Madrid, beside the archive."));
  claude.hook("session-end", {}, WORDS);
  expect(turnsOf(sandbox)).toEqual([
    ...INVOICES,
    "user: Where does staging run?",
    "assistant: Staging runs in Madrid, beside the archive.",
  ]);
});

test("HOOK-10: small talk is not saved; if its reply has substance, the reply is", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  const small = ["yes", "ok", "go on", "thanks!", "Danke"].flatMap((said) => [
    user(said),
    assistant("Done."),
  ]);
  claude.write(...small);
  claude.hook("pre-compact", {}, WORDS);
  expect(turnsOf(sandbox)).toEqual([]);
  claude.write(user("ok"));
  claude.hook("pre-compact", {}, WORDS);
  claude.write(
    assistant("You're welcome."),
    user("go on"),
    assistant("The parser now reads tables, and its tests pass."),
    user("We release on Fridays in May."),
    assistant("I see."),
    user("ok"),
    assistant("Noted.\n\n[MEMORY] Releases are on Fridays in May"),
  );
  claude.hook("session-end", {}, WORDS);
  expect(turnsOf(sandbox)).toEqual([
    "assistant: The parser now reads tables, and its tests pass.",
    "user: We release on Fridays in May.",
    "assistant: I see.",
    "assistant: Noted.\n\n[MEMORY] Releases are on Fridays in May",
  ]);
});

test("HOOK-10: a yes to a question isn't small talk, and replies to small talk count as turns", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  claude.write(user("How shall we store jobs?"), assistant("Shall I use SQLite for the queue?"));
  claude.stop("", WORDS);
  claude.write(user("yes"), assistant("Done."));
  for (const part of ["lexer", "parser"])
    claude.write(user("go on"), assistant(`The ${part} is written, and all of its tests pass.`));
  claude.stop("", WORDS);
  expect(turnsOf(sandbox)).toEqual([
    "user: How shall we store jobs?",
    "assistant: Shall I use SQLite for the queue?",
    "user: yes",
    "assistant: Done.",
    "assistant: The lexer is written, and all of its tests pass.",
    "assistant: The parser is written, and all of its tests pass.",
  ]);
});
