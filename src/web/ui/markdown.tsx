/** Markdown as HTML. It is somebody's text: only plain elements survive, and images and links load nothing by themselves. */
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { type MouseEvent, memo, useMemo } from "react";
import "./markdown.css";

const marked = new Marked({
  gfm: true,
  renderer: {
    code: ({ text, lang }) =>
      `<div class="code"><button type="button" data-copy>Copy</button><pre><code class="language-${escaped(lang ?? "")}">${escaped(text)}</code></pre></div>`,
    // Form fields don't survive.
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    // An image could tell its server that somebody reads this.
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text === "" ? href : text)}</a>`,
  },
});

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const FORBIDDEN = {
  FORBID_TAGS: ["img", "style", "form", "input", "video", "audio", "svg", "math"],
  FORBID_ATTR: ["style"],
};

/** Links open elsewhere, so that a click doesn't leave the page. */
DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noreferrer noopener");
});

export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => DOMPurify.sanitize(marked.parse(text, { async: false }), FORBIDDEN), [text]);
  return (
    // The HTML is sanitized above.
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside handle keys themselves
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click is also what a key on a button sends
    <div className="markdown" onClick={copyCode} dangerouslySetInnerHTML={{ __html: html }} />
  );
});

function copyCode({ target }: MouseEvent): void {
  if (!(target instanceof HTMLButtonElement) || target.dataset.copy === undefined) return;
  const text = target.parentElement?.querySelector("code")?.textContent ?? "";
  navigator.clipboard.writeText(text).then(() => {
    target.textContent = "Copied";
  });
}
