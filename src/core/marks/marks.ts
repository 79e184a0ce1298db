/**
 * Separates a model's reply into marks and the visible text, for a whole reply or while it is streaming. Marks in code and quotations
 * are text. Marks in private or recalled text are hidden and not saved.
 */
import type { FactScope } from "../memory.ts";
import { LIST_MARKER } from "../text/markdown.ts";
import { TagReader } from "./reader.ts";
import type { Tag } from "./tags.ts";

type MarkKind = "fact" | "note" | "chat-note" | "working";

export interface Mark {
  kind: MarkKind;
  /** Its name in provenance: [MEMORY], <memory>, <chat-memory> or <working-memory>. */
  tag: string;
  /** A fact's sentence, a note's body, or the whole working memory ("" clears it). */
  text: string;
  /** A note's title, else its first words; null for facts and working memory. */
  title: string | null;
  /** From scope="global" or scope="project"; null if the mark has neither. */
  scope: FactScope | null;
  category: string | null;
  tags: string[];
  /** A fact's key ("Deploy day"), whatever its words. */
  key: string | null;
  /** Ids, or starts of ids, of the facts it replaces. If the text is empty, these facts end. */
  replaces: string[];
  /** A fact's last day in the model's words ("2026-11-20", "next week"). */
  until: string | null;
  /** False if the reply ended inside the mark. */
  closed: boolean;
  /** The mark's offset in the reply; facts of one list have the same. */
  at: number;
}

/**
 * Tags around memory given to a model. Text that a model repeats from it isn't retained again. Retain writes the first tag; earlier
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
      // Several facts can't share a key, and only the first one can replace the named facts.
      const key = others.length === 0 ? mark.key : null;
      this.#marks.push({ ...mark, key, text: first, closed });
      for (const text of others) this.#marks.push({ ...mark, key, replaces: [], text, closed });
    },
  });

  /** The text that is certain to be visible so far. */
  push(piece: string): string {
    return this.#reader.push(piece);
  }

  /** The remaining visible text. Don't call `push` afterwards. */
  end(): string {
    return this.#reader.end();
  }

  /** Completely read marks, in the order of the reply. */
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

/** Removes recalled memory that a reply repeats. */
export function withoutRecalled(text: string): string {
  return withoutTags(text, RECALLED_TAGS);
}

/** Tags that agents put around text they inject into a conversation. */
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

/** Removes injected text, to leave a person's own words. An unclosed tag extends to the end. */
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
  const scope = attributes.get("scope")?.trim().toLowerCase();
  const tags = (attributes.get("tags") ?? "")
    .split(",")
    .map((name) => name.replace(/^[\s[\]"']+|[\s[\]"']+$/g, ""));
  return {
    kind,
    tag,
    text: "",
    title: null,
    scope: scope === "global" || scope === "project" ? scope : null,
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

/** Reads "Short title: text" or "**Short title:** text". Otherwise, as for a list, the first words become the title. */
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

/** Strips list markers, heading hashes and surrounding emphasis. */
function bare(text: string): string {
  return text
    .replace(LIST_MARKER, "")
    .replace(/^\s*(?:#{1,6}\s+)?[*_]*/, "")
    .replace(/[*_\s]+$/, "");
}
