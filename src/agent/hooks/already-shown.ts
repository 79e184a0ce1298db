/**
 * What a session has already been shown: recalled memories by name, and each line of its first context by hash, since the context
 * is text without names of memories. Hashes, so that a session's progress file contains no text.
 */
import { withoutShownId } from "../../context/memory-facts.ts";
import { bulletsOf } from "../../core/facts/bullets.ts";
import { plainFact } from "../../core/facts/fact-text.ts";
import type { FoundMemory } from "./ports.ts";
import { tag } from "./progress.ts";

/** How the context shows messages of other sessions. */
const SPEAKER = /^\s*-\s+(?:user|assistant):\s/;

export function nameOf({ kind, source }: Pick<FoundMemory, "kind" | "source">): string {
  return `${kind} ${source}`;
}

/** The names of everything that this context shows. */
export function shownBy(context: string): string[] {
  const lines = linesOf(context).map((line) => line.replace(SPEAKER, ""));
  const facts = bulletsOf(context).map(({ text }) => withoutShownId(text));
  return [...new Set([...lines, ...facts].map(nameOfLine))];
}

/** Also true if each of its lines has been shown, in any context. */
export function isShown(
  memory: Pick<FoundMemory, "kind" | "source" | "text">,
  shown: ReadonlySet<string>,
): boolean {
  if (shown.has(nameOf(memory))) return true;
  const lines = linesOf(memory.text);
  return (
    shown.has(nameOfLine(memory.text)) ||
    (lines.length > 0 && lines.every((line) => shown.has(nameOfLine(line))))
  );
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function nameOfLine(line: string): string {
  return `line ${tag(plainFact(line))}`;
}
