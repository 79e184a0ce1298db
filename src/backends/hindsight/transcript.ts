/**
 * Converts a conversation to the text that the server learns from, and back without loss. A turn begins with "user (time): "; a line
 * inside a turn that looks like this gets a backslash.
 */
import type { Turn } from "../../core/ports/backend.ts";

const BEGINNING = /^(?<role>user|assistant) \((?<at>[^()\n]*)\): (?<line>.*)$/s;
const LOOKS_LIKE_ONE = /^\\*(?:user|assistant) \([^()\n]*\): /;

export function printTranscript(turns: readonly Turn[]): string {
  return turns
    .map(({ role, at, content }) => {
      const [first = "", ...others] = content.split("\n");
      const rest = others.map((line) => (LOOKS_LIKE_ONE.test(line) ? `\\${line}` : line));
      return [`${role} (${at.replace(/[()\n]/g, "")}): ${first}`, ...rest].join("\n");
    })
    .join("\n");
}

/** Ignores text before the first turn, which Retain didn't write. */
export function parseTranscript(text: string): Turn[] {
  const turns: { role: Turn["role"]; at: string; lines: string[] }[] = [];
  for (const line of text === "" ? [] : text.split("\n")) {
    const began = BEGINNING.exec(line)?.groups;
    if (began !== undefined)
      turns.push({
        role: began.role === "user" ? "user" : "assistant",
        at: began.at ?? "",
        lines: [began.line ?? ""],
      });
    else turns.at(-1)?.lines.push(LOOKS_LIKE_ONE.test(line) ? line.slice(1) : line);
  }
  return turns.map(({ role, at, lines }) => ({ role, at, content: lines.join("\n") }));
}
