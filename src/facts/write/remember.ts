/** Saves a fact or a note that a person enters. */
import { RetainError, requireText } from "../../core/errors.ts";
import { keyName, oneFact } from "../../core/facts/fact-text.ts";
import { checked } from "../../core/facts/memory-paths.ts";
import { lastDay, noLastDay } from "../../core/facts/until.ts";
import { type CommandReference, command, hint, option } from "../../core/hint.ts";
import { onlyAsks } from "../../core/language/evidence.ts";
import { noteOf } from "../../core/marks/marks.ts";
import type { FactScope } from "../../core/memory.ts";
import { localDay } from "../../util/days.ts";
import { withoutControls } from "../../util/text.ts";
import type { FactWorkspaces } from "../ports.ts";
import { type Guarded, guarded, guardedFact, refusalError, requireNoSecret } from "./guard.ts";
import { byWorkspace, requireKept, routeFacts } from "./route-facts.ts";
import { writeFacts } from "./write-facts.ts";
import { type NewFact, together, type Written } from "./written.ts";

export interface RememberOptions {
  /** The heading to put it under. */
  category?: string;
  /** For this chat only. */
  chat?: string;
  tags?: readonly string[];
  /** The fact's key ("Deploy day"): it replaces the fact that has this key. */
  key?: string;
  /** Ids, or starts of ids, of the facts it replaces. */
  replaces?: readonly string[];
  /** Its last day: "2026-11-20", "friday", "next week". Default: the day that its text names. */
  until?: string;
  /** "global" saves it for all projects, "project" for this one. Default: by what it is about. */
  scope?: FactScope;
  /** Save it even if it looks like a secret. */
  allowSecret?: boolean;
}

export type LogOptions = Pick<RememberOptions, "chat" | "allowSecret">;

export type Remembered = Written;

/**
 * Throws, with nothing stored: `invalid_input` if the text is empty, too long or a question, `secret` if it contains one,
 * `not_found` for a fact to replace.
 */
export async function remember(
  workspaces: FactWorkspaces,
  text: string,
  { category, chat, tags = [], key, replaces = [], until, scope, allowSecret = false }: RememberOptions,
): Promise<Remembered> {
  requireText(text, "A fact");
  if (key !== undefined && keyName(key) === "")
    throw new RetainError(
      "invalid_input",
      "The key is empty.",
      hint`For example: ${command("remember", option("key", "Deploy day"), "Tuesdays")}`,
    );
  const now = workspaces.nearest.clock();
  requireNoSecret([category, chat, key, ...tags], allowSecret);
  const fact: NewFact = {
    text: allowed(guardedFact(text, key ?? null, allowSecret), command("remember", "Prefers tea")),
    ...{ key: key ?? null, replaces, until: until === undefined ? null : requireLastDay(until, now) },
    category: category === undefined ? null : categoryOf(category),
    chat: chat === undefined ? null : checked("chat", chat),
    scope,
    source: { by: "remember", session: null, message: null, trust: "stated", tags: tags.flatMap(tagsIn) },
  };
  if (key === undefined && onlyAsks(fact.text))
    throw new RetainError(
      "invalid_input",
      "Not saved: this is a question, and a fact is a statement.",
      hint`To look for the answer: ${command("search", fact.text)}`,
    );
  const results: Written[] = [];
  for (const [workspace, facts] of byWorkspace(workspaces, [fact])) {
    const toKeep = { facts, notes: [], working: null, mustReplace: true };
    const { failed, ...written } = await routeFacts(workspaces, workspace, "remember", toKeep);
    requireKept(failed);
    results.push(written);
  }
  return together(results);
}

function requireLastDay(said: string, now: Date): string {
  const day = lastDay(said, now);
  if (day !== null) return day;
  throw new RetainError(
    "usage",
    `${noLastDay(said, now)}.`,
    `For example: ${localDay(now.toISOString())}, friday, "next week"`,
  );
}

export async function addNote(
  { nearest }: FactWorkspaces,
  said: string,
  { chat, allowSecret = false }: LogOptions,
): Promise<Remembered> {
  requireText(said, "A note");
  requireNoSecret([chat], allowSecret);
  const { title, text } = noteOf(allowed(guarded(said, allowSecret), command("log", "Release: 0.2 is out")));
  const note = { title, text, chat: chat === undefined ? null : checked("chat", chat) };
  return writeFacts(nearest, "log", { facts: [], notes: [note], working: null }, () => ({ kind: "new" }));
}

/** The text to save. */
function allowed(read: Guarded, example: CommandReference): string {
  if ("refusal" in read) throw refusalError(read.refusal);
  if (oneFact(read.text) === "")
    throw new RetainError("invalid_input", "There is nothing to save.", hint`For example: ${example}`);
  return read.text;
}

/** The category as the text of a heading; null if it would be empty. */
export function categoryOf(said: string): string | null {
  return oneFact(withoutControls(said)).replace(/^[#\s]+|[#\s]+$/g, "") || null;
}

/** "a, b" is two tags. */
export function tagsIn(said: string): string[] {
  return said
    .split(",")
    .map((tag) => withoutControls(tag).trim())
    .filter((tag) => tag !== "");
}
