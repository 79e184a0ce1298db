/** Turns a note into the text of one bullet, "Title: text" on one line. Keeps every word and drops only Markdown's block markers. */
import { bulletsOf } from "../../core/facts/bullets.ts";
import type { Note } from "../../core/facts/daily-log.ts";
import { BULLETS, isRule } from "../../core/text/markdown.ts";
import { type Block, blocksOf, bodyOf, codeLinesOf, isTableRule } from "../../core/text/markdown-blocks.ts";
import { squeezed } from "../../util/text.ts";

/** "" if the note is empty. */
export function bulletOfNote(note: Pick<Note, "title" | "text">): string {
  const title = squeezed(note.title).replace(/(?<=\S):$/, "");
  const body = onOneLine(note.text);
  if (title === "" || body === "") return asBullet(title + body);
  if (repeats(title, body)) return asBullet(body);
  return asBullet(`${title}${SENTENCE_END.test(title) ? "" : ":"} ${body}`);
}

/** The title of a one-sentence note is the start of the sentence, perhaps truncated. */
function repeats(title: string, body: string): boolean {
  const beginning = title.replace(/…$/, "").trimEnd();
  if (!body.startsWith(beginning)) return false;
  const isCut = beginning !== title || beginning.length >= LONG_TITLE;
  return isCut || !/^[\p{L}\p{N}_-]/u.test(body.slice(beginning.length));
}

const LONG_TITLE = 40;

/** Text that reads back unchanged after "- ". If Markdown would parse it as something else, it is prefixed with "Note:". */
export function asBullet(text: string): string {
  const line = squeezed(text);
  return line === "" || readsBack(line) ? line : `Note: ${line}`;
}

function readsBack(line: string): boolean {
  const [first, second, ...more] = bulletsOf(`- ${line}\n- next\n`);
  return first?.text === line && second?.text === "next" && more.length === 0;
}

interface Part {
  readonly kind: "heading" | "text" | "item";
  readonly text: string;
}

/** Joins a note's lines: sentences with a space; list items, table rows and lines of code with ";". */
function onOneLine(text: string): string {
  const parts = blocksOf(text).flatMap((block) => partsOf(text, block));
  let line = "";
  let before: Part | null = null;
  for (const part of parts) {
    if (part.text === "") continue;
    line += (before === null ? "" : glue(before, part)) + part.text;
    before = part;
  }
  return line;
}

const SENTENCE_END = /[.!?:;,…。！？、：；]$/;
const CODE_OPEN = /[{([]$/;

function glue(before: Part, next: Part): string {
  if (SENTENCE_END.test(before.text) || CODE_OPEN.test(before.text)) return " ";
  if (before.kind === "heading") return ": ";
  if (next.kind === "item") return before.kind === "item" ? "; " : ": ";
  return ". ";
}

/** A language name. Anything else after a fence is part of the text. */
const LANGUAGE = /^[\w+#.-]+$/;

function partsOf(note: string, block: Block): Part[] {
  const source = note.slice(block.start, block.end);
  const lines = source.split("\n");
  switch (block.kind) {
    case "heading":
      return [{ kind: "heading", text: squeezed(bodyOf(note, block)) }];
    case "item":
      return [{ kind: "item", text: squeezed(source.replace(BULLETS, "")) }];
    case "table":
      return items(lines.filter((line) => !isTableRule(line)));
    case "code": {
      const code = codeLinesOf(note, block);
      const isAlone = code.every((line) => line.trim() === "");
      return items(LANGUAGE.test(block.info) && !isAlone ? code : [block.info, ...code]);
    }
    default:
      if (isRule(source)) return [];
      // Markdown parses bullets such as "•" as one paragraph.
      if (lines.length > 1 && lines.every((line) => BULLETS.test(line)))
        return items(lines.map((line) => line.replace(BULLETS, "")));
      return [{ kind: "text", text: squeezed(source) }];
  }
}

function items(lines: readonly string[]): Part[] {
  return lines.map((line) => ({ kind: "item", text: squeezed(line) }));
}
