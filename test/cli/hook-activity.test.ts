/** What was done in a Claude Code session, and what its sub-agents know and save, through the real command. */
import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { KeyedTexts } from "../../src/sqlite/keyed-texts.ts";
import { processName } from "../../src/util/process.ts";
import { assistant, ClaudeCode, SESSION, toolCall, user } from "../agent/hooks-transcript.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const WORDS = { RETAIN_EMBEDDING: "none" };
const COMMIT = `git add -A && git commit -m "$(cat <<'EOF'
Round the tax per line

The total was one cent off: hunter2hunter2
EOF
)"`;

const shown = (sandbox: Sandbox, session = SESSION): string =>
  sandbox.ok(["sessions", "show", session, "--json"]).json.data.summary ?? "";

/** A session that fixes a bug: it reads, edits, tests and commits. */
function fixing(sandbox: Sandbox): ClaudeCode {
  const claude = new ClaudeCode(sandbox);
  const edit = (path: string) => ({
    file_path: join(sandbox.work, path),
    old_string: "a",
    new_string: "TOPSECRET",
  });
  claude.write(
    user("The tax bug: an invoice's total is one cent off. Please fix it."),
    toolCall("Bash", { command: "ls src && git status && grep -rn tax src | head" }, "src/tax.ts"),
    toolCall("Edit", edit("src/tax.ts"), "edited"),
    toolCall("Write", { file_path: join(sandbox.work, "test/tax.test.ts"), content: "TOPSECRET" }, "written"),
    toolCall("Edit", edit("src/wrong.ts"), "File not found", true),
    toolCall("Write", { file_path: "/tmp/scratch.txt", content: "TOPSECRET" }, "written"),
    toolCall("Bash", { command: "API_TOKEN=TOPSECRET npm test -- --grep 'TOPSECRET' 2>&1 | tail -5" }, "ok"),
    toolCall("Bash", { command: "cat > notes.md <<'EOF'\nTOPSECRET\nEOF" }, ""),
    toolCall("Bash", { command: COMMIT }, "1 file changed"),
    assistant("Fixed: each line is rounded before the sum."),
  );
  return claude;
}

test("HOOK-25: a session notes the files it changed and the commands it ran, without contents and reading", () => {
  const sandbox = new Sandbox();
  fixing(sandbox).hook("session-end", {}, WORDS);
  expect(shown(sandbox)).toBe(
    "Done: changed `src/tax.ts`, `test/tax.test.ts`; ran `npm test`, `cat > notes.md`, " +
      '`git commit "Round the tax per line"`',
  );
  const question = "what did we do about the tax bug?";
  expect(sandbox.ok(["search", question]).stdout).toContain("src/tax.ts");
  const next = new ClaudeCode(sandbox, "next-week");
  expect(next.hook("session-start", { source: "startup" }, WORDS)).toContain("Round the tax per line");
  const prompt = "What did we do about the tax bug in the invoices?";
  expect(new ClaudeCode(sandbox, "other").hook("user-prompt-submit", { prompt }, WORDS)).toContain(
    "src/tax.ts",
  );
  const everything = sandbox
    .tree(sandbox.memory)
    .map((file) => Bun.spawnSync(["cat", join(sandbox.memory, file)]).stdout.toString())
    .join("\n");
  expect(everything).not.toContain("TOPSECRET");
});

test("HOOK-25: a session notes the files it removed", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  const write = (path: string) =>
    toolCall("Write", { file_path: join(sandbox.work, path), content: "" }, "written");
  claude.write(
    user("Split the tax module, please, and drop the old one."),
    write("src/draft.ts"),
    toolCall("Bash", { command: "rm src/draft.ts /tmp/scratch.txt && git rm -q src/vat.ts src/tax.ts" }, ""),
    write("src/tax.ts"),
    assistant("Done: the module has two parts now."),
  );
  claude.hook("pre-compact", {}, WORDS);
  expect(shown(sandbox)).toBe("Done: changed `src/tax.ts`; removed `src/draft.ts`, `src/vat.ts`");
  claude.write(
    user("Bring the old one back, please."),
    write("src/vat.ts"),
    toolCall("Bash", { command: "npm test" }, "ok"),
    assistant("It is back."),
  );
  claude.hook("session-end", {}, WORDS);
  expect(shown(sandbox)).toBe(
    "Done: changed `src/tax.ts`, `src/vat.ts`; removed `src/draft.ts`; ran `npm test`",
  );
});

test("HOOK-25: it grows with the session, stays small, and survives a summary of what was said", () => {
  const sandbox = new Sandbox();
  const claude = fixing(sandbox);
  claude.hook("pre-compact", {}, WORDS);
  for (let number = 0; number < 60; number++)
    claude.write(
      toolCall(
        "Write",
        { file_path: join(sandbox.work, `src/generated/part-${number}.ts`), content: "" },
        "",
      ),
    );
  claude.write(
    user("And the currency?"),
    toolCall("Bash", { command: "make release" }, ""),
    assistant("Released."),
  );
  claude.hook("session-end", {}, WORDS);
  const noted = shown(sandbox);
  expect(noted).toContain("part-59.ts");
  expect(noted).toContain("`make release`");
  expect(noted.length).toBeLessThan(650);
  // A chat summarises the sessions that nothing has summarised yet.
  sandbox.run(["chat", "What is new?"]);
  expect(shown(sandbox)).toEndWith(noted);
  expect(shown(sandbox).length).toBeGreaterThan(noted.length);
});

test("HOOK-16: hook_activity switches it off", () => {
  const sandbox = new Sandbox();
  fixing(sandbox).hook("session-end", {}, { RETAIN_HOOK_ACTIVITY: "false" });
  expect(shown(sandbox)).toBe("");
});

test("HOOK-1: a session's start brings what the last sessions here did, however many facts there are", async () => {
  const sandbox = new Sandbox();
  const facts = Array.from(
    { length: 400 },
    (_, index) => `- Fact number ${index} is about part ${index} of the machine.\n`,
  );
  await sandbox.addFact("The machine has parts.");
  appendFileSync(join(sandbox.memory, "memories/MEMORY.md"), facts.join(""));
  fixing(sandbox).hook("session-end", {}, WORDS);
  const trivial = new ClaudeCode(sandbox, "trivial");
  trivial.write(user("How many days does a leap year have?"), assistant("It has 366 days."));
  trivial.hook("session-end", {}, WORDS);
  const elsewhere = new ClaudeCode(sandbox, "elsewhere", join(sandbox.root, "other"));
  mkdirSync(elsewhere.cwd);
  elsewhere.write(
    user("Name the harbour."),
    toolCall("Bash", { command: "make harbour" }, ""),
    assistant("Done."),
  );
  elsewhere.hook("session-end", {}, WORDS);
  const started = new ClaudeCode(sandbox, "next").hook("session-start", { source: "startup" }, WORDS);
  expect(started).toContain("Fact number");
  expect(started).toContain("Round the tax per line");
  expect(started).not.toContain("leap year");
  expect(started).not.toContain("harbour");
  const there = new ClaudeCode(sandbox, "there", elsewhere.cwd).hook(
    "session-start",
    { source: "startup" },
    WORDS,
  );
  expect(there).toContain("make harbour");
  expect(there).not.toContain("Round the tax per line");
});

const TOKEN = `ghp_${"0123456789abcdefghijABCDEFGHIJ012345"}`;
const withToken = (sandbox: Sandbox): string[] =>
  sandbox.tree(sandbox.memory).filter((file) => readFileSync(join(sandbox.memory, file)).includes(TOKEN));
const AGENT = { agent_id: "a07f1dea07fa78920", agent_type: "general-purpose" };

test("HOOK-24: a sub-agent starts with the memory of its session", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Staging deploys from the branch release.");
  const claude = new ClaudeCode(sandbox);
  const context = claude.hook("subagent-start", AGENT, WORDS);
  expect(context).toContain("Staging deploys from the branch release.");
  expect(context).toContain("[MEMORY]");
  // Claude Code starts an agent without a type to summarise the conversation.
  expect(claude.hook("subagent-start", { ...AGENT, agent_type: "" }, WORDS)).toBe("");
  expect(claude.hook("subagent-start", AGENT, { RETAIN_HOOK_CONTEXT: "false" })).toBe("");
});

test("HOOK-24: marks and activity of a sub-agent belong to its session, which is the only conversation", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  const agent = new ClaudeCode(sandbox, "agent-a07f1dea07fa78920");
  const reply = "The cellar is full.\n\n[MEMORY] The cellar holds the old tapes.";
  agent.write(
    user("Look around, and label the tapes."),
    toolCall("Write", { file_path: join(sandbox.work, "labels.txt"), content: "" }, ""),
    toolCall("Bash", { command: `print-labels --token ${TOKEN}` }, ""),
    assistant(reply),
  );
  const stopped = { ...AGENT, agent_transcript_path: agent.transcript, last_assistant_message: reply };
  for (const _ of ["once", "twice"]) claude.hook("subagent-stop", stopped, WORDS);
  expect(withToken(sandbox)).toEqual([]);
  const [fact, ...others] = sandbox.ok(["facts", "--json"]).json.data.facts;
  expect(others).toEqual([]);
  expect(fact.text).toBe("The cellar holds the old tapes.");
  expect(fact.source.session).toBe(SESSION);
  expect(sandbox.ok(["why", fact.id]).stdout).toContain(SESSION);
  expect(sandbox.ok(["sessions", "--json"]).json.data.sessions).toEqual([]);

  claude.write(user("Send somebody to label the tapes."), assistant("They are labelled now."));
  claude.hook("session-end", {}, WORDS);
  const { sessions } = sandbox.ok(["sessions", "--json"]).json.data;
  expect(sessions.map(({ id }: { id: string }) => id)).toEqual([SESSION]);
  expect(shown(sandbox)).toBe("Done: changed `labels.txt`; ran `print-labels`");
  expect(withToken(sandbox)).toEqual([]);
});

test("HOOK-24: a sub-agent's activity is saved although a hook of its session is still running", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  const agent = new ClaudeCode(sandbox, "agent-a07f1dea07fa78920");
  agent.write(
    user("Label the tapes."),
    toolCall("Write", { file_path: join(sandbox.work, "labels.txt"), content: "" }, ""),
    assistant("Labelled."),
  );
  const texts = new KeyedTexts(join(sandbox.memory, "hooks.db"));
  const running = processName(hostname(), process.pid);
  texts.take(SESSION, running, () => false);
  claude.hook("subagent-stop", { ...AGENT, agent_transcript_path: agent.transcript }, WORDS);
  texts.release(SESSION, running);
  claude.write(user("Send somebody to label the tapes."), assistant("They are labelled now."));
  claude.hook("session-end", {}, WORDS);
  expect(shown(sandbox)).toBe("Done: changed `labels.txt`");
});
