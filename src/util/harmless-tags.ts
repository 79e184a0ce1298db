/** Makes text safe to put between tags: it may contain such tags itself, written by a file, a page, a model or a stranger. */

/** Characters that a reader may take for "<". */
const BRACKETS = /[<＜﹤‹«⟨〈〈❮❰⧼˂ᐸ≺⋖≪⟪《𝈶]/gu;
/** Readers don't see these, or don't care about them, between the characters of a tag. */
const IGNORED = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{M}\p{C}\p{Pd}_−]$/u;
const SLASH = /^[/\\⁄∕⧸⟋╱]$/u;

/** Letters of other alphabets, and digits, that look like a Latin letter; "i" and "l" look like each other in capitals. */
const LOOK_ALIKES = new Map(
  Object.entries({
    a: "аɑα",
    b: "вь",
    c: "сϲ",
    d: "ԁɗ",
    e: "еєεҽ3",
    g: "ɡԍ",
    h: "һн",
    k: "кκ",
    l: "iіιıӏǀ|1!",
    m: "мʍ",
    n: "пոηո",
    o: "оοօ0σ",
    p: "рρ",
    r: "гᴦ",
    s: "ѕꜱ5$",
    t: "тτ",
    u: "υսц",
    v: "νѵ",
    x: "хχ",
    y: "уγү",
  }).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
);

/** Every spelling of a letter becomes the same one. */
function plain(character: string): string {
  const [base = ""] = character.normalize("NFKD").toLowerCase();
  return LOOK_ALIKES.get(base) ?? base;
}

function plainName(name: string): string {
  return Array.from(name)
    .filter((character) => !IGNORED.test(character))
    .map(plain)
    .join("");
}

/** Returns a function for texts that must neither close a tag with one of these names nor open one, in any spelling. */
export function harmlessTags(names: readonly string[]): (text: string) => string {
  const wanted = names.map(plainName);
  return (text) =>
    text.replace(BRACKETS, (bracket, at: number) =>
      namesTag(text, at + bracket.length, wanted) ? "&lt;" : bracket,
    );
}

/** Reads no further than the name: to the first character that fits none of the wanted names. */
function namesTag(text: string, from: number, wanted: readonly string[]): boolean {
  let name = "";
  for (let at = from; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    if (IGNORED.test(character) || (name === "" && SLASH.test(character))) continue;
    name += plain(character);
    if (wanted.includes(name)) return true;
    if (!wanted.some((one) => one.startsWith(name))) return false;
  }
  return false;
}
