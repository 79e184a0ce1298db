/** The real command in a real terminal; only the model is a stand-in. */
import { expect } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { KEY } from "../helpers/chat.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

testNeeding("tmux")(
  "the real chat starts, asks, approves, searches, resumes, interrupts, resizes and quits",
  async () => {
    await using server = await new AnthropicServer(({ bodyText, body }) => {
      const last = JSON.stringify(body.messages.at(-1));
      if (last.includes("tool_result")) return { text: "The file is written." };
      if (last.includes("Write it"))
        return { calls: [{ name: "write_file", input: { path: "plan.txt", content: "Monday\n" } }] };
      if (last.includes("A long story")) return { text: "Once upon a time", hang: 6 };
      if (bodyText.includes("Nice to meet")) return { text: "Hello again." };
      return { text: "Nice to meet you, Ada.\n[MEMORY] The user is called Ada" };
    }).start();
    const sandbox = new Sandbox();
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
    const screen = new TerminalScreen(sandbox, "retain", env);
    afterThisTest(() => screen.close());
    await screen.shows("Type a message");
    screen.type("My name is Ada", "Enter");
    await screen.shows("Memory saved: The user is called Ada");
    screen.type("Write it down", "Enter");
    await screen.shows("❯ 3 Deny");
    screen.type("Up");
    await screen.shows("❯ 2 Allow `write plan.txt` for this session");
    screen.type("Up");
    await screen.shows("❯ 1 Allow once");
    screen.type("Enter");
    await screen.shows("The file is written.");
    expect(existsSync(join(sandbox.work, "plan.txt"))).toBe(true);
    screen.resize(50, 20);
    screen.type("A long story", "Enter");
    await screen.shows("Once upon");
    screen.type("Escape");
    await screen.shows("Interrupted.");
    screen.resize(80, 24);
    screen.type("/new", "Enter");
    await screen.shows("New session");
    screen.type("/search Ada", "Enter");
    await screen.shows("Esc close");
    screen.type("Escape");
    await screen.hides("Esc close");
    screen.type("/resume", "Enter");
    await screen.shows("Esc close");
    screen.type("Enter");
    await screen.hides("Esc close");
    await screen.shows("The file is written.");
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
    const { results } = {
      results: sandbox.ok(["facts", "--json"]).stdout,
    };
    expect(results).toContain("The user is called Ada");
  },
  60_000,
);

testNeeding("tmux")(
  "TUI-15: text typed or pasted during an approval runs nothing; Esc denies and stops the turn",
  async () => {
    await using server = await new AnthropicServer(() => ({
      calls: [{ name: "run_command", input: { command: "touch ran" } }],
    })).start();
    const sandbox = new Sandbox();
    const ran = () => existsSync(join(sandbox.work, "ran"));
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
    const screen = new TerminalScreen(sandbox, "retain", env);
    afterThisTest(() => screen.close());
    await screen.shows("Type a message");
    screen.type("Touch it", "Enter");
    await screen.shows("❯ 3 Deny");
    for (const letter of "actually no") screen.type("-l", letter);
    await screen.shows("› actually no");
    screen.paste("1\n");
    await screen.shows("› actually no1");
    await screen.shows("↑↓ choose");
    screen.type("C-u", "BSpace", "C-u");
    await screen.shows("❯ 3 Deny");
    expect(ran()).toBe(false);
    screen.type("Escape");
    await screen.shows("Interrupted.");
    await screen.shows("Type a message");
    expect(ran()).toBe(false);
    expect(server.requests).toHaveLength(1);
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
  },
);

testNeeding("tmux")(
  "TUI-40: /forget removes only an item marked with an arrow, nothing by typing and Enter alone",
  async () => {
    const sandbox = new Sandbox();
    const env = { RETAIN_EMBEDDING: "none" };
    sandbox.ok(["remember", "The note on the door says 4711"]);
    const facts = () => sandbox.ok(["facts", "--json"]).stdout;
    const screen = new TerminalScreen(sandbox, "retain --model none", env);
    afterThisTest(() => screen.close());
    await screen.shows("Type a message");
    screen.type("/forget door", "Enter");
    await screen.shows("Esc close");
    screen.type("Enter");
    screen.type("no");
    await screen.shows("› no");
    screen.type("Enter");
    screen.type("t");
    expect(await screen.shows("› not")).not.toContain("❯");
    expect(facts()).toContain("4711");
    screen.type("Down");
    await screen.shows("❯ The note on the door");
    screen.type("Enter");
    await screen.hides("Esc close");
    await screen.shows("Forgotten");
    expect(facts()).not.toContain("4711");
  },
);

testNeeding("tmux")("TUI-31: the command exits with the signal's code when a signal ends it", async () => {
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    const screen = new TerminalScreen(new Sandbox(), "retain --model none", { RETAIN_EMBEDDING: "none" });
    afterThisTest(() => screen.close());
    await screen.shows("Type a message");
    const shell = screen.tells("#{pane_pid}");
    process.kill(Number(Bun.spawnSync(["pgrep", "-P", shell]).stdout.toString().trim()), signal);
    await screen.shows(`[exit ${code}]`);
  }
});

testNeeding("tmux")(
  "TUI-19: at every size, the header names directory and model, and no line is wider than the screen",
  async () => {
    const table = `| ${"column | ".repeat(8)}\n|${"---|".repeat(8)}\n| ${"a cell of words | ".repeat(8)}`;
    const text = `\`\`\`ts\nconst a = ${"b + ".repeat(60)}c;\n\`\`\`\n\n${table}\n\nThe end.`;
    await using server = await new AnthropicServer(() => ({ text })).start();
    for (const [columns, rows] of [
      [44, 15],
      [80, 24],
      [200, 50],
    ] as const) {
      const sandbox = new Sandbox();
      const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
      const screen = new TerminalScreen(sandbox, "retain", env, columns, rows);
      afterThisTest(() => screen.close());
      await screen.shows("Type a message");
      const header = (await screen.shows("claude-haiku-4-5")).replace(/\n +/g, "");
      for (const named of [sandbox.work, "~/.retain"]) expect(header).toContain(named);
      screen.type("Show it", "Enter");
      await screen.shows("The end.");
      await screen.shows("Type a message");
      // tmux joins the rows of a line that it had to wrap.
      const lines = screen.joined().split("\n");
      for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
    }
  },
  60_000,
);

testNeeding("tmux")(
  "TUI-44: Ctrl-S opens the memories of the last turn, where one is undone or edited",
  async () => {
    await using server = await new AnthropicServer(() => ({
      text: "Noted.\n[MEMORY] The boat is called Nautilus\n[MEMORY] The cat is called Ink",
    })).start();
    const sandbox = new Sandbox();
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
    const facts = () => sandbox.ok(["facts"]).stdout;
    const screen = new TerminalScreen(sandbox, "retain", env);
    afterThisTest(() => screen.close());
    await screen.shows("Type a message");
    screen.type("Boat and cat", "Enter");
    await screen.shows("Ctrl-S undo or edit");
    screen.type("C-s");
    await screen.shows("❯ Undo: The boat is called Nautilus");
    await screen.shows("Enter select");
    screen.type("Enter");
    await screen.shows("Undone: The boat is called Nautilus");
    await screen.shows("Ctrl-S undo or edit");
    expect(facts()).not.toContain("Nautilus");
    expect(facts()).toContain("The cat is called Ink");
    screen.type("C-s");
    await screen.shows("e Edit");
    screen.type("e");
    await screen.shows("The cat is called Ink");
    await screen.shows("› /edit ");
    screen.type("y", "Enter");
    await screen.shows("Memory replaced");
    expect(facts()).toContain("The cat is called Inky");
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
  },
  60_000,
);

testNeeding("tmux")(
  "TUI-44: Esc in a memory's actions returns to the search results, with their filter; Ctrl-V confirms a fact",
  async () => {
    const sandbox = new Sandbox();
    const env = { RETAIN_EMBEDDING: "none" };
    for (const fact of ["The boat is called Nautilus", "The boat is blue"]) sandbox.ok(["remember", fact]);
    const screen = new TerminalScreen(sandbox, "retain --model none", env);
    afterThisTest(() => screen.close());
    await screen.shows("Type a message");
    screen.type("/search boat", "Enter");
    await screen.shows("2 memories");
    await screen.shows("Enter select");
    screen.type("-l", "blue");
    await screen.shows("› blue");
    screen.type("Enter");
    await screen.shows("Esc back");
    await screen.shows("known since");
    screen.type("Escape");
    await screen.shows("2 memories");
    expect(await screen.shows("› blue")).toContain("Esc close");
    screen.type("Escape");
    await screen.hides("2 memories");
    screen.type("-l", "/why nautilus");
    await screen.shows("The boat is called Nautilus");
    screen.type("Tab");
    await screen.shows("› /why ");
    await screen.hides("› /why nautilus");
    screen.type("Enter");
    await screen.shows("by remember");
    writeFileSync(
      join(sandbox.memory, "memories/INFERRED.md"),
      "# Unconfirmed\n\n- The heron nests on the weir\n",
    );
    screen.type("where does the heron nest?", "Enter");
    await screen.shows("Ctrl-V confirm");
    screen.type("C-v");
    await screen.shows("Confirmed: The heron");
    expect(sandbox.ok(["facts", "--unconfirmed"]).stdout).not.toContain("heron");
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
  },
  60_000,
);
