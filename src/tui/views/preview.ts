/** The preview in an approval, and the output or diff of a tool call. */

import type { Shown } from "../../agent/tool.ts";
import type { Colour } from "../ansi/paint.ts";
import { hardWrap } from "../ansi/wrap.ts";
import { fit } from "../editor/graphemes.ts";
import type { Preview } from "../items.ts";
import type { Look } from "./look.ts";

const TAB = "    ";

/** How many lines of a call's output or diff are shown below it. */
const FIRST_LINES = 5;

/** The first lines of what a call printed or wrote, each cut to the width. Other texts are only for the model. `key` names the key for the rest. */
export function firstLines(
  { kind, text }: Shown,
  width: number,
  { paint }: Look,
  key = " · Ctrl-O shows all",
): string[] {
  if (kind === "text" || text.trim() === "") return [];
  const lines = (kind === "diff" ? withoutFileNames(text) : text).trimEnd().split("\n");
  const shown = lines.length > FIRST_LINES + 1 ? lines.slice(0, FIRST_LINES) : lines;
  const hidden = lines.length - shown.length;
  const colour = (line: string) => (kind === "diff" ? diffColour(line) : null) ?? "dim";
  return [
    ...shown.map((line) => `  ${paint(fit(line.replaceAll("\t", TAB), width - 2), colour(line))}`),
    ...(hidden === 0 ? [] : [paint(fit(`  … ${hidden} more lines${key}`, width), "dim")]),
  ];
}

/** The line above the diff names the file. */
function withoutFileNames(diff: string): string {
  return diff.replace(/^--- .*\n\+\+\+ .*\n/, "");
}

/** Lines are wrapped, never cut, so that the user sees all of it. */
export function previewLines(preview: Preview, width: number, { paint }: Look): string[] {
  if (preview === null) return [];
  const lines = preview.text.replace(/\n$/, "").split("\n");
  return lines.flatMap((line) => {
    const colour = preview.kind === "diff" ? diffColour(line) : null;
    const rows = hardWrap(line.replaceAll("\t", TAB), width);
    return colour === null ? rows : rows.map((row) => paint(row, colour));
  });
}

function diffColour(line: string): Colour | null {
  if (/^(?:\+\+\+|---|diff |index )/.test(line)) return "bold";
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") ? "cyan" : null;
}
