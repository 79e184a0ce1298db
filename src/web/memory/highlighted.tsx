/** A text with the query's words highlighted. */
import { useMemo } from "react";

export function Highlighted({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const parts = useMemo(() => splitAt(text, words), [text, words]);
  return parts.map((part, index) =>
    // Every second part is a match.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
  );
}

/** Prefers matches at the start of a word, and highlights the whole word: "deploy" in "deployed". Matches are at odd indexes. */
function splitAt(text: string, words: readonly string[]): string[] {
  const wanted = words
    .filter((word) => word !== "")
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (wanted.length === 0) return [text];
  const longestFirst = wanted.sort((a, b) => b.length - a.length).join("|");
  return text.split(
    new RegExp(`((?<![\\p{L}\\p{N}])(?:${longestFirst})[\\p{L}\\p{N}]*|(?:${longestFirst}))`, "giu"),
  );
}
