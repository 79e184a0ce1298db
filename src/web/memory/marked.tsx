/** A text with the words of the query marked. */
import { useMemo } from "react";

export function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const parts = useMemo(() => splitAt(text, words), [text, words]);
  return parts.map((part, index) =>
    // Every second part is a match.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
  );
}

/** A match begins a word, so that "deploy" marks "deployed". The parts at odd indexes match. */
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
