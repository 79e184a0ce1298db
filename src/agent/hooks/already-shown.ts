/**
 * What a session was told: a memory by its name where a prompt brought it up, and each line of the context that it began with, since
 * a context is text in which memories have no names. Lines are hashes: the notes on a session hold nobody's words.
 */
import { withoutShownId } from "../../context/memory-facts.ts";
import { bulletsOf } from "../../core/facts/bullets.ts";
import { plainFact } from "../../core/facts/fact-text.ts";
import type { FoundMemory } from "./ports.ts";
import { tag } from "./progress.ts";

/** As the context shows what was said in another session. */
const SPEAKER = /^\s*-\s+(?:user|assistant):\s/;

export function nameOf({ kind, source }: Pick<FoundMemory, "kind" | "source">): string {
  return `${kind} ${source}`;
}

/** What counts as told once somebody has read this context. */
export function toldBy(context: string): string[] {
  const lines = linesOf(context).map((line) => line.replace(SPEAKER, ""));
  const facts = bulletsOf(context).map(({ text }) => withoutShownId(text));
  return [...new Set([...lines, ...facts].map(nameOfLine))];
}

/** Also where all that it says was told, in other places. */
export function isTold(
  memory: Pick<FoundMemory, "kind" | "source" | "text">,
  told: ReadonlySet<string>,
): boolean {
  if (told.has(nameOf(memory))) return true;
  const lines = linesOf(memory.text);
  return (
    told.has(nameOfLine(memory.text)) ||
    (lines.length > 0 && lines.every((line) => told.has(nameOfLine(line))))
  );
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function nameOfLine(line: string): string {
  return `line ${tag(plainFact(line))}`;
}
