/** What every search, recall and answer from memory says if it finds nothing. */
export const NOTHING_FOUND = "No relevant memories.";
