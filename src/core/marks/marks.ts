/**
 * What a model's reply says is worth keeping, and the text that a person sees: whole, or while the reply is streaming.
 * Marks in code and quotations are text. Marks in what is private or was recalled are hidden, and nothing is kept of them.
 */
import { TagReader } from "./reader.ts";
import type { Tag } from "./tags.ts";

export type MarkKind = "fact" | "note" | "chat-note" | "working";

export interface Mark {
  kind: MarkKind;
  /** As it is named in provenance: [MEMORY], <memory>, <chat-memory> or <working-memory>. */
  tag: string;
  /** Of a fact the sentence, of a note the body, of working memory the whole text, where "" clears it. */
  text: string;
  /** A note's own, else made of its first words; null for facts and working memory. */
  title: string | null;
  /** "global" where the mark says scope="global". */
  scope: "nearest" | "global";
  category: string | null;
  tags: string[];
  /** Of a fact: where it is kept, whatever its words ("Deploy day"). */
  key: string | null;
  /** Of a fact: ids, or beginnings of ids, of the facts that it replaces. With an empty text, those that end. */
  replaces: string[];
  /** Of a fact: the last day on which it holds, in the model's words ("2026-11-20", "next week"). */
  until: string | null;
  /** False where the reply ended inside the mark. */
  closed: boolean;
  /** The mark's offset in the reply; facts of one list have the same. */
  at: number;
}

/**
 * Around memory that a model is given. Nothing a model repeats of it is retained again. Retain writes the first one; earlier
 * versions also wrote the others, and stored conversations still contain them.
 */
export const RECALLED_TAGS = ["recalled", "retain-context", "mental_models"] as const;

/** In every mark. */
const NAMED = /memory/i;
const PRIVATE_TAG = "private";
const KINDS: Readonly<Record<string, MarkKind>> = {
  memory: "note",
  "chat-memory": "chat-note",
  "working-memory": "working",
};
const LIST_MARKER = /^\s*(?:[-*+•‣◦–—]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/;
const LONGEST_TITLE = 80;
const LONGEST_MADE_TITLE = 60;

/** Reads a reply in pieces. `readReply` is this with one piece. */
export class MarkStripper {
  readonly #marks: Mark[] = [];
  readonly #reader = new TagReader({
    angle: Object.keys(KINDS),
    square: ["memory"],
    unkept: [PRIVATE_TAG, ...RECALLED_TAGS],
    areMarks: true,
    onNote: (tag, text, closed) => this.#keepNote(tag, text, closed),
    onFacts: (tag, { texts, closed }) => {
      const mark = markOf(tag, "fact", "[MEMORY]");
      const [first, ...others] = texts.length === 0 && mark.replaces.length > 0 ? [""] : texts;
      if (first === undefined) return;
      // Several facts cannot be kept at one address, and what the first one replaced is gone for the next.
      const key = others.length === 0 ? mark.key : null;
      this.#marks.push({ ...mark, key, text: first, closed });
      for (const text of others) this.#marks.push({ ...mark, key, replaces: [], text, closed });
    },
  });

  /** What can be shown for sure by now. */
  push(piece: string): string {
    return this.#reader.push(piece);
  }

  /** What is left to show. Nothing may be pushed afterwards. */
  end(): string {
    return this.#reader.end();
  }

  /** Those that have been read to their end, in the order of the reply. */
  get marks(): Mark[] {
    return [...this.#marks];
  }

  #keepNote(tag: Tag, content: string | null, closed: boolean): void {
    const kind = KINDS[tag.name] ?? "note";
    const text = content?.trim() ?? "";
    const clears = kind === "working" && closed;
    if (text === "" && !clears) return;
    const titled = kind === "working" ? { text, title: null } : noteOf(text);
    this.#marks.push({ ...markOf(tag, kind, `<${tag.name}>`), ...titled, closed });
  }
}

export function readReply(reply: string): { visible: string; marks: Mark[] } {
  if (!NAMED.test(reply)) return { visible: reply, marks: [] };
  const stripper = new MarkStripper();
  const visible = stripper.push(reply) + stripper.end();
  return { visible, marks: stripper.marks };
}

/** What may be retained of a reply: without recalled memories that it repeats. */
export function withoutRecalled(text: string): string {
  return withoutTags(text, RECALLED_TAGS);
}

/** Around what agents put into a conversation by themselves, as they and others name it. */
const INJECTED_TAGS = [
  ...RECALLED_TAGS,
  "memories",
  "mental-models",
  "memory_context",
  "memory-context",
  "recalled_memories",
  "recalled-memories",
  "relevant_memories",
  "relevant-memories",
  "hindsight_memories",
  "hindsight-memories",
  "system-reminder",
] as const;

/** What somebody said themselves: without what was put beside it, which reaches to the end where it is not closed. */
export function withoutInjected(text: string): string {
  return withoutTags(text, INJECTED_TAGS);
}

function withoutTags(text: string, angle: readonly string[]): string {
  if (!text.includes("<")) return text;
  const ignore = () => {};
  const rules = { angle, square: [], unkept: [], areMarks: false, onNote: ignore, onFacts: ignore };
  const reader = new TagReader(rules);
  return reader.push(text) + reader.end();
}

function markOf({ attributes, at }: Tag, kind: MarkKind, tag: string): Mark {
  const scope = attributes.get("scope")?.trim().toLowerCase() === "global" ? "global" : "nearest";
  const tags = (attributes.get("tags") ?? "")
    .split(",")
    .map((name) => name.replace(/^[\s[\]"']+|[\s[\]"']+$/g, ""));
  return {
    kind,
    tag,
    text: "",
    title: null,
    scope,
    category: attributes.get("category")?.trim() || null,
    tags: tags.filter((name) => name !== ""),
    key: attributes.get("key")?.trim() || null,
    replaces: [attributes.get("replaces"), attributes.get("ends")]
      .flatMap((ids) => ids?.match(/[a-z0-9]{4,}/gi) ?? [])
      .map((id) => id.toLowerCase()),
    until: attributes.get("until")?.trim() || null,
    closed: true,
    at,
  };
}

/** "Short title: text", also "**Short title:** text"; else, as for a list, the title is made of the first words. */
export function noteOf(note: string): { title: string; text: string } {
  const line = /^[^\n]*/.exec(note)?.[0] ?? "";
  const colon = LIST_MARKER.test(line) ? null : /：|:[*_]*(?=\s|$)/.exec(line);
  const title = colon === null ? "" : bare(line.slice(0, colon.index));
  const text = colon === null ? "" : note.slice(colon.index + colon[0].length).trim();
  if (title !== "" && text !== "" && Array.from(title).length <= LONGEST_TITLE) return { title, text };
  return { title: firstWords(note), text: note };
}

function firstWords(note: string): string {
  const words = bare(/\S[^\n]*/.exec(note)?.[0] ?? "").split(/\s+/);
  let title = "";
  for (const word of words) {
    const longer = title === "" ? word : `${title} ${word}`;
    if (longer.length > LONGEST_MADE_TITLE) break;
    title = longer;
  }
  if (title !== "") return title;
  return Array.from(words[0] ?? "")
    .slice(0, LONGEST_MADE_TITLE)
    .join("");
}

/** Without list markers, the hashes of a heading, and emphasis around it. */
function bare(text: string): string {
  return text
    .replace(LIST_MARKER, "")
    .replace(/^\s*(?:#{1,6}\s+)?[*_]*/, "")
    .replace(/[*_\s]+$/, "");
}
