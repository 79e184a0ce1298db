/** The chat in a real terminal. */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { wrapText } from "../../src/tui/ansi/wrap.ts";
import { Chatting, expectSane, READY, SANE } from "../helpers/chatting.ts";
import { testNeeding } from "../helpers/needs.ts";

testNeeding("tmux")(
  "TUI-19: the chat starts with its name, model and workspace, renders Markdown, and prints each line once into the scrollback",
  async () => {
    const screen = await new Chatting({ command: SANE }).ready();
    const header = await screen.shows("scripted/clever-1");
    expect(header).toMatch(
      /^✦ Retain 1\.2\.3\n.*~\/notes\n.*~\/notes\/\.retain \(project\)\n.*scripted\/clever-1\n/,
    );
    screen.say("markdown");
    const shown = await screen.shows("The end.", true);
    expect(shown).toContain("\x1b[1mbold");
    expect(await screen.shows("• two")).not.toContain("**");
    screen.say("read");
    await screen.shows("It is there.");
    screen.say("keep");
    const kept = await screen.shows("✗ Not saved: the key (it is a secret)");
    expect(kept).toMatch(
      /● read src\/app\.ts · 42 lines\n● read src\/none\.ts · not found\n\nIt is there\.\n\n› keep\n\nNoted\.\n\n✦ Memory saved/,
    );
    await screen.shows("88% context left · 3 memories · $0.0021 · A talk about");
    screen.type("C-c");
    await screen.shows("Press Ctrl-C again");
    screen.type("C-c");
    await screen.shows("code 0");
    const all = screen.scrollback();
    expect(all).not.toContain(READY);
    expect(screen.counts(/^(?:✦|›|●|Noted|The end|Title|It is).*$/gm).every((count) => count === 1)).toBe(
      true,
    );
    expect(all).toMatch(/it is a secret\)\nleft\n/);
    expectSane(screen);
    expect(screen.calls().slice(-2)).toEqual([{ close: "in peace" }, { closed: "in peace" }]);
  },
);

testNeeding("tmux")(
  "TUI-4: a reply of 10,000 lines, or of 2,000 in one code block, is printed completely and once, without clearing the screen",
  async () => {
    const screen = await new Chatting().ready();
    screen.say("lines 10000");
    await screen.shows("row 10000 of 10000");
    await screen.ready();
    screen.say("code 2000");
    await screen.shows("const x1999 = 1999;");
    await screen.ready();
    const rows: string[] = screen.scrollback().match(/^row \d+ of 10000$/gm) ?? [];
    expect(rows).toEqual(Array.from({ length: 10_000 }, (_, index) => `row ${index + 1} of 10000`));
    const code: string[] = screen.scrollback().match(/^const x\d+ = \d+;$/gm) ?? [];
    expect(code).toEqual(Array.from({ length: 2000 }, (_, index) => `const x${index} = ${index};`));
    expect(screen.written()).not.toMatch(/\x1b\[[23]J|\x1b\[H|\x1b\[1;1H|\x1b\[\?1049h/);
  },
);

testNeeding("tmux")(
  "MD-1: resizing rewraps the live lines and leaves nothing of the old ones behind",
  async () => {
    const screen = await new Chatting().ready();
    screen.say("wait gate");
    await screen.shows("Meanwhile");
    const draft =
      "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore";
    screen.type("-l", draft);
    await screen.shows("labore");
    for (const [columns, rows] of [
      [50, 24],
      [41, 20],
      [100, 24],
      [33, 18],
      [80, 24],
    ] as const) {
      screen.resize(columns, rows);
      const [first = ""] = wrapText(draft, columns - 3);
      await screen.shows(`› ${first}\n`);
      const all = screen.scrollback();
      for (const once of [
        "✦ Retain",
        "› wait gate",
        "Waiting for gate.",
        "Meanwhile",
        "Esc stop",
        "› lorem",
        "clever-1 · 3",
      ])
        expect([columns, once, all.split(once).length - 1]).toEqual([columns, once, 1]);
      expect(all.replace(/\s+/g, " ")).toContain(draft);
    }
    screen.open("gate");
    await screen.shows("Meanwhile nothing, and gate came.");
    expect(screen.scrollback().split("Meanwhile").length - 1).toBe(1);
  },
);

testNeeding("tmux")(
  "TUI-1: a thousand pasted lines are folded, wait for Enter, and are sent whole",
  async () => {
    const screen = await new Chatting().ready();
    const text = Array.from({ length: 1000 }, (_, index) => `pasted line ${index}`).join("\n");
    screen.type("-l", "look: ");
    screen.paste(text);
    await screen.shows("› look: [pasted 1,000 lines]");
    expect(screen.tells("#{cursor_x}")).toBe(String("› look: [pasted 1,000 lines]".length));
    screen.paste("two\nlines");
    await screen.shows("[pasted 1,000 lines]two\n  lines");
    screen.type("Enter");
    await screen.shows("You said");
    expect(screen.calls()).toEqual([{ send: `look: ${text}two\nlines` }]);
    expect(await screen.ready().then(() => screen.scrollback())).toContain("… 989 more lines");
  },
);

testNeeding("tmux")(
  "TUI-15: a tool waits until an option is selected; text typed ahead or pasted stays in the input",
  async () => {
    const screen = await new Chatting().ready();
    screen.say("ask edit");
    screen.type("-l", "yes");
    const asked = await screen.shows(" more lines · Ctrl-O shows all");
    expect(asked).toContain("│ Allow: edit src/app.ts");
    expect(asked).toContain("│   1 Allow once\n│   2 Allow `edit src/…` for this session\n│   3 Deny");
    screen.paste("1");
    await screen.shows("› yes1");
    await screen.shows("↑↓ choose");
    expect(screen.calls()).toEqual([{ send: "ask edit" }]);
    screen.type("C-o");
    await screen.shows("+new line 19");
    screen.type("Up");
    await screen.shows("❯ 3 Deny");
    screen.type("Up");
    await screen.shows("❯ 2 Allow `edit");
    screen.type("Enter");
    await screen.shows("The answer was session.");
    await screen.shows("● edit src/app.ts · done");
    screen.type("C-u");
    await screen.ready();
    screen.say("ask run");
    expect(await screen.shows("❯ 2 Deny")).toMatch(
      /! Outside the working directory\.\n│ rm -r \/srv\/old⟨U\+202E⟩ && true⟨U\+001B⟩\[2J/,
    );
    screen.type("Enter");
    await screen.shows("● run `rm -r /srv/old` · not allowed");
    await screen.ready();
    screen.say("ask it");
    await screen.shows("❯ 2 Deny");
    screen.type("1");
    await screen.shows("The answer was once.");
    expect(screen.calls().filter((call) => "answer" in call)).toEqual([
      { answer: "session" },
      { answer: "deny" },
      { answer: "once" },
    ]);
  },
);

testNeeding("tmux")(
  "TUI-1: the terminal's cursor is after the typed text, including wide and combining characters",
  async () => {
    const screen = await new Chatting().ready();
    screen.type("-l", "漢字 e\u0301x");
    await screen.shows("› 漢字");
    await screen.shows("x");
    expect(screen.tells("#{cursor_x}")).toBe(String(2 + 4 + 1 + 2));
    screen.type("Left", "Left", "Left", "Left");
    await screen.moves("#{cursor_x}", String(2 + 2));
    // Shift+Enter as a terminal with the kitty protocol sends it.
    screen.type("-l", "\x1b[13;2u");
    await screen.shows("› 漢\n  字");
    expect(screen.tells("#{cursor_x}")).toBe("2");
  },
);

testNeeding("tmux")("TUI-16: commands are completed, and a picker's item can be selected", async () => {
  const screen = await new Chatting().ready();
  screen.type("/");
  await screen.shows("❯ /sessions  list what was talked about");
  screen.type("-l", "mo");
  await screen.hides("/sessions");
  screen.type("Tab");
  expect(await screen.shows("/model clever")).not.toContain("❯");
  screen.type("Escape");
  await screen.hides("/model clever");
  screen.type("C-c");
  await screen.ready();
  screen.say("/sessions");
  await screen.shows("❯ Talk 1 ");
  expect(await screen.shows("type to filter")).toContain("1 of 30");
  screen.type("-l", "gard");
  await screen.shows("❯ Talk 7  about gardens");
  screen.type("Enter");
  const resumed = await screen.shows("── Talk s7 ──");
  expect(resumed).toMatch(
    /› \/resume s7\n\n── Talk s7 ──\n\n› Where were we\?\n\nWe were here\.\n\n● read notes\.md\n\nInterrupted\./,
  );
  expect(screen.calls()).toEqual([{ send: "/sessions" }, { send: "/resume s7" }]);
  screen.say("/quit");
  await screen.shows("[exit 0]");
});

testNeeding("tmux")(
  "TUI-12: Esc stops a reply and keeps what arrived; queued lines return to the input",
  async () => {
    const screen = await new Chatting().ready();
    screen.say("wait gate");
    await screen.shows("Meanwhile");
    screen.say("and then this");
    await screen.shows("queued: and then this");
    screen.type("Escape");
    await screen.shows("› and then this");
    expect(screen.scrollback()).toMatch(
      /Waiting for gate\.\n\nMeanwhile\n\nInterrupted\.\n\n.*\n› and then this\n/,
    );
    screen.type("C-c");
    await screen.ready();
    screen.say("wait other");
    await screen.shows("Waiting for other.");
    screen.say("lines 2");
    await screen.shows("queued: lines 2");
    screen.open("other");
    await screen.shows("row 2 of 2");
    await screen.ready();
    expect(screen.calls()).toEqual([
      { send: "wait gate" },
      { aborted: "wait gate" },
      { send: "wait other" },
      { send: "lines 2" },
    ]);
  },
);

testNeeding("tmux")("MD-1: thirty columns and ten rows are enough", async () => {
  const screen = new Chatting({ columns: 30, rows: 10 });
  await screen.shows("Type a message");
  screen.say("markdown");
  await screen.shows("The end.");
  screen.say("ask edit");
  const asked = await screen.shows("❯ 3 Deny");
  expect(asked).toContain("│ Allow: edit src/app.ts");
  expect(asked).toContain("… 43 more: ^O");
  screen.type("x");
  const draft = await screen.shows("› x");
  for (const shown of ["│ Allow: edit src/app.ts", "1 Allow once", "3 Deny"]) expect(draft).toContain(shown);
  screen.type("BSpace");
  await screen.shows("❯ 3 Deny");
  screen.type("1");
  await screen.shows("The answer was once.");
  await screen.shows("clever-1");
  screen.type("/");
  await screen.shows("❯ /sessions");
  expect(screen.counts(/^› (?:markdown|ask edit)$/gm)).toEqual([1, 1]);
  expect(screen.written()).not.toMatch(/\x1b\[[23]J|\x1b\[H/);
});

testNeeding("tmux")(
  "MD-1: Ctrl-L clears the screen, including other programs' output, and shows the end of the conversation again",
  async () => {
    const screen = await new Chatting().ready();
    screen.say("lines 30");
    await screen.shows("row 30 of 30");
    await screen.ready();
    writeFileSync(screen.tells("#{pane_tty}"), "\x1b[5;5HSOMETHING ELSE\x1b[24;1H");
    await screen.shows("SOMETHING ELSE");
    screen.type("C-l");
    await screen.hides("SOMETHING ELSE");
    expect(screen.scrollback()).not.toContain("SOMETHING ELSE");
    screen.type("x");
    await screen.shows("› x");
    await screen.shows("row 30 of 30");
    expect(screen.scrollback().match(/^(?:✦ Retain 1\.2\.3|› lines 30|› x)$/gm)).toHaveLength(3);
  },
);
