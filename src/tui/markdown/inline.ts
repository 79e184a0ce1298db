/** A paragraph's text: emphasis, code, links. marked reads it, without definitions of references, which are shown as they are. */
import { Lexer, type MarkedToken, type Token } from "marked";
import { hasCjk } from "../../core/text/cjk.ts";
import { styled } from "../ansi/ansi.ts";
import { withoutEscapes } from "../ansi/clean.ts";
import { decoded } from "./entities.ts";
import type { Theme } from "./theme.ts";

/** marked compares every mark of emphasis with every other one; a text with so many of them is no prose. */
const MOST_MARKS = 400;
const DEEPEST = 24;

/** With a line end where the text asks for one, and nowhere else. */
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
  // No extension is registered that would make other tokens.
  const token = given as MarkedToken;
  if (depth > DEEPEST) return flowing(token.raw);
  const inner = (tokens: readonly Token[]) => tokensAsText(tokens, theme, depth + 1);
  switch (token.type) {
    case "text":
      // Not its `text`, in which some characters written by number are real ones already.
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
      return linkAsText(inner(token.tokens), token.text, prose(token.href), theme);
    case "image":
      return linkAsText(prose(token.text), token.text, prose(token.href), theme);
    case "html":
      return /^<br *\/?>$/i.test(token.raw) ? "\n" : flowing(token.raw);
    default:
      return flowing(token.raw);
  }
}

/** The address too, where the text does not say it. */
function linkAsText(shown: string, text: string, address: string, theme: Theme): string {
  const label = styled(theme.link, shown);
  if (address === "" || bare(address) === bare(text)) return label;
  if (label === "") return styled(theme.faint, address);
  return `${label} ${styled(theme.faint, `(${address})`)}`;
}

function bare(address: string): string {
  return address.replace(/^(?:https?:\/\/|mailto:)/i, "").replace(/\/$/, "");
}

/** Characters written as entities are decoded, and then cleaned again: `&#27;` is an escape, and a tab has no fixed width. */
function prose(text: string): string {
  return flowing(withoutEscapes(decoded(text)).replaceAll("\t", " "));
}

const HANGUL = /\p{Script=Hangul}/u;

/** Line ends as spaces; as nothing between characters of a script that has none. */
function flowing(text: string): string {
  if (!/\n| {2}/.test(text)) return text;
  const squeezed = text.replace(/ {2,}/g, " ");
  return squeezed.replace(/(.?) ?\n(?: ?\n)* ?(?=(.?))/gu, (_, before: string, after: string) =>
    hasCjk(before) && hasCjk(after) && !HANGUL.test(before + after) ? before : `${before} `,
  );
}
