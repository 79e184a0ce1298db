/**
 * Colours in code, for the terminal and the page: the languages, with highlight.js and each language loaded at first use, so that
 * a chat without code pays nothing.
 * `require` loads them synchronously. Its types are not used, because they would add the DOM types to the whole project.
 */

/** The part of highlight.js that is used. */
interface Highlighter {
  registerLanguage(name: string, define: Definition): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
}

type Definition = (highlighter: Highlighter) => object;

interface Language {
  /** Its main name first. */
  readonly names: string;
  /** Embedded languages, loaded with it, so that colours don't depend on what was loaded before. */
  readonly embeds: string;
  readonly load: () => Definition;
}

const LANGUAGES: readonly Language[] = [
  { names: "bash sh zsh", embeds: "", load: () => require("highlight.js/lib/languages/bash") },
  { names: "c h", embeds: "", load: () => require("highlight.js/lib/languages/c") },
  { names: "cpp c++ cc hpp cxx", embeds: "", load: () => require("highlight.js/lib/languages/cpp") },
  { names: "csharp c# cs", embeds: "", load: () => require("highlight.js/lib/languages/csharp") },
  { names: "css", embeds: "", load: () => require("highlight.js/lib/languages/css") },
  { names: "diff patch", embeds: "", load: () => require("highlight.js/lib/languages/diff") },
  {
    names: "dockerfile docker containerfile",
    embeds: "bash",
    load: () => require("highlight.js/lib/languages/dockerfile"),
  },
  { names: "go golang", embeds: "", load: () => require("highlight.js/lib/languages/go") },
  { names: "ini toml conf", embeds: "", load: () => require("highlight.js/lib/languages/ini") },
  { names: "java", embeds: "", load: () => require("highlight.js/lib/languages/java") },
  {
    names: "javascript js jsx mjs cjs node",
    embeds: "xml css",
    load: () => require("highlight.js/lib/languages/javascript"),
  },
  {
    names: "json jsonc json5 jsonl ndjson",
    embeds: "",
    load: () => require("highlight.js/lib/languages/json"),
  },
  { names: "kotlin kt kts", embeds: "", load: () => require("highlight.js/lib/languages/kotlin") },
  { names: "markdown md", embeds: "xml", load: () => require("highlight.js/lib/languages/markdown") },
  { names: "php", embeds: "", load: () => require("highlight.js/lib/languages/php") },
  { names: "python py python3", embeds: "", load: () => require("highlight.js/lib/languages/python") },
  { names: "ruby rb", embeds: "", load: () => require("highlight.js/lib/languages/ruby") },
  { names: "rust rs", embeds: "", load: () => require("highlight.js/lib/languages/rust") },
  {
    names: "shell console shellsession",
    embeds: "bash",
    load: () => require("highlight.js/lib/languages/shell"),
  },
  { names: "sql sqlite postgresql mysql", embeds: "", load: () => require("highlight.js/lib/languages/sql") },
  { names: "swift", embeds: "", load: () => require("highlight.js/lib/languages/swift") },
  {
    names: "typescript ts tsx mts cts",
    embeds: "xml css",
    load: () => require("highlight.js/lib/languages/typescript"),
  },
  {
    names: "xml html xhtml svg vue svelte",
    embeds: "javascript css",
    load: () => require("highlight.js/lib/languages/xml"),
  },
  { names: "yaml yml", embeds: "ruby", load: () => require("highlight.js/lib/languages/yaml") },
];

const BY_NAME: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => words(language.names).map((name) => [name, language] as const)),
);

/** `name` is in lower case. */
export function isKnownLanguage(name: string): boolean {
  return BY_NAME.has(name);
}

/** highlight.js's HTML; null for an unknown language. */
export function highlightedHtml(code: string, name: string): string | null {
  const known = BY_NAME.get(name);
  if (known === undefined) return null;
  const highlighter: Highlighter = require("highlight.js/lib/core");
  return highlighter.highlight(code, { language: prepared(known, highlighter), ignoreIllegals: true }).value;
}

function prepared({ names, embeds, load }: Language, highlighter: Highlighter): string {
  const [name = ""] = words(names);
  if (highlighter.getLanguage(name) !== undefined) return name;
  highlighter.registerLanguage(name, load());
  for (const embedded of words(embeds)) {
    const language = BY_NAME.get(embedded);
    if (language !== undefined) prepared(language, highlighter);
  }
  return name;
}

function words(list: string): string[] {
  return list.split(" ").filter((word) => word !== "");
}
