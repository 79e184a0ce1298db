/** Finds secrets in Markdown tables: a column's heading is the name, and each cell below it a value. */

import { isSecretValue } from "./assignments.ts";
import { kindOfName, NAME, type SecretName } from "./names.ts";
import type { Secret } from "./secret.ts";

const SECRET_HEADING = new RegExp(`(?:${NAME})$`, "i");
const DELIMITERS = /^[\s|:-]+$/;
const JOIN = { sign: "|", isBare: false, isQuoted: false, isWhole: true, isOwned: false, after: "" };

export function findInTables(text: string): Secret[] {
  if (!text.includes("|")) return [];
  const found: Secret[] = [];
  let columns: readonly (SecretName | null)[] = [];
  let start = 0;
  let previous = "";
  for (const line of text.split("\n")) {
    if (!line.includes("|")) columns = [];
    else if (line.includes("-") && DELIMITERS.test(line)) columns = cellsOf(previous).map(nameOf);
    else if (columns.some((name) => name !== null)) {
      for (const [index, { text: value, offset }] of cellsOf(line).entries()) {
        const name = columns[index] ?? null;
        if (name === null || !isSecretValue(name, value, JOIN)) continue;
        found.push({ what: name.what, start: start + offset, end: start + offset + value.length });
      }
    }
    previous = line;
    start += line.length + 1;
  }
  return found;
}

interface Cell {
  /** Without surrounding white space and marks. */
  readonly text: string;
  readonly offset: number;
}

function cellsOf(line: string): Cell[] {
  let offset = 0;
  return line.split("|").map((cell) => {
    const [, before = "", text = ""] = /^([\s*_`"']*)(.*)$/s.exec(cell) ?? [];
    const at = offset + before.length;
    offset += cell.length + 1;
    return { text: text.replace(/[\s*_`"']{1,200}$/, ""), offset: at };
  });
}

function nameOf({ text }: Cell): SecretName | null {
  const heading = text.slice(-60);
  const match = SECRET_HEADING.exec(heading);
  return match === null ? null : kindOfName(heading, match.index, match[0]);
}
