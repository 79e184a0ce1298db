/** Makes text safe to put between tags; it may contain such tags itself. */

/** Characters that a model may read as "<". */
const BRACKETS = "<＜﹤‹«⟨〈〈❬❮❰⦑⧼˂ᐸᚲ≺⋖≪⟪《𝈶";
const BRACKET = new RegExp(`[${BRACKETS}]`, "gu");
/** Characters that models ignore inside a tag. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{M}\p{C}\p{Pd}_−]/gu;
/** A slash, or a symbol that may look like one. */
const SLASH = /^(?:[/\\]|(?!\p{ASCII})[\p{Po}\p{Sm}\p{So}])$/u;
const LATIN = /^[a-z]$/;

/** In basic lower-case letters; capital "i" and "l" look alike. */
function plain(text: string): string {
  return text.normalize("NFKD").toLowerCase().replace(IGNORED, "").replaceAll("i", "l");
}

/** Returns a function that escapes tags with these names, opening or closing, in any spelling. */
export function harmlessTags(names: readonly string[]): (text: string) => string {
  const wanted = names.map(plain);
  return (text) =>
    text.replace(BRACKET, (bracket, at: number) =>
      mayNameTag(text, at + bracket.length, wanted) ? "&lt;" : bracket,
    );
}

/**
 * Any character but a Latin letter may stand for up to two letters, since every alphabet has look-alikes. An opening tag needs
 * as many Latin letters as other characters: brackets also quote words of other alphabets, and stand before numbers.
 */
function mayNameTag(text: string, from: number, wanted: readonly string[]): boolean {
  let rests = wanted;
  let isClosing = false;
  let [latin, others] = [0, 0];
  for (const character of plainCharacters(text, from)) {
    if (latin + others === 0 && SLASH.test(character)) {
      isClosing = true;
      continue;
    }
    if (character === ">") return false;
    if (LATIN.test(character)) {
      latin++;
      rests = rests.filter((rest) => rest.startsWith(character)).map((rest) => rest.slice(1));
    } else {
      others++;
      rests = [...new Set(rests.flatMap((rest) => [rest, rest.slice(1), rest.slice(2)]))];
    }
    rests = rests.filter((rest) => isClosing || latin + rest.length >= others);
    if (rests.includes("")) return true;
    if (rests.length === 0) return false;
  }
  return false;
}

/** Up to the next bracket, or a blank line, which no tag contains. So texts that a blank line separates can be escaped one by one. */
function* plainCharacters(text: string, from: number): Generator<string> {
  for (let at = from; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (BRACKETS.includes(character) || text.startsWith("\n\n", at)) return;
    at += character.length;
    yield* plain(character);
  }
}
