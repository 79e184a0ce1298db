/**
 * Highlights code. Long code is printed in parts, and a part ends outside of comments and strings, because the next part is parsed
 * without it.
 */

import { highlightedHtml, isKnownLanguage } from "../../util/code-languages.ts";
import { styled } from "../ansi/ansi.ts";
import { decoded } from "./entities.ts";
import type { Theme } from "./theme.ts";

/** Longer parts are shown without colours, because a language's patterns may be slow. */
const MOST_CHARACTERS = 8000;
/** Line counts at which to look for the end of a part; the last one ends it in any case. */
const PART_LINES = [8, 16, 32, 64];

/** How many lines are finished while more are still coming. */
export function finishedLines(lines: readonly string[], language: string): number {
  if (!isColoured(lines, language)) return lines.length;
  if (!PART_LINES.includes(lines.length)) return 0;
  const quiet = quietLines(lines, language);
  return quiet === 0 && lines.length === PART_LINES.at(-1) ? lines.length : quiet;
}

/** One text with the same lines as the input. */
export function highlighted(lines: readonly string[], language: string, theme: Theme): string {
  if (theme.marks) return lines.join("\n");
  if (!isColoured(lines, language)) return styled(theme.block, lines.join("\n"));
  const open: { readonly scope: string; text: string }[] = [];
  let text = "";
  const add = (more: string) => {
    const innermost = open.at(-1);
    if (innermost === undefined) text += more;
    else innermost.text += more;
  };
  for (const part of partsOf(highlightedHtml(lines.join("\n"), language) ?? "")) {
    if (part.kind === "text") add(part.text);
    else if (part.kind === "open") open.push({ scope: part.scope, text: "" });
    else {
      const { scope, text: inner } = open.pop() ?? { scope: "", text: "" };
      const style = theme.scopes[scope];
      add(style === undefined ? inner : styled(style, inner));
    }
  }
  return text;
}

function isColoured(lines: readonly string[], language: string): boolean {
  if (!isKnownLanguage(language)) return false;
  return lines.reduce((sum, line) => sum + line.length + 1, 0) <= MOST_CHARACTERS;
}

/** The number of lines up to the last line end outside of all scopes. */
function quietLines(lines: readonly string[], language: string): number {
  let depth = 0;
  let line = 0;
  let quiet = 0;
  // Adds a final newline, since open scopes are closed at the end of the code and would look quiet.
  for (const part of partsOf(highlightedHtml(`${lines.join("\n")}\n`, language) ?? "")) {
    if (part.kind === "open") depth++;
    else if (part.kind === "close") depth--;
    else if (part.text === "\n") {
      line++;
      if (depth === 0) quiet = line;
    }
  }
  return quiet;
}

type Part =
  | { readonly kind: "open"; readonly scope: string }
  | { readonly kind: "close" }
  /** A newline is a part of its own. */
  | { readonly kind: "text"; readonly text: string };

function* partsOf(html: string): Generator<Part> {
  const pattern = /<span class="(?:hljs-)?([\w-]*)[^"]*">|(<\/span>)|\n|[^<\n]+/g;
  for (const [whole, scope, close] of html.matchAll(pattern)) {
    if (scope !== undefined) yield { kind: "open", scope };
    else if (close !== undefined) yield { kind: "close" };
    else yield { kind: "text", text: decoded(whole) };
  }
}
