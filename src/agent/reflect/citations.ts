/**
 * Checks an answer's citations and removes ids that were not recalled. Brackets that aren't citations (links, check boxes, dates,
 * words) and code stay unchanged.
 */
import { isCode, linesOf } from "../../core/text/markdown.ts";

interface CheckedAnswer {
  readonly text: string;
  /** In the order of their first mention. */
  readonly cited: readonly string[];
  readonly removed: readonly string[];
}

const INLINE_CODE = /(`[^`\n]+`)/;
/** Excludes images and link texts. */
const BRACKETS = /(?<space>[ \t]*)(?<!!)\[(?<inside>[^[\]\n]{1,300})\](?!\()/gu;
const KIND = /^(?:document|fact|note|message|summary|id):?\s+(?=\S)/i;

export function checkCitations(answer: string, known: ReadonlySet<string>): CheckedAnswer {
  const cited = new Set<string>();
  const removed = new Set<string>();
  const check = (text: string) =>
    text.replace(BRACKETS, (whole: string, space: string, inside: string, offset: number) => {
      const names = inside.split(/[,;]/).map((name) => nameIn(name, known));
      const isIndex = space === "" && /[\p{L}\p{N}_]/u.test(text[offset - 1] ?? "");
      const isCitation = (name: string) => known.has(name) || looksLikeId(name, isIndex);
      if (!names.every(isCitation)) return whole;
      for (const name of names) (known.has(name) ? cited : removed).add(name);
      const good = [...new Set(names.filter((name) => known.has(name)))];
      return good.length === 0 ? "" : `${space}${good.map((name) => `[${name}]`).join(" ")}`;
    });
  const checkLine = (line: string) =>
    line
      .split(INLINE_CODE)
      .map((part, index) => (index % 2 === 1 ? part : check(part)))
      .join("");
  const text = Array.from(linesOf(answer), ({ kind, start, next }) => {
    const line = answer.slice(start, next);
    return isCode(kind) ? line : checkLine(line);
  }).join("");
  return { text, cited: [...cited], removed: [...removed] };
}

/** Strips the kind that a model may put before an id. */
function nameIn(said: string, known: ReadonlySet<string>): string {
  const name = said.trim();
  const bare = name.replace(KIND, "");
  return [name, bare, `message:${bare}`].find((one) => known.has(one)) ?? bare;
}

const DATE_OR_URL = /^\d{4}-\d\d(?:-\d\d)?$|:\/\//;
/** A shorter number right after a word is an index or a parameter. */
const LIKE_AN_ID = /^(?=.*\d)[\w:#./-]{6,}$|^[\w.-]+\/[\w./-]+$/;
const NUMBER = /^\d+$/;

function looksLikeId(name: string, isIndex: boolean): boolean {
  return !DATE_OR_URL.test(name) && (LIKE_AN_ID.test(name) || (!isIndex && NUMBER.test(name)));
}
