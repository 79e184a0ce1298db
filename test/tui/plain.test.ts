/** The chat without a screen, in a real terminal; only the model is a stand-in. */
import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { KEY } from "../helpers/chat.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const ESCAPE = "\x1b";

function opened(sandbox: Sandbox, command: string, env: Record<string, string>) {
  const raw = join(sandbox.root, "raw");
  const screen = new TerminalScreen(sandbox, `read go; ${command}`, { RETAIN_EMBEDDING: "none", ...env });
  afterThisTest(() => screen.close());
  screen.record(raw);
  screen.type("Enter");
  return { screen, written: () => readFileSync(raw, "utf8") };
}

testNeeding("tmux")(
  "TUI-21: plain mode prints each event once, without escape sequences; a number answers an approval",
  async () => {
    await using server = await new AnthropicServer(({ body }) => {
      const last = JSON.stringify(body.messages.at(-1));
      if (last.includes("tool_result")) return { text: "It is written." };
      if (last.includes("Write"))
        return { calls: [{ name: "write_file", input: { path: "plan.txt", content: "Monday\n" } }] };
      return { text: "Nice to meet you,\n\n**Ada**.\n[MEMORY] The user is called Ada" };
    }).start();
    const sandbox = new Sandbox();
    const file = join(sandbox.work, "plan.txt");
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
    const { screen, written } = opened(sandbox, "retain --plain", env);
    const first = await screen.shows("Your message:\n");
    for (const named of ["claude-haiku", ".retain", "directory: "]) expect(first).toContain(named);
    screen.type("I am Ada", "Enter");
    await screen.shows("Memory saved: The user is called Ada");
    screen.type("Write it down", "Enter");
    await screen.shows("Your answer, 1 to 4:");
    for (const wrong of ["yes", "7", "0", "1.5"]) screen.type(wrong, "Enter");
    screen.type("Enter");
    screen.type("-l", "then");
    await screen.shows("\nthen");
    expect(existsSync(file)).toBe(false);
    screen.type("C-u", "1", "Enter");
    await screen.shows("It is written.");
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
    expect(written()).not.toContain(ESCAPE);
    expect(written().split("Nice to meet you,").length - 1).toBe(1);
    expect(written()).toContain("**Ada**");
  },
  60_000,
);

testNeeding("tmux")(
  "TUI-21: lines typed before an approval never answer it; TERM=dumb and ui.plain switch plain mode on",
  async () => {
    await using server = await new AnthropicServer(({ body }) => {
      const last = JSON.stringify(body.messages.at(-1));
      if (last.includes("tool_result")) return { text: "Then not." };
      if (last.includes("Touch"))
        return {
          text: "Let me.",
          calls: [{ name: "run_command", input: { command: "touch ran" } }],
        };
      return { text: "Yes." };
    }).start();
    const sandbox = new Sandbox();
    sandbox.ok(["config", "set", "ui.plain", "true", "--global"]);
    const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
    for (const command of ["retain", "RETAIN_UI_PLAIN=false TERM=dumb retain"]) {
      const { screen, written } = opened(sandbox, command, env);
      await screen.shows("Your message:");
      // Both lines arrive together, before the question.
      screen.type("Touch it", "Enter", "1", "Enter");
      await screen.shows("Your answer, 1 to 4:");
      screen.type("C-c");
      await screen.shows("Interrupted.");
      await screen.shows("Then not.");
      expect(existsSync(join(sandbox.work, "ran"))).toBe(false);
      screen.type("C-c");
      await screen.shows("[exit 0]");
      expect(written()).not.toContain(ESCAPE);
    }
  },
  60_000,
);

testNeeding("tmux")("TUI-21: in plain mode, a number selects from a list", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "The note on the door says 4711"]);
  const { screen } = opened(sandbox, "retain --plain --model none", {});
  await screen.shows("Your message:");
  screen.type("/forget door", "Enter");
  await screen.shows("1. The note on the door");
  await screen.shows("Enter a number to select");
  const facts = () => sandbox.ok(["facts", "--json"]).stdout;
  expect(facts()).toContain("4711");
  screen.type("1", "Enter");
  await screen.shows("Forgotten");
  expect(facts()).not.toContain("4711");
});
