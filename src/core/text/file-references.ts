/**
 * References to files in a message: `@src/app.ts`, `@"my file.md"`. Only the notation is read here; whether a file exists is up to
 * the caller.
 */
import { isCode, linesOf } from "./markdown.ts";

export interface FileReference {
  /** What it may name, longest first: in "see @app.ts." the full stop probably ends the sentence. */
  readonly paths: readonly string[];
  /** It looks like a path, so that a missing file is worth a warning: `@src/ap.ts`, but not `@ada`. */
  readonly isPath: boolean;
}

/** An `@` that begins a word; the one in "ada@example.org" doesn't. */
const AT = "(?<=^|[\\s(\\[{<\"'“‘«（「])@";
const QUOTED = '"((?:[^"\\\\\\n]|\\\\[^\\n])*)';
const REFERENCE = new RegExp(`${AT}(?:${QUOTED}"|([^\\s"@\`]\\S*))`, "gu");
const OPEN = new RegExp(`${AT}(?:${QUOTED}|([^\\s"@\`]\\S*)?)$`, "u");
const INLINE_CODE = /(?<!`)(`+)(?!`)[^`]+\1(?!`)/g;
const PUNCTUATION = /\p{P}$/u;
const EXTENSION = /[^/]*\.[A-Za-z0-9]{1,5}$/;
/** The longest path that Linux accepts. */
const LONGEST_PATH = 4096;
/** How many punctuation marks may follow a path. */
const MOST_PUNCTUATION = 8;

/** The references outside of code, in order. */
export function referencesIn(text: string): FileReference[] {
  if (!text.includes("@")) return [];
  const prose = [...linesOf(text)]
    .map(({ kind, text: line }) => (isCode(kind) ? "" : line))
    .join("\n")
    .replace(INLINE_CODE, "`");
  return [...prose.matchAll(REFERENCE)].flatMap(([, quoted, plain = ""]): FileReference[] => {
    if (quoted !== undefined) return quoted === "" ? [] : [{ paths: [unescaped(quoted)], isPath: true }];
    if (plain.length > LONGEST_PATH) return [];
    const paths = withoutPunctuation(plain);
    return [{ paths, isPath: EXTENSION.test(paths.at(-1) ?? "") }];
  });
}

/** The unfinished reference before the cursor, and what is typed of its path. null if there is none. */
export function openReference(before: string): { readonly from: number; readonly path: string } | null {
  const start = Math.max(0, before.length - LONGEST_PATH);
  const found = OPEN.exec(before.slice(start));
  if (found === null) return null;
  const [, quoted, plain = ""] = found;
  return { from: start + found.index, path: quoted === undefined ? plain : unescaped(quoted) };
}

/** How to write a reference to this path, which must be on one line. */
export function referenceTo(path: string): string {
  if (/^[^\s"@`][^\s`]*$/u.test(path)) return `@${path}`;
  return `@"${path.replace(/["\\]/g, "\\$&")}"`;
}

function unescaped(quoted: string): string {
  return quoted.replace(/\\(["\\])/g, "$1");
}

function withoutPunctuation(run: string): string[] {
  const paths = [run];
  for (let path = run; paths.length <= MOST_PUNCTUATION && PUNCTUATION.test(path); paths.push(path)) {
    path = path.replace(PUNCTUATION, "");
    if (path === "") break;
  }
  return paths;
}
