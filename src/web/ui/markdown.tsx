/** Markdown as HTML. The text is untrusted: only plain elements survive, and images and links load nothing automatically. */
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { type MouseEvent, memo, useEffect, useMemo } from "react";
import { isHtmlElement } from "../../core/text/plain-text.ts";
import { type Highlight, loadHighlight, useHighlight } from "./highlight.ts";
import "./markdown.css";

const marked = new Marked({
  gfm: true,
  renderer: {
    // Classes don't survive.
    code: ({ text, lang = "" }) =>
      `<pre><code lang="${escaped(/^\S*/.exec(lang)?.[0] ?? "")}">${escaped(text.trimEnd())}\n</code></pre>\n`,
    // Form fields don't survive.
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    // "List<String>" is text.
    html: ({ text }) =>
      text.replace(/<\/?([a-z][^\s/>]*)[^<>]*>/gi, (tag, name: string) =>
        isHtmlElement(name) ? tag : escaped(tag),
      ),
    // An image could tell its server that somebody reads this.
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text === "" ? href : text)}</a>`,
  },
});

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Longer code is shown without colours, because a language's patterns may be slow. */
const MOST_COLOURED = 20_000;

/** No controls, classes or ids: a text must not look or act like a part of the page. */
const ALLOWED = {
  ALLOWED_TAGS: [
    ...[
      "h1",
      "h2",
      "h3",
      "h4",
      "h5",
      "h6",
      "p",
      "div",
      "blockquote",
      "pre",
      "hr",
      "br",
      "details",
      "summary",
    ],
    ...["ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td"],
    ...["a", "span", "strong", "b", "em", "i", "u", "s", "del", "ins", "mark", "small", "sub", "sup"],
    ...["code", "kbd", "samp", "var", "q", "cite", "abbr"],
  ],
  ALLOWED_ATTR: ["href", "title", "align", "start", "colspan", "rowspan", "open", "lang", "dir"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** With a scheme or a host. */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** The addresses of links to other files. */
export function relativeLinks(text: string): string[] {
  const found: string[] = [];
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === "link" && !/^[#?/]/.test(token.href) && !ELSEWHERE.test(token.href))
      found.push(token.href);
  });
  return found;
}

interface MarkdownProps {
  readonly text: string;
  /** Where in the page a relative link leads; null if nowhere. Default: nowhere. */
  link?(href: string): string | null;
}

const NOWHERE = () => null;

export const Markdown = memo(function Markdown({ text, link = NOWHERE }: MarkdownProps) {
  const highlight = useHighlight();
  const { html, hasLanguage } = useMemo(() => rendered(text, highlight, link), [text, highlight, link]);
  useEffect(() => {
    if (hasLanguage) void loadHighlight();
  }, [hasLanguage]);
  return (
    // `rendered` sanitizes it.
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside handle keys themselves
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click is also what a key on a button sends
    <div className="markdown" onClick={copyCode} dangerouslySetInnerHTML={{ __html: html }} />
  );
});

function rendered(text: string, highlight: Highlight | null, link: NonNullable<MarkdownProps["link"]>) {
  const body = document.createElement("div");
  const html = marked.parse(text, { async: false });
  body.append(DOMPurify.sanitize(html, { ...ALLOWED, RETURN_DOM_FRAGMENT: true }));
  for (const anchor of body.querySelectorAll("a")) {
    const href = anchor.getAttribute("href") ?? "";
    const inPage = ELSEWHERE.test(href) ? null : link(href);
    if (inPage !== null) anchor.href = inPage;
    else if (ELSEWHERE.test(href)) {
      // Elsewhere, so that a click doesn't leave the page.
      anchor.target = "_blank";
      anchor.rel = "noreferrer noopener";
    } else anchor.replaceWith(...anchor.childNodes);
  }
  let hasLanguage = false;
  for (const code of body.querySelectorAll<HTMLElement>("pre > code")) {
    const language = code.lang.toLowerCase();
    code.removeAttribute("lang");
    if (language === "" || code.textContent.length > MOST_COLOURED) continue;
    hasLanguage = true;
    // highlight.js escapes the text, and adds only its own spans.
    const coloured = highlight?.(code.textContent, language) ?? null;
    if (coloured !== null) code.innerHTML = coloured;
  }
  for (const code of body.querySelectorAll("pre")) {
    const frame = document.createElement("div");
    frame.className = "code";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    // A long line scrolls sideways, by keyboard too.
    code.tabIndex = 0;
    code.replaceWith(frame);
    frame.append(button, code);
  }
  return { html: body.innerHTML, hasLanguage };
}

async function copyCode({ target }: MouseEvent): Promise<void> {
  if (!(target instanceof HTMLButtonElement)) return;
  try {
    await navigator.clipboard.writeText(target.nextElementSibling?.textContent ?? "");
    target.textContent = "Copied";
  } catch {
    // Denied, or no clipboard at all, as without encryption on another machine.
    target.textContent = "Not copied";
  }
}
