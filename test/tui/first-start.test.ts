/** The questions of the first start, in a real terminal. */
import { expect } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterThisTest } from "../helpers/clean-up.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const ENV = {
  // Without the agents that this machine has installed elsewhere.
  PATH: "/usr/bin:/bin",
  OPENAI_API_KEY: "sk-stand-in-0123456789abcdefghij",
  OLLAMA_HOST: "http://127.0.0.1:1",
  RETAIN_EMBEDDING: "none",
};

function machine(): Sandbox {
  const sandbox = new Sandbox();
  mkdirSync(join(sandbox.home, ".cursor"));
  mkdirSync(join(sandbox.home, ".claude"));
  writeFileSync(join(sandbox.home, ".claude/CLAUDE.md"), "# Rules\n\nUse tabs for indentation.\n");
  return sandbox;
}

function opened(sandbox: Sandbox, command = "retain", env: Record<string, string> = ENV): TerminalScreen {
  const screen = new TerminalScreen(sandbox, command, env);
  afterThisTest(() => screen.close());
  return screen;
}

const config = (sandbox: Sandbox) => readFileSync(join(sandbox.memory, "config.yaml"), "utf8");
const cursor = (sandbox: Sandbox) => join(sandbox.home, ".cursor/mcp.json");

testNeeding("tmux")(
  "SETUP-1: in an empty home the chat offers models, agents and CLAUDE.md, and does what is chosen",
  async () => {
    const sandbox = machine();
    const screen = opened(sandbox);
    await screen.shows("openai/");
    await screen.shows("Esc skip");
    screen.type("Down");
    await screen.shows("❯ openai/");
    screen.type("Enter");
    await screen.shows("Cursor");
    await screen.shows("Esc skip");
    screen.type("Down");
    await screen.shows("❯ Cursor");
    screen.type("Enter");
    await screen.shows("~/.claude/CLAUDE.md");
    await screen.shows("Esc skip");
    screen.type("Down");
    await screen.shows("❯ ~/.claude/CLAUDE.md");
    screen.type("Enter");
    await screen.shows("Type a message");
    expect(config(sandbox)).toMatch(/^model: openai\//m);
    expect(JSON.parse(readFileSync(cursor(sandbox), "utf8")).mcpServers.retain.args).toEqual([
      "mcp",
      "--global",
    ]);
    expect(sandbox.ok(["search", "tabs", "--json"], { env: ENV }).stdout).toContain(
      "Use tabs for indentation",
    );
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
  },
);

testNeeding("tmux")(
  "SETUP-1: Esc and Enter skip a question, nothing is changed, and no later start asks again",
  async () => {
    const sandbox = machine();
    const screen = opened(sandbox);
    await screen.shows("openai/");
    await screen.shows("Esc skip");
    screen.type("Escape");
    await screen.shows("Cursor");
    await screen.shows("Esc skip");
    screen.type("Enter");
    await screen.shows("~/.claude/CLAUDE.md");
    await screen.shows("Esc skip");
    screen.type("Escape");
    await screen.shows("Type a message");
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
    expect(config(sandbox)).not.toMatch(/^model:/m);
    expect(existsSync(cursor(sandbox))).toBe(false);
    const again = opened(sandbox);
    expect(await again.shows("Type a message")).not.toContain("Esc skip");
  },
);

testNeeding("tmux")(
  "SETUP-1: typing goes into the input; a message answers no question and ends them",
  async () => {
    const sandbox = machine();
    const screen = opened(sandbox);
    await screen.shows("Esc skip");
    screen.type("-l", "remember that tea is green");
    await screen.shows("› remember that tea is green");
    screen.type("Enter");
    await screen.shows("I will remember that.");
    expect(await screen.shows("Type a message")).not.toContain("Esc skip");
    expect(config(sandbox)).not.toMatch(/^model:/m);
    expect(existsSync(cursor(sandbox))).toBe(false);
  },
);

testNeeding("tmux")(
  "SETUP-1: nothing is asked in incognito or without a terminal, and nothing is marked as asked",
  async () => {
    const sandbox = machine();
    const screen = opened(sandbox, "retain --incognito");
    expect(await screen.shows("Type a message")).not.toContain("Esc skip");
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
    expect(sandbox.ok(["-p", "hello", "--incognito"], { env: ENV }).stderr).not.toContain("Cursor");
    expect(existsSync(sandbox.memory)).toBe(false);
  },
);
