/**
 * A Markdown file: optional frontmatter, then the body. Parsing and printing gives the same bytes, including BOM and CRLF; only
 * `withFields` and `withContent` change anything, and only the given fields or content.
 */
import { type Eol, eolOf, splitBom } from "../../util/text.ts";
import { type Fields, readYaml, type YamlProblem } from "./read-yaml.ts";
import { writeYaml } from "./yaml-fields.ts";

export interface MarkdownFile {
  /** Everything before the frontmatter's YAML: a BOM, the opening fence. */
  readonly open: string;
  /** null if the file has no frontmatter. */
  readonly yaml: string | null;
  readonly close: string;
  readonly body: string;
  readonly fields: Fields;
  /** Set if the frontmatter can't be parsed; `fields` is then empty. Lines count from the start of the file. */
  readonly problem: YamlProblem | null;
}

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

export function parseMarkdown(text: string): MarkdownFile {
  const [bom, rest] = splitBom(text);
  const opening = OPENING.exec(rest)?.[0];
  if (opening === undefined) return withoutFrontmatter(bom, rest);

  const inner = rest.slice(opening.length);
  const closing = CLOSING.exec(inner);
  if (closing === null) {
    const looksLikeFields = /^[\w-]+:(?:\s|$)/.test(inner);
    const problem = { line: 1, message: "the frontmatter is opened with '---' but never closed" };
    return { ...withoutFrontmatter(bom, rest), problem: looksLikeFields ? problem : null };
  }

  const yaml = inner.slice(0, closing.index);
  const reading = readYaml(yaml);
  const pieces = {
    open: bom + opening,
    yaml,
    close: closing[0],
    body: inner.slice(closing.index + closing[0].length),
  };
  if (reading.ok) return { ...pieces, fields: reading.fields, problem: null };
  if (isProse(yaml)) return withoutFrontmatter(bom, rest);
  const problem = { line: reading.problem.line + 1, message: reading.problem.message };
  return { ...pieces, fields: {}, problem };
}

/** Parses bytes that may not be valid UTF-8, to show or keep the file anyway. */
export function parseLoosely(bytes: Uint8Array): MarkdownFile {
  return parseMarkdown(new TextDecoder().decode(bytes));
}

/** Text between two rules ("---") that isn't meant as frontmatter. */
function isProse(yaml: string): boolean {
  return !yaml.split("\n").some((line) => /^\s*[^\s#].*:(?:\s|$)/.test(line));
}

function withoutFrontmatter(bom: string, body: string): MarkdownFile {
  return { open: bom, yaml: null, close: "", body, fields: {}, problem: null };
}

export function printMarkdown(file: MarkdownFile): string {
  return file.open + (file.yaml ?? "") + file.close + file.body;
}

/** The body without the blank line after the frontmatter. */
export function contentOf(file: MarkdownFile): string {
  return file.yaml === null ? file.body : file.body.replace(/^\r?\n/, "");
}

/** Sets frontmatter keys, or removes those that are undefined. Adds frontmatter if there is none. */
export function withFields(file: MarkdownFile, changes: Fields): MarkdownFile {
  const eol = eolOf(file.open.length > 1 ? file.open : file.body);
  const { source: yaml, fields } = writeYaml(file.yaml ?? "", changes, eol);
  if (file.yaml !== null) return { ...file, yaml, fields };
  return { ...file, open: `${file.open}---${eol}`, yaml, close: `---${eol}`, body: eol + file.body, fields };
}

/** Replaces the content and keeps the frontmatter. A BOM in `content` moves to the front. */
export function withContent(file: MarkdownFile, content: string): MarkdownFile {
  const [bom, rest] = splitBom(content);
  if (file.yaml === null) return { ...file, open: file.open || bom, body: rest };
  const eol: Eol = eolOf(file.open);
  return { ...file, body: eol + rest, close: file.close.endsWith("\n") ? file.close : file.close + eol };
}
