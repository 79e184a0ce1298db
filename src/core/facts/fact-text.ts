/**
 * A fact's text: its normal form, its id, and the key of a fact such as "Timezone: Madrid". The id is derived from the text, so it
 * stays the same if the index is lost.
 */

import { detached } from "../../util/detached.ts";
import { sha256 } from "../../util/hash.ts";
import { squeezed } from "../../util/text.ts";
import { BULLETS, CHECK_BOX } from "../text/markdown.ts";

/** In characters: a fact is one sentence, a longer text is a document. People may write longer bullets by hand. */
export const LONGEST_FACT = 2_000;

const INVISIBLE = /\u00ad|\u200b|\u2060|\ufeff|\ufe0e|\ufe0f/g;
const WIDE_COLON = /(?<=\p{L})：/gu;
const DASHES = /[\u2010-\u2015\u2212]/g;
const SINGLE_QUOTES = /[‘’‚‛ʼ]/g;
const DOUBLE_QUOTES = /[“”„‟«»]/g;
const BULLET = /^(?:[-*+•‣◦▪·]\s+)+/;
/** Emphasis or code around whole words, unlike the star in `src/*.ts`. */
const EMPHASIS =
  /(?<![\p{L}\p{M}\p{N}/\\*`])(\*{1,3}|`+)(?=[^\s*`])([^*`]*[^\s*`])\1(?![\p{L}\p{M}\p{N}/\\*])/gu;
const WHOLLY_UNDERLINED = /^(_{1,3})(?=[^\s_])([^_]*[^\s_])\1$/;
const WHOLLY_QUOTED = /^(["'])([^"']+)\1$/;
const FINAL = " .!,;…。、";
/** Whether there may be anything to strip. */
const MARKED = /^[-*+•‣◦▪·_"']|[*`]|[ .!,;…。、]$/;
const ASCII = /^[\x20-\x7e]*$/;

/** The text on one line, without list and emphasis marks, typographic variants and a final period. Keeps its case. */
export function plainFact(text: string): string {
  let plain = squeezed(ASCII.test(text) ? text : withoutVariants(text));
  for (;;) {
    if (!MARKED.test(plain)) return plain;
    const barer = plain
      .replace(BULLET, "")
      .replace(EMPHASIS, "$2")
      .replace(WHOLLY_UNDERLINED, "$2")
      .replace(WHOLLY_QUOTED, "$2")
      .trim();
    const ended = withoutEnd(barer, FINAL);
    if (ended === plain || ended === "") return plain;
    plain = ended;
  }
}

function withoutVariants(text: string): string {
  return text
    .replace(INVISIBLE, "")
    .replace(WIDE_COLON, ": ")
    .replaceAll("´", "'")
    .normalize("NFKC")
    .replace(DASHES, "-")
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"');
}

function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}

/** Two texts with the same normal form are the same fact. Words stay as they are: "likes Go" isn't "likes Go-karts". */
export function normalForm(text: string): string {
  return plainFact(text).toLowerCase();
}

/** Only dashes, dots and invisible characters: no search could find it. */
const NOTHING = /^[^\p{L}\p{N}\p{S}]*$/u;

/** The text on one line, for a bullet; "" if it has no content. */
export function oneFact(text: string): string {
  if (NOTHING.test(text)) return "";
  return text.replace(/\s+/g, " ").trim().replace(BULLETS, "").replace(CHECK_BOX, "");
}

/** A key as it is stored and shown; "" if it has no content. "Gym  day:" would look like "Gym day". */
export function keyName(key: string): string {
  return oneFact(key).replace(/[\s:]+$/, "");
}

/** The text of a fact with a key, as in MEMORY.md: "Deploy day: Tuesdays". */
export function addressed(key: string | null, text: string): string {
  const name = key === null ? "" : keyName(key);
  const isThere = text.toLowerCase().startsWith(`${name.toLowerCase()}:`);
  return name === "" || text === "" || isThere ? text : `${name}: ${text}`;
}

/** Cached ids. Reading a file needs the ids of all its facts each time. */
const MOST_IDS = 50_000;
const IDS = new Map<string, string>();

/** Ten characters, the same for every spelling of a fact. `chat` is null for a fact of the workspace. */
export function factId(text: string, chat: string | null): string {
  if (chat !== null) return idOf(text, chat);
  const known = IDS.get(text);
  if (known !== undefined) return known;
  if (IDS.size === MOST_IDS) IDS.clear();
  const id = idOf(text, null);
  IDS.set(detached(text), id);
  return id;
}

function idOf(text: string, chat: string | null): string {
  const hash = sha256(`${chat === null ? "" : `chat ${chat}`}\0${normalForm(text)}`);
  const fiftyBits = Math.floor(Number.parseInt(hash.slice(0, 13), 16) / 4);
  return fiftyBits.toString(32).padStart(10, "0");
}

interface KeyedFact {
  /** As in `keyOf`. */
  readonly key: string;
  /** Names a kind of note rather than what has the value: "Note", "User preference", "TODO". */
  readonly isCategory: boolean;
  readonly value: string;
}

const KEY_AND_VALUE = /^(\p{L}[^:.!?;,"()[\]{}]{0,47}):\s+(\S.*)$/u;
const MOST_KEY_WORDS = 5;
/** With one of these words, it is the start of a sentence, not a key: "Jamie said: ...". */
const SENTENCE_WORDS = /\b(?:is|are|was|were|am|said|says|told|asked|that|this|these|following)\b/;

const CATEGORY_WORDS: ReadonlySet<string> = new Set(
  `preference preferences note notes fact facts project projects todo todos reminder reminders memory memories info
   information update updates tip tips context detail details learned insight insights summary misc general other personal
   decision decisions idea ideas question questions task tasks issue issues bug bugs event events observation observations
   remember fyi user background convention conventions rule rules requirement requirements lesson lessons warning warnings quote
   quotes link links reference references resource resources goal goals feedback important key new updated global private work
   profile about instruction instructions guideline guidelines behavior constraint constraints caveat gotcha workaround fix
   finding findings nb ps re example action correction habit trait opinion experience`.split(/\s+/),
);

/** Synonyms and spellings of a key, or of a word in it. */
const KEY_SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["favorite", ["favourite", "fave", "fav"]],
  ["color", ["colour"]],
  ["behavior", ["behaviour"]],
  ["timezone", ["time zone", "time-zone", "tz"]],
  ["email", ["email address", "e-mail address", "e-mail"]],
  ["phone", ["telephone number", "telephone no", "telephone", "phone number", "phone no"]],
  ["username", ["user name"]],
  ["birthday", ["date of birth", "dob", "birth day", "birth date", "birthdate"]],
  ["os", ["operating system"]],
  ["name", ["full name"]],
]);
const RESPELT = [...KEY_SPELLINGS].map(
  ([word, spellings]) => [new RegExp(`\\b(?:${spellings.join("|")})\\b`, "g"), word] as const,
);

/** The key and value, even if the key is only a category; null if the text has no key. */
export function keyedFact(text: string): KeyedFact | null {
  const match = KEY_AND_VALUE.exec(plainFact(text));
  if (match === null) return null;
  const key = canonicalKey(match[1] ?? "");
  const words = key.split(" ");
  if (words.length > MOST_KEY_WORDS || SENTENCE_WORDS.test(key)) return null;
  return { key, isCategory: words.every((word) => CATEGORY_WORDS.has(word)), value: match[2] ?? "" };
}

/** A fact's key: "timezone" for "Time zone: Madrid", "anna's timezone" for "Anna's timezone: Madrid". */
export function keyOf(text: string): string | null {
  const keyed = keyedFact(text);
  return keyed === null || keyed.isCategory ? null : keyed.key;
}

/** Whether a fact is saved under a key: its own, or the first words of its text ("Deploy day: ..."). */
export function isUnder(key: string, fact: { readonly key: string | null; readonly text: string }): boolean {
  return (fact.key === null ? keyOf(fact.text) : canonicalKey(fact.key)) === canonicalKey(key);
}

/** The key of a replaced fact, if the new text still starts with it ("Deploy day: ..."). */
export function keptKey(
  text: string,
  replaced: readonly ({ readonly key: string | null } | null | undefined)[],
): string | null {
  const said = text.toLowerCase();
  const kept = replaced.find((fact) => fact?.key && said.startsWith(`${fact.key.toLowerCase()}:`));
  return kept?.key ?? null;
}

/** The canonical spelling of a key. The user is the default owner: "User's timezone" is "timezone". */
function canonicalKey(name: string): string {
  let key = normalForm(name)
    .replace(/[_\s]+/g, " ")
    .replace(/[ :]+$/, "");
  const owned = key.replace(/^(?:the user's|user's|my|your|the) (?=\S)/, "");
  if (owned !== "") key = owned;
  for (const [spelling, word] of RESPELT) key = key.replace(spelling, word);
  return key.trim();
}
