/** Small pieces of English: a person's words about themselves, as a sentence about them. */

/** "use" -> "uses". Of an auxiliary, as it is. */
export function thirdPerson(verb: string): string {
  const irregular: Readonly<Record<string, string>> = { be: "is", have: "has", do: "does", go: "goes" };
  const lower = verb.toLowerCase();
  if (Object.hasOwn(irregular, lower)) return irregular[lower] ?? verb;
  if (/(?:s|x|z|ch|sh|o)$/.test(lower)) return `${verb}es`;
  if (/[^aeiou]y$/.test(lower)) return `${verb.slice(0, -1)}ies`;
  return `${verb}s`;
}

const TURNED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:I['’]m|we['’]re|I am|we are)\b/gi, "they are"],
  [/\b(?:I['’]ve|we['’]ve)\b/gi, "they have"],
  [/\b(?:I['’]d|we['’]d)\b/gi, "they would"],
  [/\b(?:I['’]ll|we['’]ll)\b/gi, "they will"],
  [/\b(?:I|we)\b/gi, "they"],
  [/\b(?:my|our)\b/gi, "their"],
  [/\b(?:mine|ours)\b/gi, "theirs"],
  [/\b(?:myself|ourselves)\b/gi, "themselves"],
  [/\b(?:me|us)\b/gi, "them"],
];

/** "because I need my sleep" -> "because they need their sleep". "US" is a country. */
export function aboutThem(words: string): string {
  return TURNED.reduce(
    (text, [pattern, other]) => text.replace(pattern, (found) => (found === "US" ? found : other)),
    words,
  );
}

const END = /[\s.,;:!…)\]–—-]+$/u;
const PICTURES = /\p{Extended_Pictographic}|\u200d|\ufe0f/gu;

/** Without what stands at its end for the sentence's sake. */
export function trimmed(words: string): string {
  return words.replace(PICTURES, "").trim().replace(END, "").trim();
}

export function wordCount(words: string): number {
  return words.split(/\s+/).filter((word) => word !== "").length;
}

/** What comes before these is a thought of its own. */
const ASIDE =
  /(?:,?\s+(?:but|though|although|however|while|whereas|since|unless|except|lol|haha|thanks|thank you|please|by the way|btw)\b|,\s+(?:so|which|who|where|when|and|too|right|you know|especially|even|as|plus|or|not|the|they|it|these|those|this|that|he|she|you|there)\b|\s+[–—-]+\s|;|\s\(|:\s|,\s*$|\.\.+|…).*$/isu;

/** "tea, rye bread, and rain". */
const LIST = /^[^,;:()]+(?:, [^,;:()]+)+,? (?:and|or) [^,;:()]+$/;
/** A phrase that breaks off: "I love to". */
const UNFINISHED = /(?:^|\s)(?:to|of|for|with|and|or|in|on|at|a|an|the|my|our|by|from|about|than|over)$/i;

/** The value up to where another thought begins; "" where it breaks off. */
export function value(words: string): string {
  const whole = trimmed(words);
  const found = LIST.test(whole) ? whole : trimmed(words.replace(ASIDE, ""));
  return UNFINISHED.test(found) ? "" : found;
}

/** The same, up to its first comma where it is no list: "tabs, two per level" -> "tabs". */
export function phrase(words: string): string {
  const found = value(words);
  return found === "" || LIST.test(found) ? found : trimmed(found.replace(/,.*$/s, ""));
}

/** Signs that stand in code and in addresses: what a person says of themselves has none. */
export const CODE = /[(){}[\]=<>|\\^~]|\w\/$|:\/\/|\w\(/;

export function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
