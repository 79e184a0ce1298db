/**
 * Shows the end of a streaming text as what it will most likely become, so that marks don't flicker: emphasis and code are closed, a
 * link shows its text, and the start of a block's mark is hidden.
 */

/** Whether a line may still become the start of a block or an underline. */
export function isOnlyMarks(line: string): boolean {
  const text = line.replace(/^[ >]+/, "");
  return /^(?:[-+*_=#~`|: ]*|(?:[-+*] +)?\[[ xX]?\]? *|\d{1,9}[.)]? *)$/.test(text);
}

/** Closes open marks. Returns a text without open marks unchanged. */
export function completed(text: string): string {
  const linked = text.replace(/!?\[([^[\]\n]*)(?:\]|\]\([^()\s]*)?$/, "$1");
  const bare = withoutLast(linked, "*_~`");
  const started = bare === "" || /\s$/.test(bare) ? bare : linked;
  if (openMarks(started).length === 0) return started;
  const trimmed = withoutLast(started, "*_~` \n");
  return trimmed + openMarks(trimmed).reverse().join("");
}

function withoutLast(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Open emphasis and code marks, outermost first. */
function openMarks(text: string): string[] {
  let open: string[] = [];
  for (const match of text.matchAll(/\\.|`+|\*{1,3}|_{1,3}|~~/gs)) {
    const mark = match[0];
    const before = text.charAt(match.index - 1);
    const after = text.charAt(match.index + mark.length);
    const innermost = open.at(-1);
    if (innermost?.startsWith("`")) {
      if (mark === innermost) open.pop();
    } else if (mark.startsWith("`")) open.push(mark);
    else if (mark.startsWith("\\")) continue;
    else if (open.includes(mark) && /\S/.test(before)) open = open.slice(0, open.lastIndexOf(mark));
    else if (/\S/.test(after) && !/[\p{L}\p{N}]/u.test(before)) open.push(mark);
  }
  return open;
}
