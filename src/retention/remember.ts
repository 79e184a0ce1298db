/** Keeps what a person says: a fact, or a note. */
import { RetainError } from "../core/errors.ts";
import { noteOf } from "../core/marks.ts";
import { checked } from "../core/memory-paths.ts";
import { comparison } from "./compare.ts";
import { guarded } from "./guard.ts";
import { type Kept, keep, type NewFact } from "./keep.ts";
import type { RetentionPlaces } from "./ports.ts";

export interface RememberOptions {
  /** The heading that it goes under. */
  category?: string;
  /** For this chat alone. */
  chat?: string;
  tags?: readonly string[];
  /** Keep it although it looks like a secret. */
  allowSecret?: boolean;
}

export type LogOptions = Pick<RememberOptions, "chat" | "allowSecret">;

export type Remembered = Kept;

/** Throws `invalid_input` for what says nothing, `secret` for what is one. */
export async function remember(
  { nearest, embedders }: RetentionPlaces,
  text: string,
  { category, chat, tags = [], allowSecret = false }: RememberOptions,
): Promise<Remembered> {
  const fact: NewFact = {
    text: oneFact(allowed(text, allowSecret)),
    category: category === undefined ? null : oneFact(category),
    chat: chat === undefined ? null : checked("chat", chat),
    source: { by: "remember", session: null, message: null, trust: "stated", tags },
  };
  const compare = await comparison(nearest, embedders, [fact]);
  return keep(nearest, "remember", { facts: [fact], notes: [], working: null }, compare);
}

export async function addNote(
  { nearest }: RetentionPlaces,
  said: string,
  { chat, allowSecret = false }: LogOptions,
): Promise<Remembered> {
  const { title, text } = noteOf(allowed(said, allowSecret));
  const note = { title, text, chat: chat === undefined ? null : checked("chat", chat) };
  return keep(nearest, "log", { facts: [], notes: [note], working: null }, () => ({ kind: "new" }));
}

function allowed(said: string, allowSecret: boolean): string {
  const checkedText = guarded(said, allowSecret);
  if ("refusal" in checkedText)
    throw new RetainError(
      "secret",
      `This is not kept: ${checkedText.refusal.why}.`,
      "Leave it out, or say --allow-secret if it is none.",
    );
  if (checkedText.text.trim() === "")
    throw new RetainError(
      "invalid_input",
      "There is nothing to keep.",
      'For example: retain remember "Prefers tea"',
    );
  return checkedText.text;
}

/** As one bullet holds it. */
export function oneFact(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:(?:[-*+•‣◦–—]|\d{1,9}[.)]|#{1,6})\s+|\[[ xX]\]\s+)+/, "");
}
