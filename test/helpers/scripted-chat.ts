/**
 * A chat that plays a part: what it says depends on the line alone, so that a face can be tested without a model. What it was
 * asked is written down, one JSON line a call.
 */
import { appendFileSync, existsSync } from "node:fs";
import type { ChatEvent, ChatFace, EventOf, PastMessage } from "../../src/agent/events.ts";
import type { Decision, ToolPlan } from "../../src/agent/tool.ts";
import type { MemoryChanges } from "../../src/core/facts/memory-changes.ts";

export interface ScriptOptions {
  /** Where calls are written down. */
  readonly log?: string;
  /** "wait <name>" goes on once the file <name> is in here. */
  readonly gates?: string;
  readonly past?: readonly PastMessage[];
  readonly model?: string | null;
}

type Events = AsyncGenerator<ChatEvent>;

const COMMANDS = [
  { value: "/sessions", detail: "list what was talked about" },
  { value: "/search", detail: "find memories" },
  { value: "/resume", detail: "go on with a session" },
  { value: "/model", detail: "who answers" },
  { value: "/help", detail: "show these commands" },
  { value: "/quit", detail: "leave" },
];
const MODELS = ["fast", "clever", "cheap"].map((name) => ({
  value: `/model ${name}`,
  detail: `the ${name} one`,
}));

export class ScriptedChat implements ChatFace {
  readonly #waiting = new Map<string, (decision: Decision) => void>();
  #calls = 0;

  constructor(private readonly options: ScriptOptions = {}) {}

  async *start(): Events {
    const { past = [], model = "scripted/clever-1" } = this.options;
    yield { type: "session", id: null, chat: "main", title: null, incognito: false, past };
    yield { type: "model", name: model, contextTokens: 100_000 };
    yield { type: "tools", mode: "ask" };
    yield { type: "done", reason: "finished" };
  }

  async *send(line: string, signal: AbortSignal): Events {
    this.#log({ send: line });
    let reason: EventOf<"done">["reason"] = "finished";
    for await (const event of this.#play(line, signal)) {
      if (event.type === "error") reason = "failed";
      yield event;
    }
    if (signal.aborted) {
      this.#log({ aborted: line });
      reason = "interrupted";
    }
    yield { type: "done", reason };
  }

  answer(id: string, decision: Decision): void {
    this.#log({ answer: decision.answer });
    this.#waiting.get(id)?.(decision);
  }

  stopTool(id: string): void {
    this.#log({ stop: id });
  }

  complete(beginning: string) {
    return [...COMMANDS, ...MODELS].filter(
      ({ value }) => value.startsWith(beginning) && value.includes(" ") === beginning.includes(" "),
    );
  }

  async *close(signal: AbortSignal): Events {
    this.#log({ close: signal.aborted ? "at once" : "in peace" });
    if (this.options.gates !== undefined && existsSync(`${this.options.gates}/slow-close`))
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve());
      });
    this.#log({ closed: signal.aborted ? "at once" : "in peace" });
    yield { type: "done", reason: "finished" };
  }

  #log(call: Record<string, string>): void {
    if (this.options.log !== undefined) appendFileSync(this.options.log, `${JSON.stringify(call)}\n`);
  }

  async *#play(line: string, signal: AbortSignal): Events {
    const [word = "", ...rest] = line.split(" ");
    const argument = rest.join(" ");
    if (word.startsWith("/")) return yield* this.#command(word, argument);
    yield { type: "user", text: line };
    yield { type: "named", id: "session_1", title: "A talk about things" };
    yield { type: "context", parts: [], tokens: 900, recalled: 3 };
    const part = PARTS[word];
    if (part !== undefined) for (const event of part(argument)) yield event;
    else if (word === "wait") yield* this.#wait(argument, signal);
    else if (word === "ask") yield* this.#ask(argument, signal);
    else if (word === "stream") yield* stream(Number(argument), signal);
    else if (word === "crash") throw new Error("a bug of the chat");
    else if (word === "deaf") yield* deaf();
    else if (word === "explode")
      setTimeout(() => {
        throw new Error("a bug beside the chat");
      });
    else yield { type: "text", text: `You said **${line.length}** characters.` };
    yield { type: "message", id: 2, text: "", interrupted: signal.aborted };
    yield { type: "usage", turn: NO_USAGE, cost: 0.0021, costComplete: true, contextUsed: 12_000 };
  }

  async *#command(word: string, argument: string): Events {
    if (word === "/help") yield { type: "output", text: "# Help\n\nThere is `none`." };
    else if (word === "/quit") yield { type: "quit" };
    else if (word === "/sessions") yield { type: "picker", picker: SESSIONS };
    else if (word === "/resume")
      yield {
        type: "session",
        id: argument,
        chat: "main",
        title: `Talk ${argument}`,
        incognito: false,
        past: PAST,
      };
    else yield { type: "error", code: "usage", message: `There is no command ${word}.`, hint: "Try /help." };
  }

  /** Says something, then nothing until the gate is there. */
  async *#wait(gate: string, signal: AbortSignal): Events {
    yield { type: "text", text: `Waiting for ${gate}.\n\nMeanwhile` };
    while (!existsSync(`${this.options.gates}/${gate}`) && !signal.aborted) await Bun.sleep(10);
    if (!signal.aborted) yield { type: "text", text: ` nothing, and ${gate} came.` };
  }

  async *#ask(what: string, signal: AbortSignal): Events {
    const id = `call_${++this.#calls}`;
    const asked = APPROVALS[what] ?? { summary: what, preview: null, outside: false, pattern: null };
    yield { type: "text", text: "Let me do that.\n" };
    yield { type: "message", id: 1, text: "", interrupted: false };
    yield { type: "tool", id, name: what, summary: asked.summary };
    yield { type: "approval", id, name: what, ...asked };
    const decision = await new Promise<Decision>((resolve) => {
      this.#waiting.set(id, resolve);
      signal.addEventListener("abort", () => resolve({ answer: "deny" }));
    });
    yield { type: "answered", id, decision };
    yield {
      type: "result",
      id,
      name: what,
      ok: decision.answer !== "deny",
      brief: decision.answer === "deny" ? "not allowed" : "done",
      shown: { kind: "text", text: "It ran." },
    };
    yield { type: "text", text: `The answer was ${decision.answer}.` };
  }
}

const SEEN = { kind: "text", text: "line 1" } as const;

const NO_USAGE = { input: null, output: null, cacheRead: null, cacheWrite: null };

const DIFF = ["--- a/app.ts", "+++ b/app.ts", "@@ -1,30 +1,30 @@"]
  .concat(Array.from({ length: 20 }, (_, index) => `-old line ${index}\n+new line ${index}`))
  .join("\n");

const APPROVALS: Readonly<Record<string, Pick<ToolPlan, "summary" | "preview" | "outside" | "pattern">>> = {
  edit: {
    summary: "edit src/app.ts",
    preview: { kind: "diff", text: DIFF },
    outside: false,
    pattern: "edit src/…",
  },
  run: {
    summary: "run `rm -r /srv/old`",
    preview: { kind: "command", text: "rm -r /srv/old\u202e && true\x1b[2J" },
    outside: true,
    pattern: null,
  },
};

const NOTHING_KEPT: MemoryChanges = {
  saved: [],
  superseded: [],
  ended: [],
  unknown: [],
  skipped: [],
  refused: [],
  failed: [],
  working: "unchanged",
};

/** What is said to a line that starts with the word. */
const PARTS: Readonly<Record<string, (argument: string) => ChatEvent[]>> = {
  lines: (count) =>
    Array.from({ length: Number(count) }, (_, index) => ({
      type: "text",
      text: `row ${index + 1} of ${count}\n\n`,
    })),
  code: (count) => [
    { type: "text", text: "```ts\n" },
    ...Array.from(
      { length: Number(count) },
      (_, index): ChatEvent => ({ type: "text", text: `const x${index} = ${index};\n` }),
    ),
    { type: "text", text: "```\n" },
  ],
  think: () => [
    { type: "thinking", text: "The question is short. " },
    {
      type: "thinking",
      text: "It wants a short answer, so that is what it gets, and nothing else at all. ".repeat(4),
    },
    { type: "text", text: "Short answer." },
  ],
  read: () => [
    { type: "tool", id: "r1", name: "read", summary: "read src/app.ts" },
    { type: "result", id: "r1", name: "read", ok: true, brief: "42 lines", shown: SEEN },
    { type: "tool", id: "r2", name: "read", summary: "read src/none.ts" },
    { type: "result", id: "r2", name: "read", ok: false, brief: "not found", shown: SEEN },
    { type: "text", text: "It is there." },
  ],
  keep: () => [
    { type: "text", text: "Noted." },
    {
      type: "memory",
      ...NOTHING_KEPT,
      saved: ["Ada likes tea."],
      superseded: [{ before: "Timezone: Madrid", after: "Timezone: Lisbon" }],
      ended: [],
      unknown: [],
      skipped: ["Ada has a cat."],
      refused: [{ text: "the key", why: "it is a secret" }],
    },
  ],
  markdown: () => [
    {
      type: "text",
      text: "# Title\n\nSome **bold** text, `code`, and a list:\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end.",
    },
  ],
  fail: () => [
    { type: "text", text: "I begin and" },
    { type: "error", code: "network", message: "The model cannot be reached.", hint: "Is the network up?" },
  ],
  retry: () => [
    { type: "retry", attempt: 1, of: 5, seconds: 30, why: "overloaded" },
    { type: "text", text: "At last." },
  ],
  nasty: () => [
    { type: "text", text: "before\x1b[2J\x1b[31mred\x07 after\x1b]0;title\x07 end" },
    { type: "notice", level: "warning", text: "careful\x1b[1A\x9b2J!" },
  ],
};

/** Neither ends nor listens. */
async function* deaf(): Events {
  yield { type: "text", text: "I do not listen." };
  await new Promise(() => {});
}

/** Words as a model says them: two hundred a second. */
async function* stream(words: number, signal: AbortSignal): Events {
  for (let index = 0; index < words && !signal.aborted; index++) {
    yield { type: "text", text: index % 12 === 11 ? `word${index}.\n\n` : `word${index} ` };
    await Bun.sleep(5);
  }
}

const SESSIONS = {
  title: "Sessions",
  command: "/resume",
  items: Array.from({ length: 30 }, (_, index) => ({
    value: `s${index + 1}`,
    label: `Talk ${index + 1}`,
    detail: index === 6 ? "about gardens" : `${index + 2} messages`,
  })),
};

const PAST: readonly PastMessage[] = [
  { role: "user", text: "Where were we?", at: "2026-11-15T10:00:00Z", tools: [], interrupted: false },
  {
    role: "assistant",
    text: "We were **here**.",
    at: "2026-11-15T10:00:01Z",
    tools: [{ name: "read", summary: "read notes.md", ok: true, brief: "", shown: null }],
    interrupted: true,
  },
];
