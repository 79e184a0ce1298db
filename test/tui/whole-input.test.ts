/** The input of the real chat in a real terminal: files, earlier input, several lines, the editor. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { KEY } from "../helpers/chat.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

async function opened(sandbox: Sandbox, more: Record<string, string> = {}, command = "retain") {
  const server = await new AnthropicServer(() => ({ text: "Fine." })).start();
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none", ...more };
  const screen = new TerminalScreen(sandbox, command, env);
  afterThisTest(async () => {
    screen.close();
    await server[Symbol.asyncDispose]();
  });
  await screen.shows("Type a message");
  /** The user's words in the last request. */
  const asked = () => JSON.stringify(server.last.body.messages.at(-1).content);
  return { server, screen, asked };
}

test("TUI-12: a line typed as soon as the input is drawn is sent", async () => {
  const sandbox = new Sandbox();
  const request = Promise.withResolvers<void>();
  await using server = await new AnthropicServer(() => {
    request.resolve();
    return { text: "Fine." };
  }).start();
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
  let isTyped = false;
  const chat = Bun.spawn([RETAIN], {
    cwd: sandbox.work,
    env: sandbox.env({ ...env, TERM: "xterm" }),
    terminal: {
      cols: 80,
      rows: 24,
      data(terminal, bytes) {
        if (!isTyped && new TextDecoder().decode(bytes).includes("╭")) {
          isTyped = true;
          terminal.write("hello there\r");
        }
      },
    },
  });
  afterThisTest(() => chat.kill());
  await request.promise;
  expect(JSON.stringify(server.last.body.messages)).toContain("hello there");
});

testNeeding("tmux")(
  "TUI-41: @ lists the project's files with sizes, filters by any part, and the chosen one is attached",
  async () => {
    const sandbox = new Sandbox();
    sandbox.git(["init", "-q"]);
    sandbox.write(".gitignore", "ignored.ts\n");
    sandbox.write("ignored.ts", "no");
    sandbox.write(".env", "A=1");
    sandbox.write("server.pem", "no");
    sandbox.write("src/app.ts", "x".repeat(3100));
    sandbox.write("docs/my file.md", "spaces");
    sandbox.git(["add", "src"]);
    const { screen, asked, server } = await opened(sandbox);
    screen.type("-l", "Explain @");
    const list = await screen.shows("3.1 KB");
    expect(list).toContain("@src/app.ts");
    expect(list).toContain('@"docs/my file.md"');
    for (const hidden of ["ignored.ts", ".env", ".git", "server.pem"]) expect(list).not.toContain(hidden);
    screen.type("-l", "PP.t");
    await screen.hides("my file.md");
    screen.type("Tab");
    await screen.shows("› Explain @src/app.ts");
    screen.type("-l", "and @file");
    await screen.shows("my file.md");
    screen.type("Enter");
    await screen.shows('› Explain @src/app.ts and @"docs/my file.md"');
    expect(server.requests).toHaveLength(0);
    screen.type("Enter");
    const sent = await screen.shows("Fine.");
    expect(sent).toContain("src/app.ts, 3.1 KB");
    expect(sent).toContain("docs/my file.md, 6 bytes");
    expect(asked()).toContain("xxxxx");
    expect(asked()).toContain("spaces");
  },
);

testNeeding("tmux")("ATTACH-3: a refused message stays in the input", async () => {
  const sandbox = new Sandbox();
  sandbox.write(".env", "A=1");
  const { screen, server } = await opened(sandbox);
  screen.type("-l", "Explain @.env please");
  screen.type("Enter");
  await screen.shows("Not sent");
  await screen.shows("› Explain @.env please");
  screen.type("-l", " now");
  await screen.shows("› Explain @.env please now");
  expect(server.requests).toHaveLength(0);
});

testNeeding("tmux")(
  "TUI-42: Ctrl-R searches earlier input; Enter puts it into the line without sending, Esc restores the draft",
  async () => {
    const sandbox = new Sandbox();
    const { screen, server } = await opened(sandbox);
    for (const line of ["deploy the blue service", "weather", "deploy the green service"]) {
      screen.type("-l", line);
      screen.type("Enter");
      await screen.shows(`› ${line}`);
      await screen.shows("Type a message");
    }
    screen.type("C-l");
    screen.type("-l", "my draft");
    await screen.shows("› my draft");
    screen.type("C-r");
    await screen.shows("❯ deploy the green service");
    screen.type("-l", "depl");
    await screen.hides("  weather");
    screen.type("C-r");
    await screen.shows("❯ deploy the blue service");
    screen.type("Escape");
    await screen.shows("› my draft");
    screen.type("C-r");
    screen.type("-l", "blue");
    await screen.shows("❯ deploy the blue service");
    screen.type("Enter");
    await screen.shows("› deploy the blue service");
    await screen.hides("❯");
    expect(server.requests).toHaveLength(3);
    screen.type("-l", " again");
    screen.type("Enter");
    await screen.shows("› deploy the blue service again");
  },
);

testNeeding("tmux")(
  "TUI-43: Ctrl-G opens the draft in the editor, and the edited text comes back",
  async () => {
    const sandbox = new Sandbox();
    const editor = sandbox.write(
      "../editor",
      '#!/bin/sh\ncat "$1" > "$HOME/seen"; printf "edited\\nin two lines\\n" > "$1"\n',
    );
    chmodSync(editor, 0o755);
    const { screen, asked } = await opened(sandbox, { EDITOR: editor });
    screen.type("-l", "a draft");
    await screen.shows("› a draft");
    screen.type("C-g");
    await screen.shows("› edited");
    await screen.shows("  in two lines");
    expect(await Bun.file(join(sandbox.home, "seen")).text()).toBe("a draft");
    screen.type("Enter");
    await screen.shows("Fine.");
    expect(asked()).toContain("edited\\nin two lines");
  },
);

testNeeding("tmux")(
  "TUI-43: without an editor, or if it fails, the draft stays and the reason is shown",
  async () => {
    const sandbox = new Sandbox();
    const { screen } = await opened(sandbox, { EDITOR: "false" });
    screen.type("-l", "a draft");
    await screen.shows("› a draft");
    screen.type("C-g");
    await screen.shows("exited with an error");
    screen.type("-l", " stays");
    await screen.shows("› a draft stays");
  },
);

testNeeding("tmux")(
  "TUI-1: Ctrl-J and a kitty keyboard's Shift+Enter start a new line, and a paste keeps its lines",
  async () => {
    const sandbox = new Sandbox();
    mkdirSync(join(sandbox.work, "x"));
    const { screen, asked } = await opened(sandbox);
    screen.type("-l", "one");
    screen.type("C-j");
    screen.type("-l", "two");
    screen.type("-H", ..."\x1b[13;2u".split("").map((character) => character.charCodeAt(0).toString(16)));
    screen.type("-l", "three");
    await screen.shows("  three");
    screen.paste("\nfour\nfive");
    await screen.shows("  five");
    screen.type("Enter");
    await screen.shows("Fine.");
    expect(asked()).toContain("one\\ntwo\\nthree\\nfour\\nfive");
  },
);
