/** Reads the words of an unfinished shell command line, and quotes words for it. */

type Quote = "" | "'" | '"';

interface ShellLine {
  /** Without quotes; the last one is incomplete. */
  readonly words: readonly string[];
  /** The quote that is open at the end. */
  readonly quote: Quote;
  /** How much of the last word stays as typed: readline replaces only the part after the last word break. */
  readonly kept: number;
}

/** `breaks` are the characters at which readline starts a new word. */
export function readShellLine(line: string, breaks: string): ShellLine {
  const words: string[] = [];
  let word: string | null = null;
  let quote: Quote = "";
  let kept = 0;
  const add = (text: string) => {
    word = (word ?? "") + text;
  };
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? "";
    const next = line[index + 1] ?? "";
    if (character === quote) {
      quote = "";
      kept = (word ?? "").length;
    } else if (quote === "'") add(character);
    else if (character === "\\" && (quote === "" || /["\\$`]/.test(next))) {
      add(next);
      index++;
    } else if (quote === '"') add(character);
    else if (character === "'" || character === '"') {
      quote = character;
      add("");
      kept = (word ?? "").length;
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      kept = 0;
    } else {
      add(character);
      if (breaks.includes(character)) kept = (word ?? "").length;
    }
  }
  return { words: [...words, word ?? ""], quote, kept };
}

/** A completed word as it continues the line. */
export function quotedFor({ quote, kept }: Pick<ShellLine, "quote" | "kept">, word: string): string {
  const rest = word.slice(kept);
  if (quote === "'") return rest.replaceAll("'", "'\\''");
  if (quote === '"') return rest.replace(/["\\$`]/g, "\\$&");
  return rest.replace(/[^\w@%+=:,./\p{L}\p{N}-]/gu, "\\$&");
}
