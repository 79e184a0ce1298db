/** What search, recall and answers from memory say about their result, in commands, chat and tools alike. */

export const NOTHING_FOUND = "No relevant memories.";

/** A remark after the count if no hit has the words themselves; else "". */
export function guessedRemark(hits: readonly { readonly guessed: boolean }[]): string {
  return hits.every(({ guessed }) => guessed) ? " (similar spelling only)" : "";
}
