/** Inline Markdown: emphasis, code, links. marked parses it. References are shown as written. */
import { Lexer, type MarkedToken, type Token } from "marked";
import { hasCjk } from "../../core/text/cjk.ts";
import { hyperlink, styled } from "../ansi/ansi.ts";
import { withoutEscapes } from "../ansi/clean.ts";
import { decoded } from "./entities.ts";
import type { Theme } from "./theme.ts";

/** marked takes quadratic time in the number of emphasis marks; a text with more of them isn't prose. */
const MOST_MARKS = 400;
const DEEPEST = 24;

/** Contains newlines only for hard line breaks. */
export function inline(text: string, theme: Theme): string {
  const trimmed = text.trim();
  if (!/[*_~`[<&\\\n@:]| {2}|www\./.test(trimmed)) return trimmed;
  if ((trimmed.match(/[*_~`[\]<]/g)?.length ?? 0) > MOST_MARKS) return flowing(trimmed);
  return tokensAsText(Lexer.lexInline(trimmed), theme, 0);
}

function tokensAsText(tokens: readonly Token[], theme: Theme, depth: number): string {
  return tokens.map((token) => tokenAsText(token, theme, depth)).join("");
}

function tokenAsText(given: Token, theme: Theme, depth: number): string {
  // Without extensions, marked returns only these tokens.
  const token = given as MarkedToken;
  if (depth > DEEPEST) return flowing(token.raw);
  const inner = (tokens: readonly Token[]) => tokensAsText(tokens, theme, depth + 1);
  switch (token.type) {
    case "text":
      // Not `text`, in which marked has already decoded some entities.
      return token.tokens === undefined ? prose(token.raw) : inner(token.tokens);
    case "escape":
      return token.text;
    case "strong":
      return styled(theme.strong, inner(token.tokens));
    case "em":
      return styled(theme.emphasis, inner(token.tokens));
    case "del":
      return styled(theme.struck, inner(token.tokens));
    case "codespan":
      return styled(theme.code, withoutEscapes(token.text).replaceAll("\n", " "));
    case "br":
      return "\n";
    case "link":
      return linkAsText(inner(token.tokens), token.text, token.href, theme);
    case "image":
      return linkAsText(prose(token.text), token.text, token.href, theme);
    case "html":
      return /^<br *\/?>$/i.test(token.raw) ? "\n" : flowing(token.raw);
    default:
      return flowing(token.raw);
  }
}

/**
 * Adds the address unless the text already shows it, or the terminal does. It is also shown if the text looks like an address,
 * because it may be another one.
 */
function linkAsText(shown: string, text: string, href: string, theme: Theme): string {
  const address = prose(href);
  const isSame = bare(address) === bare(text);
  const isLink = theme.links && isSafe(decoded(href));
  const label = styled(theme.link, shown === "" ? address : shown);
  const linked = isLink ? hyperlink(address, label) : label;
  if (address === "" || shown === "" || isSame || (isLink && !ADDRESS_LIKE.test(text))) return linked;
  return `${linked} ${styled(theme.faint, `(${address})`)}`;
}

const ADDRESS_LIKE = /[./@:]\S/;
const LONGEST_ADDRESS = 2000;

/** Only web and mail addresses, in the characters that a URL may have. */
function isSafe(address: string): boolean {
  return address.length <= LONGEST_ADDRESS && /^(?:https?:\/\/|mailto:)[!-~]+$/i.test(address);
}

function bare(address: string): string {
  return address.replace(/^(?:https?:\/\/|mailto:)/i, "").replace(/\/$/, "");
}

/** Decodes entities and cleans the result again: `&#27;` is an escape, and a tab has no fixed width. */
function prose(text: string): string {
  return flowing(withoutEscapes(decoded(text)).replaceAll("\t", " "));
}

const HANGUL = /\p{Script=Hangul}/u;

/** Turns line ends into spaces, or removes them between characters of scripts without spaces. */
function flowing(text: string): string {
  if (!/\n| {2}/.test(text)) return text;
  const squeezed = text.replace(/ {2,}/g, " ");
  return squeezed.replace(/(.?) ?\n(?: ?\n)* ?(?=(.?))/gu, (_, before: string, after: string) =>
    hasCjk(before) && hasCjk(after) && !HANGUL.test(before + after) ? before : `${before} `,
  );
}
