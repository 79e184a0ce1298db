/** Keeps what a person says: a fact, or a note. */
import { RetainError } from "../../core/errors.ts";
import { checked } from "../../core/facts/memory-paths.ts";
import { lastDay } from "../../core/facts/until.ts";
import { noteOf } from "../../core/marks/marks.ts";
import { localDay, withoutControls } from "../../util/text.ts";
import type { FactWorkspaces } from "../ports.ts";
import { guarded, requireNoSecret, requireText, secretError } from "./guard.ts";
import { holderOf, requireKept, routeFacts } from "./route-facts.ts";
import { type NewFact, type Written, writeFacts } from "./write-facts.ts";

export interface RememberOptions {
  /** The heading that it goes under. */
  category?: string;
  /** For this chat alone. */
  chat?: string;
  tags?: readonly string[];
  /** Where to keep it ("Deploy day"): it replaces what was kept there. */
  key?: string;
  /** Ids, or beginnings of ids, of the facts that it replaces. */
  replaces?: readonly string[];
  /** The last day on which it holds: "2026-11-20", "friday", "next week". By default the one that its text names. */
  until?: string;
  /** Keep it although it looks like a secret. */
  allowSecret?: boolean;
}

export type LogOptions = Pick<RememberOptions, "chat" | "allowSecret">;

export type Remembered = Written;

/** Throws `invalid_input` for what says nothing, `secret` for what is one. */
export async function remember(
  workspaces: FactWorkspaces,
  text: string,
  { category, chat, tags = [], key, replaces = [], until, allowSecret = false }: RememberOptions,
): Promise<Remembered> {
  requireText(text, "A fact");
  if (key !== undefined && keyName(key) === "")
    throw new RetainError(
      "invalid_input",
      "The key is empty.",
      'For example: retain remember --key "Deploy day" Tuesdays',
    );
  const now = workspaces.nearest.clock();
  requireNoSecret([category, chat, key, ...tags], allowSecret);
  const fact: NewFact = {
    text: addressed(key ?? null, oneFact(allowed(text, allowSecret))),
    ...{ key: key ?? null, replaces, until: until === undefined ? null : requireLastDay(until, now) },
    category: category === undefined ? null : categoryOf(category),
    chat: chat === undefined ? null : checked("chat", chat),
    source: { by: "remember", session: null, message: null, trust: "stated", tags: tags.flatMap(tagsIn) },
  };
  // A key is one of the place that the person is in; an id is the fact's own.
  const workspace = holderOf(workspaces, { replaces }) ?? workspaces.nearest;
  const toKeep = { facts: [fact], notes: [], working: null };
  const { failed, ...kept } = await routeFacts(workspaces, workspace, "remember", toKeep);
  requireKept(failed);
  const [unknown] = kept.unknown;
  if (unknown !== undefined) throw unknownFact(unknown);
  return kept;
}

function requireLastDay(said: string, now: Date): string {
  const day = lastDay(said, now);
  if (day !== null) return day;
  throw new RetainError(
    "usage",
    `'${said}' is not a day from today on.`,
    `For example: ${localDay(now.toISOString())}, friday, "next week"`,
  );
}

function unknownFact(id: string): RetainError {
  return new RetainError(
    "not_found",
    `No fact here has the id ${id}, so the new fact was saved without replacing it.`,
    "'retain facts' lists the ids; 'retain undo' takes the new fact back.",
  );
}

export async function addNote(
  { nearest }: FactWorkspaces,
  said: string,
  { chat, allowSecret = false }: LogOptions,
): Promise<Remembered> {
  requireText(said, "A note");
  requireNoSecret([chat], allowSecret);
  const { title, text } = noteOf(allowed(said, allowSecret));
  const note = { title, text, chat: chat === undefined ? null : checked("chat", chat) };
  return writeFacts(nearest, "log", { facts: [], notes: [note], working: null }, () => ({ kind: "new" }));
}

function allowed(said: string, allowSecret: boolean): string {
  const checkedText = guarded(said, allowSecret);
  if ("refusal" in checkedText) throw secretError(checkedText.refusal);
  if (oneFact(checkedText.text) === "")
    throw new RetainError(
      "invalid_input",
      "There is nothing to keep.",
      'For example: retain remember "Prefers tea"',
    );
  return checkedText.text;
}

function keyName(key: string): string {
  return oneFact(key).replace(/\s*:\s*$/, "");
}

/** As MEMORY.md shows a fact with an address: "Deploy day: Tuesdays". */
export function addressed(key: string | null, text: string): string {
  const name = key === null ? "" : keyName(key);
  const isThere = text.toLowerCase().startsWith(`${name.toLowerCase()}:`);
  return name === "" || text === "" || isThere ? text : `${name}: ${text}`;
}

/** As a heading holds it; null for one that would be empty. */
export function categoryOf(said: string): string | null {
  return oneFact(withoutControls(said)).replace(/^[#\s]+|[#\s]+$/g, "") || null;
}

/** "a, b" is two. */
export function tagsIn(said: string): string[] {
  return said
    .split(",")
    .map((tag) => withoutControls(tag).trim())
    .filter((tag) => tag !== "");
}

/** Dashes, dots and what has no width: nobody could find it again. */
const NOTHING = /^[^\p{L}\p{N}\p{S}]*$/u;

/** As one bullet holds it; "" for what says nothing. */
export function oneFact(text: string): string {
  if (NOTHING.test(text)) return "";
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:[-*+•‣◦–—]\s+)*(?:\[[ xX]\]\s+)?/, "");
}
