/** What keys do in the input, with queued lines, in approvals and pickers, and when quitting. */
import { expect, test } from "bun:test";
import type { Key as InkKey } from "ink";
import { PAUSE_MS } from "../../src/agent/choices.ts";
import type { ChatEvent } from "../../src/agent/events.ts";
import { type AppState, initialApp } from "../../src/tui/app-state.ts";
import { type ChatAction, reduce } from "../../src/tui/chat-state.ts";
import { contentOf } from "../../src/tui/editor/editor.ts";
import { type Effect, pasted, press, recompleted } from "../../src/tui/editor/input.ts";
import { type Key, keysOf } from "../../src/tui/editor/keys.ts";

const NO_KEY: InkKey = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

const COMMANDS = ["/sessions", "/search", "/model", "/model fast", "/model clever"];

/** A user at the keyboard, with a second between keys by default. */
class Person {
  state: AppState;
  effects: Effect[] = [];
  at = 10_000;
  history = ["first", "second"];
  files: string[] = [];

  constructor(isBusy = false) {
    this.state = initialApp({ columns: 80, rows: 24 }, 0, false);
    this.happens({ type: "model", name: "m", contextTokens: null }, { type: "done", reason: "finished" });
    if (isBusy) this.chat({ type: "sent", line: "running", at: this.at });
  }

  chat(action: ChatAction): this {
    this.state = { ...this.state, chat: reduce(this.state.chat, action) };
    return this;
  }

  happens(...events: readonly Exclude<ChatEvent, { type: "text" }>[]): this {
    for (const event of events) this.chat({ type: "event", event, at: this.at });
    return this;
  }

  sees(): this {
    return this.chat({ type: "drawn", at: this.at });
  }

  /** Input as Ink passes it on. */
  reads(input: string, key: Partial<InkKey> = {}, after = 1000): this {
    this.at += after;
    return this.#press(keysOf(input, { ...NO_KEY, ...key }));
  }

  types(text: string): this {
    for (const character of text) this.reads(character, {}, 50);
    return this;
  }

  enter(): this {
    return this.reads("\r", { return: true });
  }

  ctrl(letter: string): this {
    return this.reads(letter, { ctrl: true });
  }

  pastes(text: string): this {
    this.at += 1000;
    this.state = pasted(this.state, text, this.#around());
    return this;
  }

  get text(): string {
    return contentOf(this.state.editor);
  }

  get last(): Effect | undefined {
    return this.effects.at(-1);
  }

  #press(keys: readonly Key[]): this {
    const { state, effects } = press(this.state, keys, this.#around());
    this.state = state;
    this.effects.push(...effects);
    return this;
  }

  #around() {
    return {
      at: this.at,
      entries: () => this.history,
      files: (part: string) =>
        this.files.filter((value) => value.includes(part)).map((value) => ({ value, detail: "" })),
      complete: (line: string) =>
        COMMANDS.filter((value) => value.startsWith(line) && value.includes(" ") === line.includes(" ")).map(
          (value) => ({
            value,
            detail: "",
          }),
        ),
    };
  }
}

const UP = { upArrow: true };
const DOWN = { downArrow: true };

test("TUI-1: Enter sends; Shift+Enter, Alt+Enter, Ctrl-J and a backslash before Enter insert a new line", () => {
  const person = new Person().types("a").reads("\r", { return: true, shift: true });
  person
    .types("b")
    .reads("\r", { return: true, meta: true })
    .types("c")
    .reads("\n")
    .types("d\\")
    .enter()
    .types("e");
  expect(person.text).toBe("a\nb\nc\nd\ne");
  expect(person.effects).toEqual([]);
  person.enter();
  expect(person.effects).toEqual([
    { type: "remember", line: "a\nb\nc\nd\ne" },
    { type: "send", line: "a\nb\nc\nd\ne" },
  ]);
  expect(person.text).toBe("");
  expect(new Person().types("  ").enter().effects).toEqual([]);
});

test("TUI-1: keys that arrive together act like separate keys", () => {
  const person = new Person().reads("one\rtwo\x01X\x7fY\rthree\ttab");
  expect(person.effects.map((effect) => "line" in effect && effect.line)).toEqual(["one", "one", "Ytwo"]);
  expect(person.state.chat.sent).toBe("one");
  expect(person.state.chat.queue).toEqual(["Ytwo"]);
  expect(person.text).toBe("threetab");
});

test("TUI-1: Up on the first row browses the input history, Down returns to the draft", () => {
  const person = new Person().types("draft").reads("", UP);
  expect(person.text).toBe("second");
  expect(person.reads("", UP).text).toBe("first");
  expect(person.reads("", UP).text).toBe("first");
  expect(person.ctrl("n").text).toBe("second");
  expect(person.reads("", DOWN).text).toBe("draft");
  expect(person.reads("", DOWN).text).toBe("draft");
  const lines = new Person().types("one").reads("\n").types("two").reads("", UP);
  expect(lines.text).toBe("one\ntwo");
  expect(lines.reads("", UP).text).toBe("second");
  const slash = new Person();
  slash.history = ["/sessions", "/s"];
  expect(slash.ctrl("p").ctrl("p").text).toBe("/sessions");
});

test("TUI-12: lines typed during a reply are queued; Up takes back the newest, and Esc or Ctrl-C stops the reply", () => {
  const person = new Person(true).types("next").enter().types("later").enter();
  expect(person.state.chat.queue).toEqual(["next", "later"]);
  expect(person.effects.filter(({ type }) => type === "send")).toEqual([]);
  expect(person.reads("", UP).text).toBe("later");
  expect(person.state.chat.queue).toEqual(["next"]);
  person.reads("", { escape: true });
  expect(person.last).toEqual({ type: "interrupt" });
  expect(person.state.chat.busy?.isStopping).toBe(true);
  expect(person.text).toBe("later");
  expect(new Person(true).ctrl("c").effects).toEqual([{ type: "interrupt" }]);
});

test("TUI-12: Ctrl-C clears the input, then warns, then quits; any other key dismisses the warning", () => {
  const person = new Person().types("text").ctrl("c");
  expect([person.text, person.state.leaveHint, person.effects]).toEqual(["", false, []]);
  person.ctrl("c");
  expect(person.state.leaveHint).toBe(true);
  person.types("x").ctrl("c");
  expect([person.state.leaveHint, person.effects]).toEqual([false, []]);
  expect(person.ctrl("c").ctrl("c").effects).toEqual([{ type: "leave" }]);
  expect(new Person().ctrl("d").effects).toEqual([{ type: "leave" }]);
  expect(new Person().types("ab").ctrl("a").ctrl("d").text).toBe("b");
  const closing = new Person().chat({ type: "closing", at: 0 }).types("x").ctrl("d").pastes("y").ctrl("c");
  expect([closing.text, closing.effects]).toEqual(["", [{ type: "skip" }]]);
});

const ASKED = {
  type: "approval",
  id: "t",
  name: "run",
  summary: "run it",
  preview: { kind: "command", text: "it" },
  outside: false,
  pattern: "run it…",
} as const;

function answers(person: Person): unknown[] {
  return person.effects
    .filter(({ type }) => type === "answer")
    .map((effect) => "decision" in effect && effect.decision.answer);
}

const ESC = { escape: true };
const asked = () => new Person(true).happens(ASKED).sees();

test("TUI-14: arrows and Enter, or a digit, select an option; Deny is marked first", () => {
  expect(answers(asked().enter())).toEqual(["deny"]);
  expect(answers(asked().reads("", UP).enter())).toEqual(["session"]);
  expect(answers(asked().reads("", DOWN).reads("", DOWN).enter())).toEqual(["once"]);
  expect(answers(asked().reads("", DOWN).reads("", UP).enter())).toEqual(["deny"]);
  const byDigit = ["1", "2", "3", "4", "0"].map((digit) => answers(asked().reads(digit)));
  expect(byDigit).toEqual([["once"], ["session"], ["deny"], [], []]);
  const single = () => new Person(true).happens({ ...ASKED, pattern: null }).sees();
  expect(answers(single().reads("", UP).enter())).toEqual(["once"]);
  expect(["1", "2", "4"].map((digit) => answers(single().reads(digit)))).toEqual([["once"], ["deny"], []]);
});

test("TUI-14: the last option asks for a reason; Enter denies with it, Esc returns to the list, and a draft stays", () => {
  const decisions = ({ effects }: Person): unknown[] => effects.filter(({ type }) => type === "answer");
  const answer = { type: "answer", id: "t" };
  const why = () => asked().reads("", DOWN).enter();
  expect(decisions(why())).toEqual([]);
  const said = why().types("use make").pastes("\ninstead\n").enter();
  expect(decisions(said)).toEqual([{ ...answer, decision: { answer: "deny", reason: "use make instead" } }]);
  expect([said.text, said.state.chat.queue]).toEqual(["", []]);
  expect(decisions(asked().reads("4").types("  ").enter())).toEqual([
    { ...answer, decision: { answer: "deny" } },
  ]);
  const back = why().types("no").reads("", ESC);
  expect([decisions(back), back.state.chat.approval?.reason]).toEqual([[], null]);
  // Digits typed on after Esc are typing, not an answer.
  expect(decisions(back.reads("1", {}, PAUSE_MS - 1))).toEqual([]);
  const draft = new Person(true).types("next").happens(ASKED).sees().reads("", DOWN).reads("", DOWN).enter();
  expect([draft.types("why").enter().text, decisions(draft).length]).toEqual(["next", 1]);
  expect(why().ctrl("d").effects).toEqual([]);
});

test("TUI-14: Esc and Ctrl-C deny and stop the turn; Ctrl-O prints the full preview once", () => {
  expect(asked().reads("", ESC).effects).toEqual([{ type: "interrupt" }]);
  expect(asked().ctrl("c").effects).toEqual([{ type: "interrupt" }]);
  const whole = asked().ctrl("o").ctrl("o");
  expect(whole.state.chat.committed.filter(({ kind }) => kind === "preview")).toMatchObject([
    { summary: "run it" },
  ]);
  expect(answers(whole.enter())).toEqual(["deny"]);
});

test("TUI-15: typed text never answers an approval and goes into the input, whichever option is marked", () => {
  const typing = asked().types("actually no");
  expect([answers(typing), typing.text]).toEqual([[], "actually no"]);
  expect(answers(typing.reads("1").reads("2"))).toEqual([]);
  expect(typing.text).toBe("actually no12");
  for (const letter of "yYaAnNv") expect(asked().reads(letter).effects).toEqual([]);
  const marked = asked().reads("", DOWN).types("wait").enter();
  expect([answers(marked), marked.state.chat.queue]).toEqual([[], ["wait"]]);
  expect(answers(asked().reads("", DOWN).types("x").reads("", { backspace: true }).enter())).toEqual([
    "deny",
  ]);
  expect(answers(asked().reads("", DOWN).pastes("x\n").enter())).toEqual([]);
});

test("TUI-15: a draft stays while arrows and Enter answer, and the first arrow marks Deny", () => {
  const draft = () => new Person(true).types("next, the docs").happens(ASKED).sees();
  expect(draft().enter().state.chat.queue).toEqual(["next, the docs"]);
  const denied = draft().reads("", DOWN).enter();
  expect([answers(denied), denied.text]).toEqual([["deny"], "next, the docs"]);
  expect(answers(draft().reads("", DOWN).reads("", UP).enter())).toEqual(["session"]);
  expect(draft().reads("", ESC).effects).toEqual([{ type: "interrupt" }]);
});

test("TUI-15: no key answers in the first half second, while typing, together with other keys, or as a paste", () => {
  const unseen = new Person(true).happens(ASKED).reads("1");
  expect([answers(unseen), unseen.text]).toEqual([[], "1"]);
  for (const key of [{ return: true }, ESC, {}]) {
    const input = "return" in key ? "\r" : "escape" in key ? "" : "1";
    expect(asked().reads(input, key, PAUSE_MS - 1).effects).toEqual([]);
    expect(asked().reads(input, key, PAUSE_MS).effects).toHaveLength(1);
  }
  const early = asked().reads("", UP, PAUSE_MS - 1);
  expect([early.text, early.state.chat.approval?.marked]).toEqual(["", null]);
  const sent = asked().types("do this").reads("\r", { return: true }, 50);
  expect(answers(sent.reads("2", {}, PAUSE_MS - 1))).toEqual([]);
  expect([sent.state.chat.queue, sent.text]).toEqual([["do this"], "2"]);
  for (const burst of ["1 more thing", "1\r", "\r\r", "11", "1 "])
    expect(answers(asked().reads(burst))).toEqual([]);
  const pasted = asked().pastes("1");
  expect([answers(pasted), pasted.text]).toEqual([[], "1"]);
});

test("TUI-16: a slash lists commands; Tab and Enter complete the marked one, arrows move, Esc closes; arguments too", () => {
  const person = new Person().types("/");
  expect(person.state.completion?.items.map(({ value }) => value)).toEqual([
    "/sessions",
    "/search",
    "/model",
  ]);
  person.reads("", DOWN).reads("\t", { tab: true });
  expect(person.text).toBe("/search ");
  expect(person.state.completion).toBeNull();
  person.enter();
  expect(person.last).toEqual({ type: "send", line: "/search" });
  const model = new Person().types("/mo").enter();
  expect([model.text, model.effects]).toEqual(["/model ", []]);
  expect(model.state.completion).toMatchObject({ index: -1 });
  expect(model.types("c").enter().text).toBe("/model clever ");
  expect(model.enter().last).toEqual({ type: "send", line: "/model clever" });
  // The command can be sent without an argument.
  expect(new Person().types("/mo").enter().enter().last).toEqual({ type: "send", line: "/model" });
  expect(new Person().types("/model").enter().last).toEqual({ type: "send", line: "/model" });
  const closed = new Person().types("/s").reads("", { escape: true });
  expect([closed.state.completion, closed.text]).toEqual([null, "/s"]);
  expect(new Person().types("a /s").state.completion).toBeNull();
});

const PICKER = {
  type: "picker",
  picker: {
    title: "Sessions",
    command: "/resume",
    items: ["apples", "pears", "plums"].map((label, index) => ({
      value: `s${index}`,
      label,
      detail: "fruit",
    })),
  },
} as const;

test("TUI-16: typing filters a picker; Enter sends its command, Esc closes it, and a draft is not touched", () => {
  const open = () => new Person().happens(PICKER).sees();
  expect(open().reads("", DOWN).enter().effects).toEqual([{ type: "send", line: "/resume s1" }]);
  expect(open().types("fru lum").enter().last).toEqual({ type: "send", line: "/resume s2" });
  expect(open().types("lumx").reads("", { backspace: true }).enter().last).toEqual({
    type: "send",
    line: "/resume s2",
  });
  expect(open().types("nothing").enter().effects).toEqual([]);
  expect(open().reads("", { escape: true }).state.chat.picker).toBeNull();
  expect(open().reads("", UP).enter().last).toEqual({ type: "send", line: "/resume s2" });
  // Typed before the list was visible.
  expect(new Person().happens(PICKER).enter().effects).toEqual([]);
  const writing = new Person().types("pea").happens(PICKER).sees().types("ce").enter();
  expect(writing.last).toEqual({ type: "send", line: "peace" });
  expect(writing.state.chat.picker).toBeNull();
});

/** Words that are keys' names, or names that every JavaScript object has. */
const TELLING = ["up", "down", "return", "escape", "tab", "backspace", "pageup", "constructor", "__proto__"];

test("TUI-41: a file reference is completed anywhere in the text; Esc closes the list, and Enter sends what needs no completion", () => {
  const person = new Person();
  person.files = ["@src/app.ts", '@"my file.md"'];
  person.types("see  now");
  for (const _ of " now") person.reads("", { leftArrow: true });
  person.types("@");
  expect(person.state.completion?.items).toHaveLength(2);
  person.types("my").reads("", { tab: true });
  expect(person.text).toBe('see @"my file.md" now');
  expect(person.state.completion).toBeNull();
  person.types(" @src").reads("", { leftArrow: true });
  expect(person.state.completion).toBeNull();
  for (const line of ["mail ada@src", "@src/app.ts", "@nobody"]) {
    const other = new Person();
    other.files = ["@src/app.ts"];
    expect(other.types(line).enter().last).toEqual({ type: "send", line });
  }
  const closed = new Person();
  closed.files = ["@src/app.ts"];
  closed.types("@src").reads("", { escape: true });
  expect(closed.enter().last).toEqual({ type: "send", line: "@src" });
});

test("TUI-41: files that are found later appear while the reference is open, and not after Esc", () => {
  const person = new Person().types("@a");
  const around = { complete: () => [], files: () => [{ value: "@a.ts", detail: "" }] };
  expect(recompleted(person.state, around).completion?.items).toHaveLength(1);
  person.files = ["@a.ts"];
  person.types(".").reads("", { escape: true });
  expect(recompleted(person.state, around).completion).toBeNull();
});

test("TUI-42: Ctrl-R filters by words, newest first; a paste goes into the query; Ctrl-C and Ctrl-D keep the draft", () => {
  const person = new Person();
  person.history = ["fix the login bug", "write docs", "fix the logout bug", "write docs"];
  person.types("draft").ctrl("r");
  expect(person.state.completion?.items.map(({ value }) => value)).toEqual([
    "write docs",
    "fix the logout bug",
    "fix the login bug",
  ]);
  person.pastes("bug\nFIX");
  expect(person.state.completion?.items).toHaveLength(2);
  person.ctrl("r").ctrl("r").ctrl("r").enter();
  expect(person.text).toBe("fix the login bug");
  person.ctrl("r").ctrl("d").types("nothing like it").enter();
  expect(person.text).toBe("fix the login bug");
  person.ctrl("r").types("docs").ctrl("c");
  expect(person.text).toBe("fix the login bug");
  expect(person.effects).toEqual([]);
});

test("TUI-42: no search opens during an approval", () => {
  const person = new Person(true).happens(ASKED).sees().ctrl("r");
  expect(person.state.search).toBeNull();
});

test("TUI-1: a word that arrives in one piece is text, even if it spells a key's name", () => {
  for (const word of TELLING) {
    expect([word, new Person().reads(word).text]).toEqual([word, word]);
    expect([word, new Person().types("/s").reads(word).text]).toEqual([word, `/s${word}`]);
    const picking = new Person().happens(PICKER).sees().reads(word).state;
    expect([word, picking.pick.filter]).toEqual([word, word]);
    expect([word, new Person().reads(word, { meta: true }).text]).toEqual([word, ""]);
  }
});

test("TUI-16: a single key selects its item once the list is visible", () => {
  const items = ["yes", "no"].map((value) => ({ value, label: value, detail: "", key: value[0] ?? "" }));
  const asked = { type: "picker", picker: { title: "May I?", command: "/learn", items } } as const;
  expect(new Person().happens(asked).sees().types("n").last).toEqual({ type: "send", line: "/learn no" });
  expect(new Person().happens(asked).types("n").effects).toEqual([]);
  const writing = new Person().types("o").happens(asked).sees().types("n");
  expect([writing.text, writing.effects]).toEqual(["on", []]);
});

test("TUI-40: an unprompted picker takes no typed text, and no item is marked until an arrow is pressed", () => {
  const items = ["yes", "no"].map((value) => ({ value, label: value, detail: "" }));
  const picker = { title: "May I?", command: "/learn", items, isUnprompted: true };
  const asked = () => new Person().happens({ type: "picker", picker }).sees();
  expect(asked().enter().effects).toEqual([]);
  expect(asked().types("yes, it rains").enter().last).toEqual({ type: "send", line: "yes, it rains" });
  expect(asked().pastes("from elsewhere").enter().last).toEqual({ type: "send", line: "from elsewhere" });
  expect(asked().reads("", DOWN).enter().last).toEqual({ type: "send", line: "/learn yes" });
  expect(asked().reads("", { escape: true }).state.chat.picker).toBeNull();
});

test("CHAT-8: lines typed in an incognito conversation, or after a queued /incognito, are not added to the history", () => {
  const remembered = ({ effects }: Person) =>
    effects.flatMap((effect) => (effect.type === "remember" ? effect.line : []));
  const told = (person: Person, line: string) => person.types(line).enter();
  const waiting = told(told(told(new Person(true), "open"), "/incognito"), "waits for it");
  expect(waiting.state.chat.queue).toEqual(["open", "/incognito", "waits for it"]);
  expect(remembered(waiting)).toEqual(["open"]);
  const begun = told(new Person(), "/incognito with these words");
  expect(remembered(begun)).toEqual([]);
  const past = { id: null, chat: "c", title: null, past: [] };
  begun.happens({ type: "session", incognito: true, ...past }, { type: "done", reason: "finished" });
  expect(remembered(told(begun, "a secret"))).toEqual([]);
  begun.happens({ type: "session", incognito: false, ...past }, { type: "done", reason: "finished" });
  expect(remembered(told(begun, "open again"))).toEqual(["open again"]);
});

test("CHAT-8: in an incognito chat, a line typed before the chat is open is not remembered", () => {
  const around = { at: 0, complete: () => [], files: () => [], entries: () => [] };
  const keys = [...Array.from("hi", (text) => ({ name: text, text })), { name: "return", text: null }];
  const effectsOf = (incognito: boolean) =>
    press(
      initialApp({ columns: 80, rows: 24 }, 0, incognito),
      keys.map((key) => ({ ...key, ctrl: false, alt: false, shift: false })),
      around,
    ).effects.map(({ type }) => type);
  expect([effectsOf(true), effectsOf(false)]).toEqual([[], ["remember"]]);
});
