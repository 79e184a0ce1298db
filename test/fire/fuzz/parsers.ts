/** Every parser of foreign text, with inputs and invariants. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { heardIn } from "../../../src/agent/hooks/transcript-line.ts";
import { readConfigFile } from "../../../src/config/file.ts";
import { SETTING_KEYS } from "../../../src/config/schema.ts";
import { matches, parseFilters } from "../../../src/core/documents/filter.ts";
import {
  contentOf,
  parseLoosely,
  parseMarkdown,
  printMarkdown,
  withFields,
} from "../../../src/core/documents/frontmatter.ts";
import { RetainError } from "../../../src/core/errors.ts";
import { parseLog, printNote, withNote } from "../../../src/core/facts/daily-log.ts";
import { parseHistory, printEntry } from "../../../src/core/facts/history.ts";
import { bulletsOf } from "../../../src/core/facts/read-bullets.ts";
import { MarkStripper, readReply } from "../../../src/core/marks/marks.ts";
import {
  changeLine,
  editedSession,
  headerLine,
  messageLines,
  readSession,
  sessionText,
} from "../../../src/core/sessions/session-file.ts";
import { exchangesOf, retainable } from "../../../src/facts/transcript.ts";
import { readMessage } from "../../../src/mcp/read-message.ts";
import { parseSession } from "../../../src/migrate/session-file.ts";
import { parseQuery } from "../../../src/recall/query.ts";
import { anyJson, textsOf } from "./generators.ts";

export interface Target {
  readonly name: string;
  readonly texts: fc.Arbitrary<string>;
  /** Throws if an invariant is broken. The parser itself may throw only `RetainError`. */
  readonly check: (text: string) => void;
}

function same(found: unknown, wanted: unknown, what: string): void {
  if (!Bun.deepEquals(found, wanted, true))
    throw new Error(`${what}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
}

const YAML = [
  "---\n",
  "title: Owl\n",
  "tags: [a, b]\n",
  "tags:\n  - x\n",
  "created_at: 2026-01-31\n",
  "a: &a {b: *a}\n",
];
const MARKDOWN = [
  "# Owl\n",
  "## Night\n",
  "text\n",
  "\n",
  "- item\n",
  "  - inner\n",
  "```\ncode\n```\n",
  "> quote\n",
];

const frontmatter: Target = {
  name: "frontmatter",
  texts: textsOf([...YAML, ...MARKDOWN, "version: 3\n", "priority: |\n  two\n  lines\n", "id: 'a''b'\n"]),
  check(text) {
    const file = parseMarkdown(text);
    same(printMarkdown(file), text, "printed as read");
    parseLoosely(new TextEncoder().encode(text));
    if (file.problem !== null) return;
    const changed = parseMarkdown(printMarkdown(withFields(file, { marker: "set" })));
    same([changed.problem, changed.fields.marker], [null, "set"], "a field that was set");
    same(contentOf(changed).trim(), contentOf(file).trim(), "the content beside a field");
  },
};

const marks: Target = {
  name: "marks",
  texts: textsOf([
    ...[
      "[MEMORY] Owls fly\n",
      '[MEMORY key="Day"] Tuesday\n',
      "[MEMORY ends k3f9a2]\n",
      "[MEMORY replaces k3f9a2] New\n",
    ],
    ...[
      "<memory>Title: text</memory>",
      "<chat-memory>",
      "</chat-memory>",
      "<working-memory>\n- x\n</working-memory>\n",
    ],
    ...[
      "<private>",
      "</private>",
      "<recalled>",
      "</recalled>",
      "`[MEMORY] no`",
      "- First fact\n",
      ...MARKDOWN,
    ],
  ]),
  check(text) {
    const whole = readReply(text);
    const stripper = new MarkStripper();
    let visible = "";
    for (let at = 0; at < text.length; at += 7) visible += stripper.push(text.slice(at, at + 7));
    visible += stripper.end();
    same({ visible, marks: stripper.marks }, whole, "a reply in pieces");
  },
};

const logs: Target = {
  name: "logs",
  texts: textsOf([...MARKDOWN, "## 10:30 - Title\n", "## 9:05 – Owls\n", "## 23:59:59\n", "# 2026-01-31\n"]),
  check(text) {
    const { notes } = parseLog(text);
    for (const { start, end } of notes)
      if (start < 0 || end < start || end > text.length) throw new Error(`a note from ${start} to ${end}`);
    const note = { time: "10:30", title: "Added by the test", text: "One line." };
    if (!printNote(note).includes(note.title)) throw new Error("a note prints its title");
    const after = parseLog(withNote(text, note)).notes;
    same(after.length >= notes.length, true, "notes after one was added");
    const title = text.split(/[\r\n]/, 1).join("");
    same(
      parseLog(`## 10:30 - ${title}\ntext\n`).notes.length,
      1,
      `a note that is called ${JSON.stringify(title)}`,
    );
  },
};

const history: Target = {
  name: "history",
  texts: textsOf(
    [
      '- 2026-11-15T20:17:47Z added k3f9a2xw "Timezone: Madrid"; in MEMORY.md; section "User"; by [MEMORY]; session s1',
      '- 2026-11-15T20:17:47Z removed k3f9a2xw "Timezone: Madrid"; in MEMORY.md; by edit',
      ...[
        "# History",
        "",
        '; until 2026-11-20; key "Day"',
        '; supersedes a1b2c3d4 "Old"',
        '; because "said so"',
      ],
    ],
    "\n",
  ),
  check(text) {
    const entries = parseHistory(text);
    same(parseHistory(entries.map(printEntry).join("\n")), entries, "a history that was printed");
  },
};

const bullets: Target = {
  name: "facts",
  texts: textsOf([
    ...MARKDOWN,
    "- Owls fly at night\n",
    "* Tea, not coffee\n",
    "1. one\n",
    "- [ ] task\n",
    "<!-- x -->\n",
  ]),
  check(text) {
    for (const bullet of bulletsOf(text))
      if (typeof bullet.text !== "string") throw new Error("a bullet without a text");
  },
};

const directory = mkdtempSync(join(tmpdir(), "retain-fuzz-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));

const config: Target = {
  name: "config",
  texts: textsOf([
    ...SETTING_KEYS.map((key) => `${key}: 5\n`),
    "retain:\n  ",
    "memory: {backend: local}\n",
    ...YAML,
  ]),
  check(text) {
    const path = join(directory, "config.yaml");
    writeFileSync(path, text);
    readConfigFile(path, "user");
  },
};

const NOW = new Date("2026-11-15T12:00:00Z");

const queries: Target = {
  name: "queries",
  texts: textsOf(
    [
      '"a phrase"',
      "-not",
      "tag:gpu",
      'tag:"two words"',
      "owl*",
      "last week",
      "before 2026-01-31",
      "who",
      "梟",
      "”",
      "„so“",
    ],
    " ",
  ),
  check: (text) => void parseQuery(text, NOW, []),
};

const ROW = { tags: ["gpu", "caf\u00e9"], priority: "low", version: 3, created_at: "2026-01-31T10:00:00Z" };

const filters: Target = {
  name: "filters",
  texts: textsOf([
    "tags=gpu,metal",
    "priority!=low",
    "created_at>=2026-01-01",
    "version>3",
    ";",
    "=",
    "<=",
    "constructor=1",
  ]),
  check: (text) => void matches(ROW, parseFilters([text])),
};

const messages: Target = {
  name: "MCP messages",
  texts: textsOf([
    ...[
      '{"jsonrpc":"2.0",',
      '"id":1,',
      '"method":"tools/call",',
      '"params":{"name":"recall","arguments":{"query":"owl"}}}',
    ],
    ...['"id":null,', '"id":{"a":1},', "[", "]", "{", "}", '"__proto__":{"x":1},', '"constructor":1,'],
  ]),
  check(text) {
    const read = readMessage(new TextEncoder().encode(text));
    if ("wrong" in read === "message" in read) throw new Error("neither a message nor a refusal");
  },
};

const TRANSCRIPT = [
  '{"type":"user","message":{"role":"user","content":"Remember that owls fly"},"uuid":"a","timestamp":"2026-01-31T10:00:00Z"}',
  '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Yes."}]},"uuid":"b"}',
  '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}}',
];

const transcripts: Target = {
  name: "transcripts",
  texts: fc.oneof(
    textsOf(TRANSCRIPT, "\n"),
    anyJson.map((value) => JSON.stringify({ type: "user", message: value })),
    anyJson.map((value) =>
      JSON.stringify({ type: "assistant", message: { role: "assistant", content: value } }),
    ),
  ),
  check(text) {
    for (const line of text.split("\n")) heardIn(line, false);
    const said = { id: 1, role: "user", content: text, timestamp: NOW.toISOString(), details: {} } as const;
    exchangesOf([said]);
    retainable(text);
  },
};

const sessions: Target = {
  name: "sessions of other tools",
  texts: fc.oneof(
    textsOf([
      '{"id":"s1","messages":[',
      '{"role":"user","content":"Hi"},',
      "]}",
      "# Session\n",
      "## User\n",
      "Hello\n",
    ]),
    anyJson.map((value) => JSON.stringify({ id: "s1", messages: value })),
  ),
  check: (text) => void parseSession(text, "session.json"),
};

const message = (id: number, more: object = {}) =>
  messageLines([
    {
      id,
      role: "user",
      speaker: null,
      content: "Hi",
      timestamp: NOW.toISOString(),
      token_count: null,
      details: more,
    },
  ]);

/** Parsed text is printed and parses to the same; damage removes lines and adds none. */
const conversations: Target = {
  name: "conversations",
  texts: textsOf([
    headerLine({ id: "s1", chat: "main", title: null, tags: [], created_at: NOW.toISOString() }),
    message(1),
    message(2, { calls: [{ id: "1", name: "look", input: { path: "a" } }], compactsTo: 1 }),
    messageLines([1, 2].map((id) => ({ ...JSON.parse(message(id)), details: {} }))),
    changeLine({ title: "Owls", tags: ["a"], summary: "They talked.", covers_to: 2 }),
    "\n",
    '{"type":"message"}\n',
  ]),
  check(text) {
    const bytes = new TextEncoder().encode(text);
    const { session, size, damaged } = readSession(bytes, "s1");
    if (size > bytes.length) throw new Error("more was read than is there");
    same(
      readSession(bytes.subarray(0, size), "s1"),
      { ...readSession(bytes, "s1"), damaged },
      "without its rest",
    );
    const edited = Buffer.from(editedSession(bytes, (said) => said));
    same(readSession(edited, "s1").session, session, "written anew");
    if (session !== null)
      same(readSession(Buffer.from(sessionText(session)), "s1").session, session, "as a new file");
  },
};

export const TARGETS: readonly Target[] = [
  ...[frontmatter, marks, logs, history, bullets, config, queries, filters, messages, transcripts],
  ...[conversations, sessions],
];

/** The limit for a text of a few kilobytes. */
const LONGEST_MS = 5_000;

/** The number of inputs; throws with the smallest text that breaks an invariant. */
export function fuzz({ name, texts, check }: Target, inputs: number): number {
  let read = 0;
  const property = fc.property(texts, (text) => {
    read++;
    const begun = performance.now();
    try {
      check(text);
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
    }
    const ms = performance.now() - begun;
    if (ms > LONGEST_MS) throw new Error(`${name}: ${text.length} characters took ${Math.round(ms)} ms`);
  });
  fc.assert(property, { numRuns: inputs });
  return read;
}
