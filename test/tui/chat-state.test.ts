/** The reducer from the chat's events to the screen: nothing is lost or shown twice, and printed items never change. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent } from "../../src/agent/events.ts";
import { type ChatState, initialState } from "../../src/tui/chat-shape.ts";
import { reduce } from "../../src/tui/chat-state.ts";
import { EventPump, FRAME_MS } from "../../src/tui/event-pump.ts";
import type { Item } from "../../src/tui/items.ts";

/** A pump and a state with a manual clock. */
class Played {
  state: ChatState = initialState(0, false);
  now = 0;
  dispatched = 0;
  seen: ChatState[] = [];
  width = 60;
  #later: { run: () => void; at: number } | null = null;
  readonly pump = new EventPump({
    dispatch: (action) => {
      this.dispatched++;
      this.state = reduce(this.state, action);
      this.seen.push(this.state);
    },
    width: () => this.width,
    markdown: { colours: false },
    now: () => this.now,
    later: (run, ms) => {
      this.#later = { run, at: this.now + ms };
      return () => {
        this.#later = null;
      };
    },
  });

  constructor() {
    this.push(
      { type: "model", name: "test/model", contextTokens: 1000 },
      { type: "done", reason: "finished" },
    );
  }

  push(...events: readonly ChatEvent[]): this {
    for (const event of events) this.pump.push(event);
    return this;
  }

  send(line: string): this {
    this.state = reduce(this.state, { type: "sent", line, at: this.now });
    return this;
  }

  wait(ms: number): this {
    this.now += ms;
    const later = this.#later;
    if (later !== null && later.at <= this.now) {
      this.#later = null;
      later.run();
    }
    return this;
  }
}

const EMPTY_CHANGES = {
  saved: [],
  superseded: [],
  ended: [],
  unknown: [],
  skipped: [],
  refused: [],
  failed: [],
  working: "unchanged",
} as const;

function past(text: string) {
  return { role: "user", text, at: "2026-11-16T00:00:00Z", tools: [], interrupted: false } as const;
}

/** Fills texts with numbered words, so that each can be recognised. */
type Draft =
  | ChatEvent
  | { readonly type: "words"; readonly separators: readonly string[] }
  | { readonly type: "wait" };

const draft: fc.Arbitrary<Draft> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("words" as const),
      separators: fc.array(fc.constantFrom(" ", " ", "\n", "\n\n", "\n- ", "\n```\n", "\n> "), {
        maxLength: 8,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ type: "wait" as const }) },
  fc.constantFrom<ChatEvent>(
    { type: "thinking", text: "Hm. " },
    { type: "context", parts: [], tokens: 10, recalled: 2 },
    { type: "retry", attempt: 1, of: 3, seconds: 2, why: "busy" },
    { type: "tool", id: "t1", name: "read", summary: "read a" },
    { type: "tool", id: "t2", name: "run", summary: "run b" },
    {
      type: "approval",
      id: "t2",
      name: "run",
      summary: "run b",
      preview: null,
      outside: false,
      pattern: null,
    },
    { type: "answered", id: "t2", decision: { answer: "once" } },
    {
      type: "result",
      id: "t1",
      name: "read",
      ok: true,
      brief: "3 lines",
      shown: { kind: "text", text: "a" },
    },
    { type: "tool-output", id: "t2", text: "first\n" },
    {
      type: "result",
      id: "t2",
      name: "run",
      ok: false,
      brief: "exit 1",
      shown: { kind: "output", text: "a" },
    },
    { type: "message", id: 1, text: "", interrupted: false },
    { type: "memory", ...EMPTY_CHANGES, saved: ["Ada likes tea."] },
    { type: "memory", ...EMPTY_CHANGES },
    { type: "notice", level: "info", text: "noticed" },
    { type: "error", code: "x", message: "wrong", hint: null },
    { type: "output", text: "put out" },
    { type: "named", id: "s", title: "Title" },
    {
      type: "usage",
      turn: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      cost: 1,
      costComplete: true,
      contextUsed: 5,
    },
    { type: "picker", picker: { title: "P", command: "/p", items: [] } },
    { type: "session", id: "s", chat: "main", title: "Other", incognito: false, past: [] },
    { type: "user", text: "stored" },
    { type: "done", reason: "interrupted" },
  ),
);

/** Finds them with anything in between, and across line breaks. */
function wordsOf(lines: readonly string[]): string[] {
  return (
    lines
      .join("")
      .replace(/[^wx\d]/g, "")
      .match(/w\d+x/g) ?? []
  );
}

function shownWords({ committed, opening, reply }: ChatState): string[] {
  const items = [...committed, ...(opening ?? [])];
  return [
    ...items.flatMap((item) => (item.kind === "reply" ? wordsOf(item.lines) : [])),
    ...wordsOf(reply?.lines ?? []),
  ];
}

test("TUI-19: a reply that only ends a fact says so", () => {
  const { state } = new Played().push({ type: "memory", ...EMPTY_CHANGES, ended: ["Ada is on leave."] });
  expect(state.committed.at(-1)?.kind).toBe("memory");
});

test("TUI-4: committed items only grow until another session begins; no part of a reply is lost or shown twice", () => {
  fc.assert(
    fc.property(fc.array(draft, { maxLength: 60 }), fc.integer({ min: 8, max: 80 }), (drafts, width) => {
      const played = new Played();
      played.width = width;
      let count = 0;
      let expected: string[] = [];
      let before = played.state;
      const check = () => {
        for (const state of played.seen.splice(0)) {
          if (state.conversation === before.conversation)
            expect(state.committed.slice(0, before.committed.length)).toEqual([...before.committed]);
          before = state;
        }
      };
      for (const one of drafts) {
        if (one.type === "wait") played.wait(FRAME_MS);
        else if (one.type !== "words") {
          played.push(one);
          if (one.type === "session") expected = [];
        } else
          for (const separator of ["", ...one.separators]) {
            const word = `w${++count}x`;
            expected.push(word);
            played.push({ type: "text", text: `${separator}${word} ` });
          }
        check();
        const shown = shownWords(played.state);
        expect(shown).toEqual(expected.slice(0, shown.length));
        if (one.type === "wait" || (one.type !== "words" && one.type !== "thinking"))
          expect(shown.length).toBe(expected.length);
      }
      played.push({ type: "done", reason: "finished" });
      expect(shownWords(played.state)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test("TUI-4: after the last event nothing is live, and each item appears once", () => {
  fc.assert(
    fc.property(fc.array(draft, { maxLength: 40 }), (drafts) => {
      const kept = drafts.filter(
        (one): one is ChatEvent => !["words", "wait", "session", "done", "user"].includes(one.type),
      );
      const played = new Played().send("the line").push(...kept, { type: "done", reason: "finished" });
      const { state } = played;
      const { reply, tools, approval, busy, sent, thinking, retry } = state;
      expect({ reply, tools, approval, busy, sent, thinking, retry }).toEqual({
        reply: null,
        tools: [],
        approval: null,
        busy: null,
        sent: null,
        thinking: null,
        retry: null,
      });
      const counted = (kind: Item["kind"]) => state.committed.filter((item) => item.kind === kind).length;
      const happened = (type: ChatEvent["type"]) => kept.filter((event) => event.type === type).length;
      expect(counted("user")).toBe(1);
      expect(counted("error")).toBe(happened("error"));
      expect(counted("notice")).toBe(happened("notice"));
      expect(counted("markdown")).toBe(happened("output"));
      expect(counted("memory")).toBe(
        kept.filter((event) => event.type === "memory" && event.saved.length > 0).length,
      );
      expect(counted("tool")).toBeGreaterThanOrEqual(
        Math.max(happened("result"), happened("tool") - happened("result")),
      );
    }),
    { numRuns: 300 },
  );
});

test("TUI-4: the rest of a reply is committed before the event that ends it", () => {
  const rest = { type: "reply", finished: ["one"], rest: ["two"], at: 0 } as const;
  const wrong = { type: "error", code: "x", message: "wrong", hint: null } as const;
  const state = [rest, { type: "event", event: wrong, at: 0 } as const].reduce(reduce, new Played().state);
  expect(state.committed.slice(-3).map((item) => ("lines" in item ? item.lines : item.kind))).toEqual([
    ["one"],
    ["two"],
    "error",
  ]);
  expect(state.reply).toBeNull();
});

test("TUI-4: thinking is one item, even with other events in between", () => {
  const hm = { type: "thinking", text: "Hm. " } as const;
  const played = new Played().push(hm, { type: "named", id: "s", title: "T" }).wait(8000);
  played.push(hm, { type: "text", text: "So." }).wait(FRAME_MS);
  expect(played.state.committed.slice(-1)).toEqual([{ kind: "thinking", text: "Hm. Hm. ", seconds: 8 }]);
});

test("TUI-4: text is batched and drawn at most thirty times a second; other events are drawn at once, after it", () => {
  const played = new Played();
  played.dispatched = 0;
  for (let word = 0; word < 200; word++) played.push({ type: "text", text: `w${word}x ` }).wait(5);
  expect(played.dispatched).toBeGreaterThan(20);
  expect(played.dispatched).toBeLessThanOrEqual(1 + Math.ceil(1000 / FRAME_MS));
  played.push({ type: "text", text: "w200x" }, { type: "notice", level: "info", text: "and" });
  expect(played.state.committed.at(-1)).toEqual({ kind: "notice", level: "info", text: "and" });
  expect(shownWords(played.state)).toHaveLength(201);
});

test("TUI-4: a finished paragraph is committed during a reply, and the rest is rewrapped for a new width", () => {
  const played = new Played()
    .push({ type: "text", text: "# One\n\nFirst paragraph.\n\nThe second goes on and on" })
    .wait(FRAME_MS);
  const lines = (state: ChatState) =>
    state.committed.flatMap((item) => (item.kind === "reply" ? item.lines : []));
  expect(lines(played.state)).toContain("First paragraph.");
  expect(played.state.reply?.lines.join("")).toContain("The second goes on and on");
  played.width = 12;
  played.pump.resize();
  expect(played.state.reply?.lines.filter((line) => line !== "")).toEqual([
    "The second",
    "goes on and",
    "on",
  ]);
  expect(lines(played.state)).toContain("First paragraph.");
});

test("MD-4: no control character of an event reaches the screen, even if a sequence arrives in two pieces", () => {
  const nasty = "a\x1b[31mb\x07\x9b2Jc\x1b]0;t\x07\u202e\u200f\u061c\u200b\ufeff\u3164\u{e0041}d";
  const played = new Played().push(
    { type: "text", text: "x\x1b" },
    { type: "text", text: "[2Jy\x1b]0;ti" },
    { type: "text", text: "tbar\x07z" },
    { type: "thinking", text: `\x1b` },
    { type: "thinking", text: "[1Ahm" },
    { type: "tool", id: "t", name: nasty, summary: nasty },
    { type: "result", id: "t", name: nasty, ok: true, brief: nasty, shown: { kind: "output", text: nasty } },
    { type: "memory", ...EMPTY_CHANGES, saved: [nasty], refused: [{ text: nasty, why: nasty }] },
    { type: "notice", level: "info", text: nasty },
    { type: "error", code: nasty, message: nasty, hint: nasty },
    { type: "named", id: "s", title: nasty },
    {
      type: "picker",
      picker: { title: nasty, command: "/p", items: [{ value: "v\x01", label: nasty, detail: nasty }] },
    },
    { type: "session", id: "s", chat: "c", title: nasty, incognito: false, past: [past(nasty)] },
  );
  const all = JSON.stringify(played.seen.map(({ picker: _, ...state }) => state));
  expect(all).not.toMatch(
    /\\u00[01]|\\u001b|\u009b|[\u202e\u200f\u061c\u200b\ufeff\u3164\udb40]|\[2J|\[31m|\[1A|tbar/,
  );
  expect(all).toContain('"xyz"');
  expect(all).toContain('"abcd"');
  // Values that go back to the chat are unchanged.
  expect(played.state.picker?.picker.items[0]).toEqual({ value: "v\x01", label: "abcd", detail: "abcd" });
});

test("TOOL-4: an approval shows every character that would hide text, move the cursor or change the direction", () => {
  const asked = new Played().push({
    type: "approval",
    id: "t",
    name: "run",
    summary: "run\u200b it",
    preview: { kind: "command", text: "rm\u202e x\r\x1b[2K\nls 👩‍🚀" },
    outside: false,
    pattern: null,
  });
  expect(asked.state.approval?.summary).toBe("run⟨U+200B⟩ it");
  expect(asked.state.approval?.preview?.text).toBe("rm⟨U+202E⟩ x⟨U+000D⟩⟨U+001B⟩[2K\nls 👩‍🚀");
});

test("CHAT-6: a resumed session shows its messages below a divider", () => {
  const played = new Played().send("/resume s").push({
    type: "session",
    id: "s",
    chat: "main",
    title: "The garden",
    incognito: false,
    past: [
      past("Where were we?"),
      {
        ...past("Here."),
        role: "assistant",
        tools: [{ name: "read", summary: "read a", ok: true, brief: "", shown: null }],
        interrupted: true,
      },
    ],
  });
  expect(played.state.conversation).toBe(1);
  expect(played.state.committed.map(({ kind }) => kind)).toEqual([
    "user",
    "divider",
    "user",
    "markdown",
    "tool",
    "notice",
  ]);
  const long = new Played().push({
    type: "session",
    id: "s",
    chat: "c",
    title: null,
    incognito: true,
    past: Array.from({ length: 250 }, () => past("x")),
  });
  expect(long.state.committed[1]).toEqual({ kind: "notice", level: "info", text: "… 220 earlier messages" });
});
