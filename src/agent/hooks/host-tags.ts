/** Claude Code puts what a hook says between tags of its own, and a model takes what stands between them for Claude Code's words. */

const TAG = /<(?=\s*[/\\]?\s*system-reminder)/gi;

/** A memory that holds the tag can neither end what it stands in nor begin another. */
export function withoutHostTags(text: string): string {
  return text.replace(TAG, "&lt;");
}
