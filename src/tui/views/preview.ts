/** The preview in an approval: a diff or a command. Lines are wrapped, never cut, so that the user sees all of it. */

import type { Colour } from "../ansi/paint.ts";
import { hardWrap } from "../ansi/wrap.ts";
import type { Preview } from "../items.ts";
import type { Look } from "./look.ts";

export function previewLines(preview: Preview, width: number, { paint }: Look): string[] {
  if (preview === null) return [];
  const lines = preview.text.replace(/\n$/, "").split("\n");
  return lines.flatMap((line) => {
    const colour = preview.kind === "diff" ? diffColour(line) : null;
    const rows = hardWrap(line.replaceAll("\t", "    "), width);
    return colour === null ? rows : rows.map((row) => paint(row, colour));
  });
}

function diffColour(line: string): Colour | null {
  if (/^(?:\+\+\+|---|diff |index )/.test(line)) return "bold";
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") ? "cyan" : null;
}
