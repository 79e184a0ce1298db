/** What the page shows of a chat, as a function of its events. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "marked";
import { ChatLog, type LoggedEvent, type PageChatEvent } from "../../../src/serve/page/chat-log.ts";
import { grownBlocks, NO_BLOCKS } from "../../../src/web/chat/blocks.ts";
import { type ChatState, INITIAL, otherOffers, reduce } from "../../../src/web/chat/state.ts";

const SESSION = { type: "session", id: null, chat: "main", title: null, incognito: false, past: [] } as const;
const DONE = { type: "done", reason: "finished" } as const;
const SHOWN = { kind: "output", text: "made\n" } as const;
const CHANGES = {
  saved: ["Tea"],
  superseded: [],
  ended: [],
  unknown: [],
  skipped: [],
  refused: [],
  failed: [],
};

/** A turn with everything in it, after the start. */
const TURN: readonly PageChatEvent[] = [
  SESSION,
  { type: "model", name: "m", contextTokens: 1_000 },
  DONE,
  { type: "sent", line: "Make it" },
  { type: "user", text: "Make it" },
  {
    type: "context",
    parts: [{ name: "relevant", title: "R", tokens: 3, memories: ["fact a"], scores: [0.5] }],
    tokens: 3,
    recalled: 1,
  },
  { type: "thinking", text: "Hm" },
  { type: "thinking", text: "m." },
  { type: "text", text: "Let me " },
  {
    type: "usage",
    turn: { input: 1, output: 1, cacheRead: null, cacheWrite: null },
    cost: null,
    costComplete: true,
    contextUsed: 9,
  },
  { type: "text", text: "see.\n\nThen" },
  { type: "message", id: 2, text: "Let me see.\n\nThen", interrupted: false },
  { type: "tool", id: "c1", name: "run_command", summary: "run `make`" },
  { type: "tool-output", id: "c1", text: "ma" },
  { type: "tool-output", id: "c1", text: "de\n" },
  { type: "result", id: "c1", name: "run_command", ok: true, brief: "exit 0", shown: SHOWN },
  { type: "text", text: "Done" },
  { type: "message", id: 4, text: "Done", interrupted: false },
  { type: "memory", ...CHANGES, working: "unchanged", changed: [{ id: "f1", text: "Tea", change: "saved" }] },
  { type: "offers", offers: [{ name: "saved", label: "undo or edit", line: "/saved" }] },
  DONE,
];

function stateAfter(events: readonly PageChatEvent[]): ChatState {
  const log = new ChatLog();
  return events.flatMap((event) => log.append(event)).reduce(reduce, INITIAL);
}

test("TUI-40: a choice from a list that marks nothing at first appears as its answer, not as a line that nobody typed", () => {
  const item = { value: "f1 from now on", label: "Ada likes tea.", detail: "" };
  const picker = { title: "Which?", command: "/forget", items: [item] };
  const after = (isPermanent: boolean, line: string) =>
    stateAfter([SESSION, { type: "picker", picker: { ...picker, isPermanent } }, { type: "sent", line }])
      .items;
  expect(after(true, "/forget f1 from now on")).toEqual([]);
  for (const items of [after(true, "/forget f1"), after(false, "/forget f1 from now on")])
    expect(items).toMatchObject([{ kind: "command" }]);
});

test("a turn becomes items in the order of its events, and its memories come last", () => {
  const state = stateAfter(TURN);
  expect(state.items.map(({ kind }) => kind)).toEqual([
    ...(["user", "thinking", "reply", "tool", "reply", "memory", "given"] as const),
  ]);
  expect(state.items[2]).toEqual({ kind: "reply", text: "Let me see.\n\nThen" });
  expect(state.items[3]).toMatchObject({ state: "ok", brief: "exit 0", output: "", shown: SHOWN });
  expect(state.doing).toBeNull();
  // The button below the saved memory offers the same.
  expect(otherOffers(state)).toEqual([]);
  expect(otherOffers(stateAfter([...TURN, { type: "sent", line: "/undo f1" }]))).toHaveLength(1);
  expect(otherOffers(stateAfter([...TURN, { type: "sent", line: "/edit f1" }]))).toEqual([]);
});

test("a browser that loses the connection anywhere, any number of times, shows the same", () => {
  const whole = stateAfter(TURN);
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: TURN.length, maxLength: TURN.length }), (drops) => {
      const log = new ChatLog();
      let state = INITIAL;
      let last: string | null = null;
      for (const [index, event] of TURN.entries()) {
        const sent = log.append(event);
        // While the connection is lost, nothing arrives; afterwards, what follows the last event.
        if (drops[index]) continue;
        const arrived: LoggedEvent[] = index > 0 && drops[index - 1] ? log.since(last) : sent;
        state = arrived.reduce(reduce, state);
        last = arrived.at(-1)?.id ?? last;
      }
      state = log.since(last).reduce(reduce, state);
      expect({ ...state, conversation: 1 }).toEqual(whole);
    }),
  );
});

test("only a message without any reply can be sent again", () => {
  const failed = { type: "done", reason: "failed" } as const;
  const asked = TURN.slice(0, 6);
  expect(stateAfter([...asked, failed]).canRetry).toBe(true);
  expect(stateAfter([...asked, { type: "text", text: "So" }, failed]).canRetry).toBe(false);
  expect(stateAfter([...TURN, { type: "sent", line: "/nope" }, failed]).canRetry).toBe(false);
});

test("another conversation keeps the model, and nothing else", () => {
  const state = stateAfter([...TURN, { type: "sent", line: "/new" }, SESSION, DONE]);
  expect(state).toMatchObject({
    items: [],
    offers: [],
    conversation: 2,
    status: { model: "m", contextUsed: null },
  });
});

test("blocks of a growing text show the same as the whole text, and finished ones stay the same", () => {
  const piece = fc.constantFrom(
    "a ",
    "\n",
    "\n\n",
    "- x\n",
    "```\n",
    "# h\n",
    "> q\n",
    "1. y\n\n",
    "|a|\n|-|\n",
    "    c\n",
    "---\n",
    "===\n",
    "  z\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      let text = "";
      let blocks = NO_BLOCKS;
      for (const one of pieces) {
        text += one;
        const next = grownBlocks(text, blocks);
        expect(next.finished.slice(0, blocks.finished.length)).toEqual([...blocks.finished]);
        expect(next.finished.join("") + next.rest).toBe(text);
        blocks = next;
      }
      const html = [...blocks.finished, blocks.rest].map((block) => parse(block, { async: false })).join("");
      expect(html.replace(/\s+/g, " ")).toBe(parse(text, { async: false }).replace(/\s+/g, " "));
    }),
  );
});
