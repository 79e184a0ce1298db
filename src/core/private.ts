/** What a person marks as private in a file of their own: from tag to tag. A tag that is only spoken of, in code, hides nothing. */

const PRIVATE = /(?<!`)<private\b[^>]*>[\s\S]*?<\/\s*private\s*>/gi;

/** The text with blanks in the place of what is private: lines and offsets stay. */
export function withPrivateBlanked(text: string): string {
  return text.replace(PRIVATE, (hidden) => hidden.replace(/[^\r\n]/g, " "));
}
