/** What the chat shows of tools, on a real terminal; only the model is a stand-in. */
import { expect } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AnthropicServer, type Script } from "../helpers/anthropic-server.ts";
import { KEY } from "../helpers/chat.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const run = (command: string) => ({ calls: [{ name: "run_command", input: { command } }] });

/** Where a command waits until the test opens the gate. */
const GATE = "until [ -e gate ]; do sleep 0.05; done";

class ToolChat {
  readonly sandbox = new Sandbox();
  readonly #env: Record<string, string>;

  constructor(private readonly server: AnthropicServer) {
    this.#env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
  }

  async open(command: string): Promise<TerminalScreen> {
    const screen = new TerminalScreen(this.sandbox, command, this.#env, 100, 30);
    afterThisTest(() => screen.close());
    await screen.shows("Type a message");
    return screen;
  }

  openGate(): void {
    writeFileSync(join(this.sandbox.work, "gate"), "");
  }

  has(file: string): boolean {
    return existsSync(join(this.sandbox.work, file));
  }

  /** The text of the newest tool result that the model got. */
  get result(): string {
    const blocks = this.server.requests.flatMap(({ body }) =>
      (body.messages as { content: string | { type: string; content?: unknown }[] }[]).flatMap(
        ({ content }) =>
          typeof content === "string" ? [] : content.filter(({ type }) => type === "tool_result"),
      ),
    );
    const content = blocks.at(-1)?.content;
    return typeof content === "string" ? content : ((content as { text: string }[])[0]?.text ?? "");
  }

  /** Everything that is stored about conversations. */
  get stored(): string {
    const { stdout } = Bun.spawnSync(["grep", "-rha", "", join(this.sandbox.home, ".retain", "sessions")]);
    return stdout.toString();
  }
}

async function toolChat(script: Script): Promise<{ server: AnthropicServer; chat: ToolChat }> {
  const server = await new AnthropicServer(script).start();
  afterThisTest(() => server[Symbol.asyncDispose]());
  return { server, chat: new ToolChat(server) };
}

testNeeding("tmux")(
  "TUI-14: a denial with a reason tells the model why; private text and secrets in it are not stored",
  async () => {
    const { chat } = await toolChat([run("touch ran"), { text: "I will use make." }]);
    const screen = await chat.open("retain");
    screen.type("Touch it", "Enter");
    await screen.shows("❯ 3 Deny");
    screen.type("4");
    await screen.shows("Why not?");
    screen.type("Escape");
    await screen.shows("4 Deny and say why");
    await screen.shows("❯ 3 Deny");
    screen.type("4");
    await screen.shows("Why not?");
    screen.type("-l", "use make <private>as Zora says</private>, password: hunter2-Xk29q");
    screen.type("Enter");
    expect(await screen.shows("I will use make.")).toContain("denied by you: use make");
    expect(chat.has("ran")).toBe(false);
    expect(chat.result).toContain("says: use make <private>as Zora says</private>, password: hunter2-Xk29q");
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
    expect(chat.stored).toContain("use make");
    expect(chat.stored).not.toMatch(/Zora|Xk29q/);
    const resumed = await chat.open("retain -c");
    expect(await resumed.shows("denied by you: use make")).not.toMatch(/Zora|Xk29q/);
  },
  60_000,
);

testNeeding("tmux")(
  "APPROVE-4: a blocked command says why in the same words to the user and to the model",
  async () => {
    const { chat } = await toolChat([run("rm -rf ~"), { text: "I leave it." }]);
    const screen = await chat.open("retain");
    screen.type("Clean up", "Enter");
    expect(await screen.shows("I leave it.")).toContain("blocked: deletes your home directory");
    expect(chat.result).toContain("deletes your home directory");
  },
  60_000,
);

testNeeding("tmux")(
  "TUI-45: a command's first lines appear while it runs, without keys; Ctrl-O shows all of a call, also after resuming",
  async () => {
    const { chat } = await toolChat([
      run("sh slow.sh"),
      { calls: [{ name: "write_file", input: { path: "a.txt", content: "one\ntwo\n".repeat(20) } }] },
      { text: "Both done." },
    ]);
    const [start, rest] = [KEY.slice(0, 12), KEY.slice(12)];
    chat.sandbox.write(
      "slow.sh",
      `echo begun; printf '%s' ${start}; sleep 0.2; echo '${rest}'; ${GATE}; seq 100 130\n`,
    );
    const screen = await chat.open("retain --tools all");
    screen.type("Go", "Enter");
    const live = await screen.shows("[secret removed]");
    expect(live).toContain("begun");
    expect(live).toContain("Ctrl-X");
    chat.openGate();
    const done = await screen.shows("Both done.");
    expect(done).toMatch(/exit 0 · [\d.]+ s · 33 lines/);
    expect(done).toMatch(/… \d+ more lines/);
    expect(done).toContain("+one");
    expect(done).not.toContain("130");
    expect(screen.scrollback()).not.toContain(KEY.slice(-12));
    screen.type("C-o");
    await screen.shows("Enter select");
    screen.type("Down", "Enter");
    await screen.shows("130");
    screen.type("/quit", "Enter");
    await screen.shows("[exit 0]");
    const resumed = await chat.open("retain -c");
    await resumed.shows("Both done.");
    resumed.type("C-o");
    await resumed.shows("Enter select");
    resumed.type("Enter");
    await resumed.hides("Enter select");
    await resumed.shows("+two\n+one");
    expect(resumed.scrollback().match(/^\+two$/gm)?.length).toBe(20);
  },
  60_000,
);

testNeeding("tmux")(
  "TUI-46: Ctrl-X stops the running command alone; the model gets its output so far and continues",
  async () => {
    const { chat } = await toolChat([
      run("printf 'be%s\\n' gun; sleep 600"),
      { text: "It was stopped, so I continue." },
    ]);
    const screen = await chat.open("retain --tools all");
    screen.type("Go", "Enter");
    await screen.shows("begun");
    screen.type("C-x");
    await screen.shows("It was stopped, so I continue.");
    expect(chat.result).toMatch(/^Stopped by the user after [\d.]+ s\.\n\nbegun/);
    expect(screen.scrollback()).not.toContain("Interrupted.");
  },
  60_000,
);

testNeeding("tmux")(
  "TUI-45: binary output is described, and a hundred megabytes or a progress bar stay a few lines",
  async () => {
    const { chat } = await toolChat([
      run("cat noise"),
      run("cat bar"),
      run("yes 'a line of a very long log' | head -c 100000000"),
      { text: "All ran." },
    ]);
    chat.sandbox.write("bar", "\x1b[31m 1%\r50%\r100%\x1b[0m\nfinished\n");
    writeFileSync(join(chat.sandbox.work, "noise"), crypto.getRandomValues(new Uint8Array(50_000)));
    const screen = await chat.open("retain --tools all");
    screen.type("Go", "Enter");
    const done = await screen.shows("All ran.");
    expect(done).toContain("50 KB of binary data");
    expect(done).toMatch(/^ +100%$/m);
    expect(done).not.toContain("50%");
    expect(done).toMatch(/exit 0 · [\d.]+ s · 100 MB/);
    expect(done.match(/a line of a very long log/g)?.length).toBeLessThan(10);
    expect(screen.scrollback()).not.toContain("\ufffd");
  },
  60_000,
);
