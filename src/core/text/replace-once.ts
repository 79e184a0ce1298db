/** Replaces a passage that a text contains exactly once. */
import { RetainError } from "../errors.ts";

export interface Replacement {
  readonly old: string;
  readonly new: string;
}

/**
 * `visible` is the part of the text that the caller may see: a passage outside it is not found. Throws `not_found`, or `ambiguous`
 * with the number of occurrences.
 */
export function replaceOnce(text: string, { old, new: next }: Replacement, visible = text): string {
  const [seen, count] = [occurrences(visible, old), occurrences(text, old)];
  if (seen === 0 || count === 0)
    throw new RetainError(
      "not_found",
      "Nothing was changed: the text to replace was not found.",
      "Read it again and copy the text exactly, with its spaces and line breaks.",
    );
  if (Math.max(seen, count) > 1)
    throw new RetainError(
      "ambiguous",
      `Nothing was changed: the text to replace occurs ${Math.max(seen, count)} times.`,
      "Include more of the text around it.",
    );
  const at = text.indexOf(old);
  return `${text.slice(0, at)}${next}${text.slice(at + old.length)}`;
}

/** Overlapping ones count: each could be the one that was meant. */
function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0 && part !== ""; at = text.indexOf(part, at + 1)) count++;
  return count;
}
