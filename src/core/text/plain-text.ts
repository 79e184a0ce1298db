/**
 * Markdown as plain words for embedding: marks, link targets and table pipes mean nothing to a model trained on sentences.
 * Identifiers in code stay. Every pattern stops at its own opening character, so any text takes linear time.
 */

const MARKUP = /[[`<*_~=\\&]|-->/;
const IMAGE_OR_LINK = /!?\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^[\]]*\])/g;
const WIKI_LINK = /\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g;
const DEFINITION = /^ {0,3}\[([^[\]^]+)\]:[ \t]*(?=\S)/;
const FOOTNOTE = /\[\^[^[\]\s]*\]:?/g;
const AUTOLINK = /<((?:https?|ftp|mailto):[^<>\s]*)>/g;
const TAG = /<!--|-->|<\/?[a-z][^<>]*>/gi;
const EMPHASIS_OR_ESCAPE =
  /\\[!-/:-@[-`{-~]|\*+|~~+|==+|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=[^\s_])_+(?![\p{L}\p{N}_])/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
  "#39": "'",
};
const ENTITY = /&(amp|lt|gt|quot|nbsp|#39);/g;

/** One line, or a joined paragraph. */
export function plainInline(text: string): string {
  if (!MARKUP.test(text)) return text.replace(/\s+/g, " ").trim();
  const linked = text
    .replace(WIKI_LINK, (_, page: string, name: string | undefined) => name ?? page)
    .replace(FOOTNOTE, " ")
    .replace(IMAGE_OR_LINK, "$1");
  const parts = linked.includes("`") ? linked.split(/`+/) : [linked];
  const plain = parts.map((part, index) => (index % 2 === 1 ? part : plainProse(part)));
  return plain.join("").replace(/\s+/g, " ").trim();
}

/** Outside code. */
function plainProse(text: string): string {
  return text
    .replace(AUTOLINK, "$1")
    .replace(TAG, " ")
    .replace(EMPHASIS_OR_ESCAPE, (mark) => (mark.startsWith("\\") ? mark.slice(1) : ""))
    .replace(ENTITY, (_, name: string) => ENTITIES[name] ?? " ");
}

/** The name and title of `[name]: https://... "Title"`; null for other lines. */
export function plainDefinition(line: string): string | null {
  const match = DEFINITION.exec(line);
  if (match === null) return null;
  const rest = line.slice(match[0].length);
  const space = rest.search(/\s/);
  const title = space === -1 ? "" : rest.slice(space).replace(/["'()]/g, "");
  return `${match[1]} ${title.trim()}`.trim();
}
