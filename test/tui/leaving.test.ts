/** However the chat ends, the reply is stored and the terminal restored. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { Chatting, expectSane, SANE, START } from "../helpers/chatting.ts";
import { testNeeding } from "../helpers/needs.ts";

testNeeding("tmux")(
  "TUI-31: a signal stops and stores the reply, does not wait for a model, and restores the terminal",
  async () => {
    for (const [signal, code] of [
      ["TERM", 143],
      ["HUP", 129],
    ] as const) {
      const screen = await new Chatting({ command: SANE }).ready();
      screen.open("slow-close");
      screen.say("wait gate");
      await screen.shows("Meanwhile");
      const pids = Bun.spawnSync(["pgrep", "-P", screen.tells("#{pane_pid}")])
        .stdout.toString()
        .trim()
        .split("\n");
      process.kill(Number(pids[0]), `SIG${signal}`);
      await screen.shows(`code ${code}`);
      expect(screen.calls()).toEqual([
        { send: "wait gate" },
        { aborted: "wait gate" },
        { close: "at once" },
        { closed: "at once" },
      ]);
      expect(screen.scrollback()).toContain("Meanwhile\n\nInterrupted.\nleft");
      expectSane(screen);
    }
  },
);

testNeeding("tmux")(
  "TUI-31: quitting stops the reply and waits for the summary, which Ctrl-C skips",
  async () => {
    const screen = await new Chatting({ command: SANE }).ready();
    screen.open("slow-close");
    screen.say("wait gate");
    await screen.shows("Meanwhile");
    screen.type("C-d");
    await screen.shows("Ctrl-C skip the summary");
    screen.type("C-c");
    await screen.shows("code 0");
    expect(screen.calls()).toEqual([
      { send: "wait gate" },
      { aborted: "wait gate" },
      { close: "in peace" },
      { closed: "at once" },
    ]);
    expectSane(screen);
  },
);

testNeeding("tmux")("TUI-31: a reply that cannot be stopped does not prevent quitting", async () => {
  const screen = await new Chatting({ command: SANE }).ready();
  screen.say("deaf");
  await screen.shows("I do not listen.");
  screen.type("C-c");
  await screen.shows("Stopping…");
  screen.type("C-c");
  await screen.shows("Press Ctrl-C again");
  screen.type("C-c", "C-c", "C-c");
  await screen.shows("code 0");
  expect(screen.calls()).toEqual([{ send: "deaf" }, { close: "at once" }, { closed: "at once" }]);
  expectSane(screen);
});

testNeeding("tmux")("TUI-31: closing the terminal ends the chat in the same way", async () => {
  const screen = await new Chatting().ready();
  screen.say("wait gate");
  await screen.shows("Meanwhile");
  screen.close();
  for (let tries = 0; tries < 600 && screen.calls().length < 4; tries++) await Bun.sleep(25);
  expect(screen.calls()).toEqual([
    { send: "wait gate" },
    { aborted: "wait gate" },
    { close: "at once" },
    { closed: "at once" },
  ]);
});

testNeeding("tmux")(
  "TUI-32: a crash is reported on a restored terminal, below what was printed",
  async () => {
    const screen = await new Chatting({ command: SANE }).ready();
    screen.say("keep");
    await screen.shows("Noted.");
    screen.say("crash");
    await screen.shows("code 1");
    expect(screen.scrollback()).toContain("a bug of the chat");
    expect(screen.scrollback()).toContain("✦ Memory saved: Ada likes tea.");
    expectSane(screen);
    expect(screen.calls().at(-1)).toEqual({ closed: "at once" });
    const other = await new Chatting({ command: SANE }).ready();
    other.say("explode");
    await other.shows("code 1");
    expect(other.calls().slice(-2)).toEqual([{ close: "at once" }, { closed: "at once" }]);
    expect(other.scrollback()).toContain("a bug beside the chat");
    expectSane(other);
  },
);

testNeeding("tmux")("TUI-32: Ctrl-Z suspends the chat, and the shell can resume it", async () => {
  const screen = new Chatting({ command: "PS1='shell> ' bash --norc -i" });
  await screen.shows("shell>");
  screen.say(START);
  await screen.ready();
  screen.type("-l", "draft");
  await screen.shows("› draft");
  screen.type("C-z");
  await screen.shows("Stopped");
  screen.say("stty -a | grep -o ' icanon'; fg");
  await screen.shows("› draft");
  expect(screen.scrollback()).toMatch(/^ icanon$/m);
  screen.type("-l", "ed");
  await screen.shows("› drafted");
  screen.type("C-c", "C-d");
  await screen.shows("left");
});

/** What every front end of the chat shares. */
const SHARED = /\/agent\/(?:events|choices|in-words)\.ts$/;

test("the screen depends only on what front ends share, and its bundle is self-contained", async () => {
  const transpiler = new Bun.Transpiler({ loader: "tsx" });
  const source = join(import.meta.dir, "../../src/tui");
  const reached = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(source)].flatMap((file) =>
    transpiler
      .scanImports(readFileSync(join(source, file), "utf8"))
      .map(({ path }) => path)
      .filter((path) =>
        /^(?:\.\.\/)+(?:agent|app|files|sqlite|config|memory|backends)(?:\.ts)?(?:\/|$)/.test(path),
      )
      .filter((path) => !SHARED.test(path)),
  );
  expect(reached).toEqual([]);
  const bundle = readFileSync(join(import.meta.dir, "../../dist/tui.js"), "utf8");
  const { imports } = new Bun.Transpiler({ loader: "js" }).scan(bundle);
  expect(imports.map(({ path }) => path).filter((path) => !isBuiltin(path))).toEqual([]);
});
