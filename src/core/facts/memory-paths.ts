/** The kinds of files below memories/ by path, and the paths to write to. */

import { isNewName } from "../documents/names.ts";
import { RetainError } from "../errors.ts";
import { hint, option } from "../hint.ts";
import { dayOfLog } from "./daily-log.ts";

export type MemoryFileKind =
  | { readonly kind: "facts"; readonly chat: string | null }
  | { readonly kind: "log"; readonly chat: string | null; readonly day: string }
  | { readonly kind: "history" }
  | { readonly kind: "working"; readonly session: string }
  | { readonly kind: "model"; readonly name: string };

export const HISTORY = "HISTORY.md";
/** The history of unconfirmed facts. A project's git ignores it, like INFERRED.md. */
const INFERRED_HISTORY = "INFERRED-HISTORY.md";
export const HISTORIES: readonly string[] = [HISTORY, INFERRED_HISTORY];
export const USER = "USER.md";
export const PREFERENCES = "PREFERENCES.md";
const MEMORY = "MEMORY.md";
/** Facts that a model found in conversations and no person has confirmed. */
export const INFERRED = "INFERRED.md";

/** Whether the user writes instructions into this file. In the home workspace, models are told to follow it. */
export function isInstructionFile(path: string): boolean {
  return path === USER || path === PREFERENCES;
}

/** null if it isn't a memory file. */
export function kindOfFile(path: string): MemoryFileKind | null {
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  if (!name.endsWith(".md")) return null;
  const bare = name.slice(0, -3);
  if (parts.length === 2 && parts[0] === "working")
    return { kind: "working", session: bare.normalize("NFC") };
  if (parts.length === 2 && parts[0] === "models") return { kind: "model", name: bare };
  const isChat = parts.length === 3 && parts[0] === "chats";
  if (parts.length !== 1 && !isChat) return null;
  if (HISTORIES.includes(name)) return isChat ? null : { kind: "history" };
  const chat = isChat ? (parts[1]?.normalize("NFC") ?? null) : null;
  const day = dayOfLog(name);
  return day === null ? { kind: "facts", chat } : { kind: "log", chat, day };
}

/** Where new facts of the workspace or a chat are written. */
export function factsPath(chat: string | null): string {
  return `${tier(chat)}${MEMORY}`;
}

/** Where unconfirmed facts are written. */
export function inferredPath(chat: string | null): string {
  return `${tier(chat)}${INFERRED}`;
}

/** Whether this file holds unconfirmed facts, which never replace facts saved on purpose. */
export function isInferredFile(path: string): boolean {
  return path === INFERRED || (path.endsWith(`/${INFERRED}`) && kindOfFile(path)?.kind === "facts");
}

/** Where changes of this file's facts are recorded. */
export function historyPath(file: string): string {
  return isInferredFile(file) ? INFERRED_HISTORY : HISTORY;
}

export function logPath(day: string, chat: string | null): string {
  return `${tier(chat)}${day}.md`;
}

export function workingPath(session: string): string {
  return `working/${checked("session", session)}.md`;
}

function tier(chat: string | null): string {
  return chat === null ? "" : `chats/${checked("chat", chat)}/`;
}

/** The name in NFC form, safe to use in a path. Throws `invalid_name`. */
export function checked(what: "session" | "chat", given: string): string {
  const name = given.normalize("NFC");
  if (isNewName("id", name)) return name;
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  throw new RetainError(
    "invalid_name",
    `${shown} is not a valid ${what} name. Use up to 100 letters, digits, '-', '_' and single dots.`,
    hint`For example: ${what === "chat" ? option("chat", "work") : option("session", "monday-1")}`,
  );
}
