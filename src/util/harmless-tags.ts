/** Texts that stand between tags, and may hold such tags themselves: from a file, a page, a model or a stranger. */

/** What nobody sees, or takes for nothing, between the signs of a tag. */
const INVISIBLE = "[\\u00ad\\u200b-\\u200f\\u2060-\\u2064\\ufe00-\\ufe0f\\ufeff\\s]*";

/** Makes texts that can neither close a tag of these names nor open another, however it is spelt. */
export function harmlessTags(names: readonly string[]): (text: string) => string {
  const spelt = names.map((name) => Array.from(name).join(INVISIBLE)).join("|");
  const tag = new RegExp(`[<＜﹤](?=${INVISIBLE}[/\\\\]?${INVISIBLE}(?:${spelt}))`, "gi");
  return (text) => text.replace(tag, "&lt;");
}
