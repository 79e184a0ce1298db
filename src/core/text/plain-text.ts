/**
 * Markdown as plain words for embedding: marks, link targets and table pipes mean nothing to a model trained on sentences.
 * Identifiers in code stay. Every pattern stops at its own opening character, so any text takes linear time.
 */

import { wordSet } from "../../util/word-lists.ts";

const MARKUP = /[[`<*_~=\\&]|-->/;
const IMAGE_OR_LINK = /!?\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^[\]]*\])/g;
const WIKI_LINK = /\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g;
const DEFINITION = /^ {0,3}\[([^[\]^]+)\]:[ \t]*(?=\S)/;
const FOOTNOTE = /\[\^[^[\]\s]*\]:?/g;
const AUTOLINK = /<((?:https?|ftp|mailto):[^<>\s]*)>/g;
const TAG = /<!--|-->|<\/?([a-z][a-z\d]*)(?:\s[^<>]*)?\/?>/gi;
/** "<String>" and "<null>" are text. */
const HTML_ELEMENTS = wordSet(
  `a abbr address article aside audio b big blockquote body br button caption center cite code col colgroup dd del details dfn div
   dl dt em figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label li link main
   mark meta nav ol p picture pre q s samp script section small source span strong style sub summary sup svg table tbody td tfoot
   th thead title tr tt u ul var video`,
);

/** Whether it names an element of HTML. */
export function isHtmlElement(name: string): boolean {
  return HTML_ELEMENTS.has(name.toLowerCase());
}
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
    .replace(TAG, (tag, name?: string) => (name === undefined || isHtmlElement(name) ? " " : tag))
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
