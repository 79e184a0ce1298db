/** The views: everything fits into the terminal and shows the right text. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { PAUSE_MS } from "../../src/agent/choices.ts";
import type { ChatEvent } from "../../src/agent/events.ts";
import { memoryLines } from "../../src/core/facts/memory-changes.ts";
import { painter } from "../../src/tui/ansi/paint.ts";
import { type AppState, initialApp } from "../../src/tui/app-state.ts";
import { initialState } from "../../src/tui/chat-shape.ts";
import { reduce } from "../../src/tui/chat-state.ts";
import { edit } from "../../src/tui/editor/editor.ts";
import { widthOf } from "../../src/tui/editor/graphemes.ts";
import { press } from "../../src/tui/editor/input.ts";
import type { Key } from "../../src/tui/editor/keys.ts";
import { openSearch } from "../../src/tui/editor/search.ts";
import type { Item } from "../../src/tui/items.ts";
import { redrawn } from "../../src/tui/redraw.ts";
import { itemLines } from "../../src/tui/views/item.ts";
import type { Look } from "../../src/tui/views/look.ts";
import { frameOf } from "../../src/tui/views/screen.ts";

const LOOK: Look = {
  version: "1.2.3",
  directory: "~/notes",
  memory: "~/notes/.retain (project)",
  colours: false,
  paint: painter(false),
};
const COLOURED: Look = { ...LOOK, colours: true, paint: painter(true) };

type Plain = Exclude<ChatEvent, { type: "text" }>;

function app(events: readonly Plain[], change: Partial<AppState> = {}): AppState {
  const chat = events.reduce(
    (state, event) => reduce(state, { type: "event", event, at: 1000 }),
    reduce(initialState(0, false), {
      type: "event",
      event: { type: "model", name: "maker/some-model-4", contextTokens: 200_000 },
      at: 0,
    }),
  );
  return { ...initialApp({ columns: 80, rows: 24 }, 1000, false), chat, ...change };
}

function screen(state: AppState): string {
  return frameOf(state, LOOK).lines.join("\n");
}

const said = fc
  .array(
    fc.constantFrom(
      "word",
      "漢字かな",
      "👨‍👩‍👧",
      "e\u0301",
      "long".repeat(30),
      "\n",
      "\n\n",
      " ",
      "~/path/to",
      "\t",
    ),
    { maxLength: 30 },
  )
  .map((words) => words.join(" "));

const event: fc.Arbitrary<Plain> = fc.oneof(
  said.map((text): Plain => ({ type: "thinking", text })),
  said.map((text): Plain => ({ type: "tool", id: text, name: "n", summary: text })),
  fc.record({
    type: fc.constant("approval" as const),
    id: fc.constant("a"),
    name: fc.constant("n"),
    summary: said,
    preview: fc.option(
      fc.record({
        kind: fc.constantFrom("diff" as const, "command" as const),
        text: fc.array(said, { maxLength: 8 }).map((lines) => lines.join("\n")),
      }),
    ),
    outside: fc.boolean(),
    pattern: fc.option(said),
  }),
  said.map(
    (text): Plain => ({
      type: "picker",
      picker: {
        title: text,
        command: "/x",
        items: Array.from({ length: text.length % 20 }, (_, at) => ({
          value: `${at}`,
          label: text.slice(at),
          detail: text,
        })),
      },
    }),
  ),
  said.map((text): Plain => ({ type: "retry", attempt: 1, of: 2, seconds: 3, why: text })),
  said.map((text): Plain => ({ type: "named", id: "s", title: text.replaceAll("\n", " ") })),
);

const size = fc.record({ columns: fc.integer({ min: 10, max: 140 }), rows: fc.integer({ min: 3, max: 60 }) });

test("MD-1: live lines leave two rows free, are never wider than the terminal, and contain the cursor", () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 6 }),
      said,
      fc.array(said, { maxLength: 6 }),
      size,
      fc.boolean(),
      (events, typed, queue, fits, isDrawn) => {
        const chat = [
          { type: "sent", line: typed, at: 0 } as const,
          ...queue.map((line) => ({ type: "queued", line }) as const),
          ...events.map((one) => ({ type: "event", event: one, at: 10 }) as const),
          {
            type: "reply",
            finished: [],
            rest: typed.split("\n").map((line) => line.replaceAll("\t", " ").slice(0, 5)),
            at: 10,
          } as const,
          ...(isDrawn ? [{ type: "drawn", at: 10 } as const] : []),
        ].reduce(reduce, initialState(0, false));
        const state: AppState = {
          ...initialApp(fits, 5000, false),
          chat,
          editor: edit(initialApp(fits, 0, false).editor, { type: "insert", text: typed }),
          completion: {
            from: 0,
            items: queue.map((value) => ({ value, detail: typed })),
            index: queue.length - 1,
          },
        };
        for (const look of [LOOK, COLOURED]) {
          const { lines, cursor } = frameOf(state, look);
          expect(lines.length).toBeLessThanOrEqual(Math.max(1, fits.rows - 2));
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(fits.columns);
          for (const line of lines) expect(line).not.toMatch(/[\n\t]/);
          if (cursor === null) continue;
          expect(cursor.x).toBeLessThan(fits.columns);
          expect(cursor.y).toBeLessThan(lines.length);
          expect(cursor.y).toBeGreaterThanOrEqual(0);
        }
      },
    ),
    { numRuns: 400 },
  );
});

const item: fc.Arbitrary<Item> = said.chain((text) =>
  fc.constantFrom<Item>(
    { kind: "name" },
    { kind: "about", model: text },
    { kind: "divider", title: text },
    { kind: "user", text },
    { kind: "markdown", text },
    { kind: "thinking", text, seconds: 3 },
    { kind: "tool", summary: text, ok: true, brief: text, shown: { kind: "output", text } },
    {
      kind: "memory",
      changes: {
        saved: [text],
        superseded: [{ before: text, after: text }],
        ended: [],
        unknown: [],
        skipped: [text],
        refused: [{ text, why: text }],
        failed: [{ text, why: text }],
        working: "saved",
      },
    },
    { kind: "notice", level: "warning", text },
    { kind: "notice", level: "info", text },
    { kind: "error", message: text, hint: text },
    { kind: "preview", summary: text, preview: { kind: "diff", text } },
  ),
);

test("MD-1: printed lines are never wider than the terminal either", () => {
  fc.assert(
    fc.property(item, fc.integer({ min: 20, max: 140 }), (one, columns) => {
      for (const look of [LOOK, COLOURED])
        for (const line of itemLines(one, null, columns, look)) {
          expect(widthOf(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/[\n\t]/);
        }
    }),
    { numRuns: 400 },
  );
});

test("TUI-19: the status line shows the model, context usage, recalled memories, cost and title", () => {
  const events: Plain[] = [
    { type: "context", parts: [], tokens: 1, recalled: 3 },
    {
      type: "usage",
      turn: { input: 1, output: 1, cacheRead: null, cacheWrite: null },
      cost: 0.0021,
      costComplete: true,
      contextUsed: 24_000,
    },
    { type: "named", id: "s", title: "The garden" },
    { type: "done", reason: "finished" },
  ];
  expect(frameOf(app(events), LOOK).lines.at(-1)).toBe(
    "  maker/some-model-4 · 88% context left · 3 memories · $0.0021 · The garden",
  );
  expect(
    frameOf(
      app([...events, { type: "tools", mode: "all" }], { size: { columns: 110, rows: 24 } }),
      LOOK,
    ).lines.at(-1),
  ).toEndWith("The garden · tools: all");
  expect(frameOf(app(events, { size: { columns: 30, rows: 24 } }), LOOK).lines.at(-1)).toBe(
    "  some-model-4 · 88% left",
  );
  expect(screen(app(events, { leaveHint: true }))).toContain("Press Ctrl-C again");
  const none = app([
    { type: "model", name: null, contextTokens: null },
    { type: "session", id: null, chat: "c", title: null, incognito: true, past: [] },
    { type: "done", reason: "finished" },
  ]);
  expect(frameOf(none, LOOK).lines.at(-1)).toBe("  no model · incognito");
});

test("TUI-19: the spinner line shows the activity and its duration; a retry counts down", () => {
  const working = app([{ type: "context", parts: [], tokens: 1, recalled: 0 }], { now: 13_000 });
  expect(screen(working)).toMatch(/^\S Waiting for the model… 13s$/m);
  const retry = app([{ type: "retry", attempt: 2, of: 5, seconds: 10, why: "overloaded" }], { now: 4000 });
  expect(screen(retry)).toContain("Retrying in 7s (2 of 5): overloaded…");
  const stopping = { ...working, chat: reduce(working.chat, { type: "stopping" }) };
  expect(screen(stopping)).toMatch(/Stopping… 13s$/m);
  const closing = { ...working, chat: reduce(working.chat, { type: "closing", at: 13_000 }) };
  expect(screen(closing)).toContain("Summarising…");
  expect(screen({ ...working, now: 126_000 })).toContain("2m 6s");
});

test("TUI-19: the spinner line shows the time however long a retry's reason is", () => {
  const why = "The provider takes no more requests for now, and says so at some length (429).";
  const retry = app([{ type: "retry", attempt: 2, of: 5, seconds: 10, why }], { now: 4000 });
  for (const columns of [30, 80])
    expect(screen({ ...retry, size: { columns, rows: 24 } })).toMatch(/^\S Retrying.*… 4s$/m);
});

test("TUI-19: memory changes, tools, notices and errors are marked as such; thinking is cut to two lines", () => {
  const lines = (one: Item) => itemLines(one, null, 60, LOOK).join("\n");
  expect(lines({ kind: "tool", summary: "read src/app.ts", ok: true, brief: "42 lines", shown: null })).toBe(
    "● read src/app.ts · 42 lines",
  );
  const changes = {
    saved: ["Ada likes tea."],
    superseded: [{ before: "Timezone: Madrid", after: "Timezone: Lisbon" }],
    ended: ["Ada is on leave."],
    unknown: ["3f9a2xw0c1"],
    skipped: ["Ada has a cat."],
    refused: [{ text: "The key", why: "it is a secret" }],
    failed: [{ text: "More", why: "the disk is full" }],
    working: "cleared",
  } as const;
  expect(lines({ kind: "memory", changes }).split("\n")).toEqual([
    "✦ Memory saved: Ada likes tea.",
    "✦ Memory replaced: Timezone: Madrid → Timezone: Lisbon",
    "✦ Memory ended: Ada is on leave.",
    "✗ No such fact: 3f9a2xw0c1",
    "· Already known: Ada has a cat.",
    "✗ Not saved: The key (it is a secret)",
    "✗ Could not save: More (the disk is full)",
    "✦ Working memory: cleared",
  ]);
  const shared = memoryLines({ ...changes, shared: ["Ada likes tea.", "Timezone: Lisbon"] });
  expect(shared.slice(0, 2).map(({ label }) => label)).toEqual([
    "Memory saved for everyone on this project",
    "Memory replaced for everyone on this project",
  ]);
  expect(lines({ kind: "error", message: "It broke.", hint: "Mend it." })).toBe("✗ It broke.\n  Mend it.");
  expect(lines({ kind: "about", model: null })).toMatch(
    /^ {2}directory +~\/notes\n {2}memory +~\/notes\/\.retain \(project\)\n {2}model +none: /,
  );
  const thought = lines({ kind: "thinking", text: "This and that and more. ".repeat(20), seconds: 8 }).split(
    "\n",
  );
  expect(thought).toHaveLength(2);
  expect(thought[0]).toStartWith("✻ Thought for 8s: This and that");
  expect(thought[1]).toEndWith("…");
  const message = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
  expect(lines({ kind: "user", text: message }).split("\n").slice(-2)).toEqual([
    "  line 11",
    "  … 88 more lines",
  ]);
  const red = itemLines(
    { kind: "tool", summary: "x", ok: false, brief: "", shown: null },
    null,
    60,
    COLOURED,
  )[0];
  expect(red).toStartWith("\x1b[31m●\x1b[39m");
});

const ASKED = {
  type: "approval",
  id: "t",
  name: "r",
  summary: "run",
  preview: null,
  outside: false,
  pattern: null,
} as const;

test("TUI-14: an approval shows at most 15 lines of a coloured diff, and warns about paths outside the directory", () => {
  const text = [
    "@@ -1 +1 @@",
    ...Array.from({ length: 30 }, (_, at) => `${at % 2 === 0 ? "-" : "+"}line ${at}`),
  ].join("\n");
  const asked = app([
    {
      type: "approval",
      id: "t",
      name: "e",
      summary: "edit a.ts",
      preview: { kind: "diff", text },
      outside: true,
      caution: "It holds a secret.",
      pattern: "edit *.ts",
    },
  ]);
  const drawn = { ...asked, chat: reduce(asked.chat, { type: "drawn", at: 1000 }) };
  const seen = { ...drawn, now: 1000 + PAUSE_MS };
  const shown = screen(seen);
  expect(shown).toContain(
    "│ Allow: edit a.ts\n│ ! Outside the working directory.\n│ ! It holds a secret.\n│ @@ -1 +1 @@\n│ -line 0",
  );
  expect(shown).toContain(
    "│ … 21 more lines · Ctrl-O shows all\n│   1 Allow once\n│   2 Allow `edit *.ts` for this session\n│ ❯ 3 Deny\n│   4 Deny and say why\n\n",
  );
  expect(screen({ ...seen, size: { columns: 80, rows: 60 } })).toContain("│ … 17 more lines");
  // No option is marked before keys are accepted, or while there is a draft.
  for (const early of [asked, drawn, { ...drawn, now: seen.now - 1 }])
    expect(screen(early)).not.toContain("❯");
  const draft = { ...seen, editor: edit(seen.editor, { type: "insert", text: "wait" }) };
  expect(screen(draft)).toContain("│   3 Deny\n│   4 Deny and say why\n\n");
  expect([frameOf(seen, LOOK).cursor, frameOf(draft, LOOK).cursor?.x]).toEqual([null, 6]);
  const coloured = frameOf(seen, COLOURED).lines.join("\n");
  expect(coloured).toContain("\x1b[31m-line 0\x1b[39m");
  expect(coloured).toContain("\x1b[32m+line 1\x1b[39m");
  // Without room, the summary is cut until Ctrl-O, but the options are still shown.
  const wordy = app([{ ...ASKED, summary: `run ${"a very long thing ".repeat(99)}` }], {
    size: { columns: 40, rows: 12 },
  });
  expect(screen(wordy)).toMatch(
    /^│ Allow: run a very long thing [\s\S]*│ … \d+ more lines · Ctrl-O shows all\n│ {3}1 Allow once\n│ {3}2 Deny\n│ {3}3 Deny and say why\n+ {2}…$/m,
  );
  // A command is wrapped, never cut, so that all of it can be read.
  const command = `rm ${"x".repeat(300)} /etc`;
  const long = app([
    {
      type: "approval",
      id: "t",
      name: "r",
      summary: "run",
      preview: { kind: "command", text: command },
      outside: false,
      pattern: null,
    },
  ]);
  expect(screen(long).replace(/\n│ /g, "")).toContain(command);
});

test("TUI-16: a picker shows its keys once they work", () => {
  const picker = {
    command: "/resume",
    title: "Sessions",
    items: [{ value: "s1", label: "One", detail: "" }],
  };
  const offered = app([
    { type: "done", reason: "finished" },
    { type: "picker", picker },
  ]);
  expect(screen(offered)).toContain("Sessions");
  expect(screen(offered)).not.toContain("Enter");
  const seen = { ...offered, chat: reduce(offered.chat, { type: "drawn", at: 1000 }) };
  expect(screen(seen)).toMatch(/Enter select +Esc close/);
});

test("TUI-16: a completion list that does not fit shows how many items it has", () => {
  const items = Array.from({ length: 5_000 }, (_, at) => ({ value: `/why fact${at}`, detail: "" }));
  const shown = (index: number) =>
    screen(app([{ type: "done", reason: "finished" }], { completion: { from: 0, items, index } }));
  expect(shown(41)).toContain("42 of 5000");
  expect(shown(-1)).toMatch(/^ {2}5000$/m);
});

test("MD-4: completions are shown without control characters", () => {
  const completion = {
    from: 0,
    items: [{ value: "/resume a\x1b[2Jb", detail: "c\nd\x1b]0;t\x07e" }],
    index: 0,
  };
  expect(screen(app([{ type: "done", reason: "finished" }], { completion }))).toContain("❯ /resume ab  c de");
});

test("MD-1: Ctrl-L reprints as much of the conversation as fits, and nothing twice afterwards", () => {
  const events: Plain[] = Array.from({ length: 50 }, (_, at) => ({
    type: "notice",
    level: "info",
    text: `notice ${at}`,
  }));
  const long: Plain = {
    type: "output",
    text: Array.from({ length: 30 }, (_, at) => `paragraph ${at}\n\n`).join(""),
  };
  const state = redrawn(app([long, ...events.slice(-5), { type: "done", reason: "finished" }]), LOOK);
  const live = frameOf(state, LOOK).lines.length;
  expect(state.again?.lines.at(-1)).toBe("notice 49");
  expect((state.again?.lines.length ?? 0) + live).toBe(22);
  expect(state.again?.lines).toContain("paragraph 29");
  expect(state.again?.from).toBe(state.chat.committed.length);
});

const PICKER = {
  command: "/resume",
  title: "Sessions",
  items: Array.from({ length: 24 }, (_, at) => ({ value: `s${at}`, label: `Talk ${at}`, detail: "" })),
};
const FINISHED: Plain = { type: "done", reason: "finished" };
const RECALLED: Plain = { type: "context", parts: [], tokens: 1, recalled: 2 };

function typed(state: AppState, text: string): AppState {
  return { ...state, editor: edit(state.editor, { type: "insert", text }) };
}

function seen(state: AppState): AppState {
  return { ...state, chat: reduce(state.chat, { type: "drawn", at: 1000 }), now: 1000 + PAUSE_MS };
}

const SUGGESTED = {
  from: 0,
  items: [
    { value: "/search", detail: "" },
    { value: "/sessions", detail: "" },
  ],
  index: 0,
};

const STATES: Readonly<Record<string, AppState>> = {
  idle: app([FINISHED]),
  "after a reply": app([RECALLED, FINISHED]),
  draft: typed(app([FINISHED]), "hello"),
  replying: app([RECALLED]),
  "replying, with a draft": typed(app([RECALLED]), "hello"),
  "replying, with a queued line": {
    ...app([RECALLED]),
    chat: reduce(app([RECALLED]).chat, { type: "queued", line: "next" }),
  },
  approval: seen(app([{ ...ASKED, preview: { kind: "command", text: "ls" }, pattern: "ls" }])),
  "approval, with a draft": typed(seen(app([ASKED])), "hello"),
  picker: seen(app([FINISHED, { type: "picker", picker: PICKER }])),
  "permanent picker": seen(app([FINISHED, { type: "picker", picker: { ...PICKER, isPermanent: true } }])),
  completion: { ...typed(app([FINISHED]), "/se"), completion: SUGGESTED },
  "completion without a mark": { ...typed(app([FINISHED]), "/se"), completion: { ...SUGGESTED, index: -1 } },
  searching: openSearch(app([FINISHED]), ["an earlier line", "a line before it"]),
  closing: { ...app([]), chat: reduce(app([]).chat, { type: "closing", at: 1000 }) },
};

const NAMES: Readonly<Record<string, string>> = {
  "↑↓": "up",
  "↑": "up",
  Esc: "escape",
  Enter: "return",
  Tab: "tab",
};

/** The key that a hint such as "Ctrl-O show all" names. */
function keyOf(hint: string): Key {
  const [name = ""] = hint.split(" ");
  const letter = /^Ctrl-(.)$/.exec(name)?.[1]?.toLowerCase();
  const ctrl = letter !== undefined && letter !== "j";
  const plain = letter === "j" ? "newline" : (letter ?? NAMES[name] ?? name.charAt(0));
  const isText = letter === undefined && NAMES[name] === undefined;
  return { name: plain, text: isText ? plain : null, ctrl, alt: false, shift: false };
}

function hintsOf(state: AppState): string[] {
  const line = frameOf(state, LOOK).lines.at(-2) ?? "";
  return line.trim().split(/ {3}/);
}

for (const [name, state] of Object.entries(STATES))
  test(`TUI-20: every key in the footer does something: ${name}`, () => {
    const around = { at: state.now, complete: () => [], files: () => [], entries: () => ["an earlier line"] };
    const hints = hintsOf({ ...state, size: { columns: 200, rows: 24 } }).filter(
      (one) => !/^type to|^or keep/.test(one),
    );
    expect(hints.length).toBeGreaterThan(0);
    for (const hint of hints) {
      const after = press(state, [keyOf(hint)], around);
      const unchanged = { ...after.state, lastKeyAt: state.lastKeyAt };
      expect([hint, after.effects.length > 0 || !Bun.deepEquals(unchanged, state)]).toEqual([hint, true]);
    }
    for (const columns of [30, 44])
      expect(hintsOf({ ...state, size: { columns, rows: 15 } })[0]).toBe(hints[0] ?? "");
  });

test("TUI-20: the footer of an approval names the keys that answer it, and what Enter would answer", () => {
  const asked = STATES.approval ?? app([]);
  expect(hintsOf(asked)).toEqual(expect.arrayContaining(["Enter deny", "Esc deny and stop", "1–4 answer"]));
  const first = press(asked, [keyOf("↑")], {
    at: asked.now,
    complete: () => [],
    files: () => [],
    entries: () => [],
  }).state;
  expect(hintsOf(first)).toContain("Enter allow for this session");
  expect(hintsOf({ ...asked, now: 1000 })).toEqual(["…"]);
});

test("TUI-40: a list without a marked option says that an arrow key comes before Enter", () => {
  const opened = STATES["permanent picker"] ?? app([]);
  const around = { at: opened.now, complete: () => [], files: () => [], entries: () => [] };
  expect(hintsOf(opened)).toContain("↑↓ choose, then Enter");
  const says = /^› Choose with ↑↓, then press Enter/m;
  expect(screen(opened)).toMatch(says);
  const marked = press(opened, [keyOf("↑")], around).state;
  for (const state of [marked, press(opened, [keyOf("x")], around).state, STATES.picker ?? app([])])
    expect(screen(state)).not.toMatch(says);
  expect(hintsOf(marked)).toEqual(expect.arrayContaining(["↑↓ choose", "Enter select"]));
  const skipped = { ...PICKER, isUnprompted: true, skip: "later" };
  expect(hintsOf(seen(app([FINISHED, { type: "picker", picker: skipped }])))).toContain("↑↓ choose");
});

test("TUI-40: a choice from such a list appears as its answer, not as a line that nobody typed", () => {
  const around = { at: 5000, complete: () => [], files: () => [], entries: () => [] };
  const answer: Plain = { type: "notice", level: "info", text: "Forgotten." };
  const said = (state: AppState) => {
    const marked = press(state, [keyOf("↑")], around).state;
    const { chat } = press(marked, [keyOf("Enter")], around).state;
    return reduce(chat, { type: "event", event: answer, at: 5000 }).committed.slice(
      state.chat.committed.length,
    );
  };
  expect(said(STATES["permanent picker"] ?? app([])).map(({ kind }) => kind)).toEqual(["notice"]);
  expect(said(STATES.picker ?? app([])).map(({ kind }) => kind)).toEqual(["user", "notice"]);
});

test("TUI-20: a key lists the memories of the last reply, if it used any", () => {
  const around = { at: 5000, complete: () => [], files: () => [], entries: () => [] };
  const key = keyOf("Ctrl-T");
  expect(press(STATES["after a reply"] ?? app([]), [key], around).effects).toEqual([
    { type: "send", line: "/why" },
  ]);
  for (const name of ["idle", "draft", "replying", "approval", "picker"])
    expect([name, press(STATES[name] ?? app([]), [key], around).effects]).toEqual([name, []]);
});

test("TUI-16: lists show how many items there are, scroll, and show all of the marked item", () => {
  const picking = STATES.picker ?? app([]);
  const narrow = { ...picking, size: { columns: 44, rows: 15 } };
  expect(screen(narrow)).toContain("1 of 24");
  const last = { ...narrow, pick: { filter: "", index: 23 } };
  expect(screen(last)).toContain("24 of 24");
  expect(screen(last)).toContain("❯ Talk 23");
  expect(screen({ ...narrow, pick: { filter: "talk 2", index: null } })).toContain("1 of 6");
  const commands = Array.from({ length: 24 }, (_, at) => ({ value: `/command-${at}`, detail: "does it" }));
  const menu = { ...typed(app([FINISHED]), "/"), completion: { items: commands, index: 2, from: 0 } };
  expect(screen(menu)).toContain("3 of 24");
  const items = [
    {
      value: "a",
      label: "A fact of so many words that one line cannot hold them",
      detail: "2026-11-15, fact 3f9a2xw0c1",
    },
  ];
  const long = seen(
    app([FINISHED, { type: "picker", picker: { ...PICKER, items } }], { size: { columns: 44, rows: 15 } }),
  );
  expect(screen(long).replace(/\n +/g, " ")).toContain(`${items[0]?.label} ${items[0]?.detail}`);
});
