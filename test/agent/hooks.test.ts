/** Transcripts of any shape are read the same, whenever and in whatever chunks they are written. */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { HOOK_EVENTS, hookEvent, nameInClaudeCode } from "../../src/agent/hooks/events.ts";
import { readHookInput } from "../../src/agent/hooks/input.ts";
import { ownWords } from "../../src/agent/hooks/own-words.ts";
import { newProgress, ProgressStore } from "../../src/agent/hooks/progress.ts";
import { fits } from "../../src/agent/hooks/prompt-recall.ts";
import { AT_THE_START, openTranscript } from "../../src/agent/hooks/transcript-file.ts";
import { heardIn } from "../../src/agent/hooks/transcript-line.ts";
import { NO_ACTIVITY } from "../../src/core/sessions/activity.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { assistant, surroundings, toolUse, user } from "./hooks-transcript.ts";

const saidIn = (line: string) => heardIn(line, false).said;

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "retain-hooks-"));
  afterThisTest(() => rmSync(made, { recursive: true }));
  return made;
}

/** Complete lines after a bookmark, and the next bookmark. */
function read(path: string, bookmark = AT_THE_START) {
  const file = openTranscript(path);
  if (file === null) return { lines: [], bookmark };
  try {
    const lines = [...file.lines(file.from(bookmark))];
    return {
      lines: lines.map(({ text }) => text),
      bookmark: file.bookmark(lines.at(-1)?.end ?? file.from(bookmark)),
    };
  } finally {
    file.close();
  }
}

test("HOOK-17: every line of a growing transcript is read once and whole", () => {
  const path = join(directory(), "t.jsonl");
  const texts = fc.array(
    fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replaceAll("\n", " ")),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(texts, fc.array(fc.nat(200), { maxLength: 12 }), (lines, cuts) => {
      writeFileSync(path, "");
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const ends = [...new Set(cuts.map((cut) => Math.min(cut, bytes.length))), bytes.length].sort(
        (a, b) => a - b,
      );
      let [done, bookmark] = [0, AT_THE_START];
      const seen: string[] = [];
      for (const end of ends) {
        appendFileSync(path, bytes.subarray(done, end));
        done = end;
        const step = read(path, bookmark);
        seen.push(...step.lines);
        bookmark = step.bookmark;
      }
      expect(seen).toEqual(bytes.toString("utf8").split("\n").slice(0, -1));
    }),
  );
});

test("HOOK-17: a line longer than the read buffer is read whole; a replaced file is read from its start", () => {
  const path = join(directory(), "t.jsonl");
  const long = "ä".repeat(1_500_000);
  writeFileSync(path, `first\n${long}\nlast\nhalf`);
  const { lines, bookmark } = read(path);
  expect(lines).toEqual(["first", long, "last"]);
  expect(read(path, bookmark).lines).toEqual([]);
  truncateSync(path, 6);
  expect(read(path, bookmark).lines).toEqual(["first"]);
  writeFileSync(path, `other\n${long}\nlast\nmore\n`);
  expect(read(path, bookmark).lines).toHaveLength(4);
  expect(read(join(path, "nothing")).lines).toEqual([]);
});

test("HOOK-17: no line, whatever it contains, does harm", () => {
  const values = fc.json().map((json) => json.replaceAll("\n", " "));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), values), (line) => expect(saidIn(line)).toBeNull()),
  );
  const entries = fc.record({
    type: fc.constantFrom("user", "assistant"),
    uuid: fc.anything(),
    message: fc.anything(),
    timestamp: fc.anything(),
  });
  fc.assert(fc.property(entries, (entry) => void saidIn(JSON.stringify(entry))));
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void readHookInput(bytes)));
});

test("HOOK-10: of all transcript lines, only messages of the user and the assistant are read", () => {
  const text = "Something that somebody may have said";
  for (const line of surroundings(text).trimEnd().split("\n"))
    expect([line, saidIn(line)]).toEqual([line, null]);
  const [aside, call, result] = toolUse(text, text).trimEnd().split("\n");
  expect(saidIn(aside ?? "")).toMatchObject({ role: "assistant", text, isAside: true });
  expect([saidIn(call ?? ""), saidIn(result ?? "")]).toEqual([null, null]);
  expect(saidIn(user(text))).toMatchObject({ role: "user", text, isAside: false });
  expect(saidIn(assistant(text))).toMatchObject({ role: "assistant", text, isAside: false });
  expect(ownWords(`[MEMORY] One sentence with the fact\nMine.`)).toBe("Mine.");
});

test("HOOK-3: a memory with low scores by keyword and meaning is not relevant to a prompt", () => {
  const one = (words: number, meaning: number | null, guessed = false) => fits({ words, meaning, guessed });
  expect([one(0.1, 0.15), one(0.2, 0.05), one(0.16, null)]).toEqual([true, true, true]);
  expect([one(0.1, 0.1), one(0.14, null), one(0.9, 0.9, true)]).toEqual([false, false, false]);
});

test("HOOK-12: Claude Code's event names are accepted too", () => {
  for (const event of HOOK_EVENTS) expect(hookEvent(nameInClaudeCode(event))).toBe(event);
  expect([hookEvent("SubagentStop"), hookEvent("PostToolUse"), hookEvent("")]).toEqual([
    "subagent-stop",
    null,
    null,
  ]);
});

test("HOOK-17: a hook takes over the lock of a killed hook and waits for a running one", async () => {
  const files = new ProgressStore(directory());
  const turn = (self: string, gone: string) => ({
    self,
    isGone: (holder: string) => holder === gone,
    patience: 30,
  });
  const end = Promise.withResolvers<void>();
  const held = files.withSessionLock("s", turn("a", ""), () => end.promise);
  expect(await files.withSessionLock("s", turn("b", ""), async () => "in")).toBeNull();
  expect(await files.withSessionLock("other", turn("b", ""), async () => "in")).toBe("in");
  expect(await files.withSessionLock("s", turn("b", "a"), async () => "in")).toBe("in");
  end.resolve();
  await held;
});

test("HOOK-17: the state of all sessions is one file, limited in size, without old sessions", () => {
  const home = directory();
  const store = new ProgressStore(home);
  const many = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
  const written = store.change("s", newProgress("/w"), { lines: many, shown: many, ahead: many });
  expect([written.lines.length, written.shown.length, written.ahead.length]).toEqual([2_000, 500, 20]);
  expect(new ProgressStore(home).read("s")).toEqual(written);
  mkdirSync(join(home, "hooks"));
  writeFileSync(join(home, "hooks/of-an-earlier-version.json"), "{}");
  const start = Date.now();
  for (let index = 0; index < 320; index++)
    store.change(`s${index}`, newProgress("/w"), {}, new Date(start + index));
  store.removeOld(new Date(start));
  expect([store.read("s10"), store.read("s319")]).toEqual([null, newProgress("/w")]);
  store.removeOld(new Date(start + 70 * 86_400_000));
  expect(store.read("s319")).toBeNull();
  expect([readdirSync(home).sort(), readdirSync(join(home, "hooks"))]).toEqual([["hooks", "hooks.db"], []]);
});

test("HOOK-17: a damaged state file is replaced", () => {
  const home = directory();
  new ProgressStore(home).change("s", newProgress("/w"), { turns: 3 });
  writeFileSync(join(home, "hooks.db"), "not a database, but long enough to be read as one".repeat(100));
  const store = new ProgressStore(home);
  expect(store.read("s")).toBeNull();
  store.change("s", newProgress("/w"), { turns: 4 });
  expect(new ProgressStore(home).read("s")?.turns).toBe(4);
});

test("HOOK-24: what a sub-agent does while its session's hook stores the activity so far stays pending", () => {
  const home = directory();
  const [ofHook, ofAgent] = [new ProgressStore(home).pending("s"), new ProgressStore(home).pending("s")];
  ofAgent.add({ files: ["a.txt", "b.txt"], removed: [], commands: ["make"] });
  const stored = ofHook.read();
  ofAgent.add({ files: ["c.txt"], removed: ["a.txt"], commands: ["make"] });
  ofHook.remove(stored);
  expect(ofHook.read()).toEqual({ files: ["c.txt"], removed: ["a.txt"], commands: [] });
  ofHook.remove(ofHook.read());
  expect(ofHook.read()).toEqual(NO_ACTIVITY);
  expect(new ProgressStore(home).pending("other").read()).toEqual(NO_ACTIVITY);
});
