/** Makes text safe to put between tags; it may contain such tags itself. */

/** Characters that a model may read as "<". */
const BRACKETS = /[<＜﹤‹«⟨〈〈❮❰⧼˂ᐸ≺⋖≪⟪《𝈶]/gu;
/** Characters that models ignore inside a tag. */
const IGNORED = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{M}\p{C}\p{Pd}_−]$/u;
const SLASH = /^[/\\⁄∕⧸⟋╱]$/u;

/** Letters of other alphabets, and digits, that look like a Latin letter; capital "i" and "l" look alike. */
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

/** Maps look-alikes to one letter. */
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

/** Returns a function that escapes tags with these names, opening or closing, in any spelling. */
export function harmlessTags(names: readonly string[]): (text: string) => string {
  const wanted = names.map(plainName);
  return (text) =>
    text.replace(BRACKETS, (bracket, at: number) =>
      namesTag(text, at + bracket.length, wanted) ? "&lt;" : bracket,
    );
}

/** Stops at the first character that fits none of the names. */
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
