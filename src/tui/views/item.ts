/** Renders each piece of a conversation as lines. They are printed once, at the terminal's current width. */

import type { ShownFile } from "../../agent/events.ts";
import { type MemoryLine, memoryLines } from "../../core/facts/memory-changes.ts";
import { fileInWords } from "../../util/in-words.ts";
import type { Colour } from "../ansi/paint.ts";
import { oneLine } from "../ansi/visible.ts";
import { wrapText } from "../ansi/wrap.ts";
import { fit } from "../editor/graphemes.ts";
import type { Item } from "../items.ts";
import { renderMarkdown } from "../markdown/stream.ts";
import { type Look, readingWidth } from "./look.ts";
import { firstLines, previewLines } from "./preview.ts";

/** How many lines of a sent message are shown. */
const MESSAGE_LINES = 12;
const THINKING_LINES = 2;
const TAB = "    ";

/** Adds an empty line above an item that starts something new; `above` is null for the first item. */
export function itemLines(item: Item, above: Item | null, columns: number, look: Look): string[] {
  const lines = linesOf(item, readingWidth(columns), look);
  return standsApart(item, above) ? ["", ...lines] : lines;
}

/** No empty line between the parts of one reply, consecutive tools, or consecutive memory lines. */
function standsApart(item: Item, above: Item | null): boolean {
  if (above === null || item.kind === "about") return false;
  if (item.kind === "reply") return item.isFirst;
  const joined: readonly Item["kind"][] = ["tool", "memory", "thinking", "notice"];
  return !joined.includes(item.kind) || above.kind !== item.kind;
}

function linesOf(item: Item, width: number, look: Look): string[] {
  const { paint } = look;
  switch (item.kind) {
    case "name":
      return [`${paint("✦ Retain", "bold", "cyan")} ${paint(look.version, "dim")}`];
    case "about":
      return aboutLines(item.model, width, look);
    case "divider":
      return [paint(`── ${fit(oneLine(item.title), width - 6)} ──`, "dim")];
    case "user":
      return [...userLines(item.text, width, look), ...(item.files ?? []).flatMap(fileLines(width, look))];
    case "reply":
      return [...item.lines];
    case "markdown":
      return renderMarkdown(item.text, { ...look, width });
    case "thinking":
      return thinkingLines(item.text, `Thought for ${item.seconds}s: `, width, look);
    case "tool":
      return [
        ...toolLines(item.summary, item.brief, item.ok ? "green" : "red", width, look),
        ...(item.shown === null ? [] : firstLines(item.shown, width, look)),
      ];
    case "memory":
      return memoryLines(item.changes).flatMap(({ tone, mark, label, text }) => {
        const said = `${look.paint(`${label}:`, TONES[tone])} ${oneLine(text)}`;
        return marked(mark, TONES[tone], said, width, look);
      });
    case "notice":
      return item.level === "warning"
        ? marked("!", "magenta", item.text, width, look)
        : lined(paint(item.text, "dim"), width);
    case "error":
      return [
        ...marked("✗", "red", paint(item.message, "red"), width, look),
        ...(item.hint === null ? [] : lined(`  ${paint(item.hint, "dim")}`, width, "  ")),
      ];
    case "preview":
      return [...lined(paint(item.summary, "bold"), width), ...previewLines(item.preview, width, look)];
  }
}

function aboutLines(model: string | null, width: number, { directory, memory, paint }: Look): string[] {
  const rows = { directory, memory, model: model ?? "none: answers come from memory alone" };
  const column = Math.max(...Object.keys(rows).map((name) => name.length)) + 2;
  return Object.entries(rows).flatMap(([name, value]) =>
    lined(`  ${paint(name.padEnd(column), "dim")}${value}`, width, " ".repeat(column + 2)),
  );
}

export function userLines(text: string, width: number, { paint }: Look): string[] {
  const lines = lined(text, width - 2);
  const shown = lines.length > MESSAGE_LINES + 1 ? lines.slice(0, MESSAGE_LINES) : lines;
  const hidden = lines.length - shown.length;
  const mark = paint("› ", "cyan", "bold");
  return [
    ...shown.map((line, index) => (index === 0 ? mark : "  ") + line),
    ...(hidden === 0 ? [] : [paint(`  … ${hidden} more lines`, "dim")]),
  ];
}

function fileLines(width: number, { paint }: Look): (file: ShownFile) => string[] {
  return ({ path, bytes, problem }) => {
    const name = oneLine(fileInWords(path, bytes));
    return problem === null
      ? lined(`  ${paint(`+ ${name}`, "dim")}`, width, "    ")
      : lined(`  ${paint("!", "magenta")} ${name}: ${oneLine(problem)}`, width, "    ");
  };
}

/** Shows only the first lines. */
export function thinkingLines(text: string, label: string, width: number, { paint }: Look): string[] {
  const lines = lined(label + oneLine(text), width - 3);
  const isCut = lines.length > THINKING_LINES;
  return lines.slice(0, THINKING_LINES).map((line, index) => {
    const end = isCut && index === THINKING_LINES - 1 ? "…" : "";
    return paint(`${index === 0 ? "✻ " : "  "}${line}${end}`, "dim", "italic");
  });
}

export function toolLines(
  summary: string,
  brief: string,
  colour: Colour,
  width: number,
  look: Look,
): string[] {
  const { paint } = look;
  const result = brief === "" ? "" : paint(` · ${oneLine(brief)}`, "dim");
  return marked("●", colour, oneLine(summary) + result, width, look);
}

const TONES: Record<MemoryLine["tone"], Colour> = {
  done: "cyan",
  minor: "dim",
  refused: "magenta",
  failed: "red",
};

/** Wraps text into screen lines, with tabs as spaces. */
function lined(text: string, width: number, indent?: string): string[] {
  return wrapText(text.replaceAll("\t", TAB), width, indent);
}

function marked(mark: string, colour: Colour, text: string, width: number, { paint }: Look): string[] {
  return lined(`${paint(mark, colour)} ${text}`, width, "  ");
}
