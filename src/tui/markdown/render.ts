/** Renders one block as terminal lines, with the prefixes of its containers. */
import { styled } from "../ansi/ansi.ts";
import { rule } from "../ansi/rule.ts";
import { hardWrap, wrapCode, wrapText } from "../ansi/wrap.ts";
import { widthOf } from "../editor/graphemes.ts";
import type { Block, Leaf, Within } from "./blocks.ts";
import { highlighted } from "./highlight.ts";
import { inline } from "./inline.ts";
import { tableLines } from "./table.ts";
import type { Theme } from "./theme.ts";

/** Columns reserved for text at any depth; at most half of the width. */
const ROOM = 20;

interface Prefix {
  readonly first: string;
  readonly rest: string;
}

/** No line is wider than `width`, which is at least two. */
export function blockLines({ within, gap, leaf }: Block, width: number, theme: Theme): string[] {
  const prefixes = fitting(
    within.map((container) => prefixOf(container, theme)),
    width,
  );
  const first = prefixes.map((prefix) => prefix.first).join("");
  const rest = prefixes.map((prefix) => prefix.rest).join("");
  const text = leafLines(leaf, width - widthOf(rest), theme);
  const lines = text.map((line, index) => {
    const prefix = index === 0 ? first : rest;
    return line === "" ? prefix.trimEnd() : prefix + line;
  });
  if (gap === null || (lines.length === 0 && leaf.kind === "code")) return lines;
  const dropped = within.length - prefixes.length;
  const before = prefixes.slice(0, Math.max(0, gap - dropped)).map((prefix) => prefix.rest);
  return [before.join("").trimEnd(), ...lines];
}

function prefixOf(container: Within, theme: Theme): Prefix {
  if (container.kind === "quote") {
    const bar = `${styled(theme.faint, "│")} `;
    return { first: bar, rest: bar };
  }
  const rest = " ".repeat(widthOf(container.marker) + 1);
  return { first: container.fresh ? `${styled(theme.marker, container.marker)} ` : rest, rest };
}

/** The innermost prefixes that leave room for text. */
function fitting(prefixes: readonly Prefix[], width: number): readonly Prefix[] {
  const room = width - Math.min(ROOM, Math.ceil(width / 2));
  let taken = 0;
  let from = prefixes.length;
  while (from > 0) {
    taken += widthOf(prefixes[from - 1]?.rest ?? "");
    if (taken > room) break;
    from--;
  }
  return prefixes.slice(from);
}

function leafLines(leaf: Leaf, width: number, theme: Theme): string[] {
  switch (leaf.kind) {
    case "paragraph":
      return wrapText(inline(leaf.text, theme), width);
    case "heading":
      return headingLines(leaf.level, leaf.text, width, theme);
    case "rule":
      return [styled(theme.faint, "─".repeat(Math.max(1, width)))];
    case "plain":
      return wrapText(leaf.text, width);
    case "code":
      return codeLines(leaf, width, theme);
    case "table":
      return tableLines(leaf, width, theme);
    case "nothing":
      return [""];
  }
}

function headingLines(level: number, text: string, width: number, theme: Theme): string[] {
  const marks = theme.marks ? `${"#".repeat(level)} ` : "";
  const styles = theme.headings[level - 1] ?? theme.headings.at(-1) ?? [];
  const title = styles.reduceRight((inner, style) => styled(style, inner), inline(text, theme));
  return wrapText(marks + title, width, " ".repeat(marks.length));
}

/**
 * Rules above and below, with the language's name. A bar or frame at the sides would be copied from the terminal along with the
 * code. Without colours, the fences of Markdown are the rules.
 */
function codeLines(leaf: Leaf & { kind: "code" }, width: number, theme: Theme): string[] {
  const { language, lines, opening, closing } = leaf;
  const code = lines.length === 0 ? [] : wrapCode(highlighted(lines, language, theme), width);
  const edge = (label: string) =>
    theme.marks ? hardWrap(`\`\`\`${label}`, width) : [styled(theme.faint, rule(width, { label }))];
  return [...(opening ? edge(language) : []), ...code, ...(closing ? edge("") : [])];
}
