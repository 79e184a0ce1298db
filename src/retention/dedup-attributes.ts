/**
 * Which attribute a fact gives a value to, and whether there is one value at a time. "Timezone: Madrid" and "Lives in Berlin"
 * have one; "Speaks Spanish" and "Hobby: chess" are one of many. In doubt there is none, and nothing is superseded by it.
 */
import { canonicalKey } from "../core/fact-text.ts";
import {
  ALWAYS_SCOPE,
  DESCRIBED_BY,
  DESCRIPTIONS,
  DETAIL_STARTS,
  MANY_NOUNS,
  MODALS,
  MONTHS,
  NEGATORS,
  NO_NAMES,
  NO_PLACES,
  ONE_OF_A_KIND,
  PAST_VERBS,
  SCOPE_STARTS,
  SCOPE_WORDS,
  SINGLE_NOUNS,
  SINGULAR_S,
  VERB_FORMS,
} from "./dedup-lexicon.ts";
import { singular, telling, type Word } from "./dedup-words.ts";

export interface Attribute {
  readonly name: string;
  /** one: a new value takes the old one's place. many: values stand beside each other. open: the name does not tell. */
  readonly holds: "one" | "many" | "open";
  /** What the value is, without what is added to it. */
  readonly core: readonly Word[];
  /** What is added: "as a designer", ", Germany". */
  readonly detail: readonly Word[];
  /** When, where or for what it holds; "" is always. */
  readonly scope: string;
  /** The value is a sentence of its own: the name is a topic. */
  readonly isClause: boolean;
  /** "is" stands before the value, which may only describe: "The owner is angry". */
  readonly mayDescribe: boolean;
}

const HOME_NOUNS = new Set(["location", "residence", "city", "home", "home city"]);
const NOUN_NAMES: ReadonlyMap<string, string> = new Map([
  ["company", "employer"],
  ["workplace", "employer"],
  ["job title", "job"],
  ["occupation", "job"],
  ["profession", "job"],
  ["boss", "manager"],
  ["supervisor", "manager"],
  ["preferred editor", "favorite editor"],
]);

/**
 * The attribute that a noun names: of a key, or of the subject of "is". There, null where "is" only describes the subject,
 * or where the noun does not say that there is one value and the value is no number or address.
 */
export function attributeOfNoun(
  noun: string,
  value: readonly Word[],
  from: "key" | "sentence",
): Attribute | null {
  const describes = from === "sentence" && isDescription(value);
  if (describes && value.length !== 1) return null;
  const name = nameOf(canonicalKey(noun));
  const holds = holdsOf(name);
  if (from === "sentence") {
    if (describes && !DESCRIBED_BY.has(name.split(" ").at(-1) ?? "")) return null;
    if (holds !== "one" && !isExact(value)) return null;
  }
  const isHome = HOME_NOUNS.has(name) && isPlaceName(value);
  const known = isHome ? "home" : (NOUN_NAMES.get(name) ?? name);
  if (from === "key") return valued(known, holds, value);
  return { ...valued(known, holds === "open" ? "one" : holds, value), mayDescribe: true };
}

/** What there is one of is the current one. */
function nameOf(key: string): string {
  const bare = key.replace(/^current /, "");
  return holdsOf(bare) === "one" ? bare : key;
}

interface Pattern {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The words that follow the verb, any one of each group. */
  readonly after: readonly string[];
  readonly value?: (value: readonly Word[]) => boolean;
}

const PATTERNS: readonly Pattern[] = [
  { name: "home", verbs: ["live", "reside"], after: ["in at"], value: isNamedPlace },
  { name: "home", verbs: ["be"], after: ["based located", "in"], value: isNamedPlace },
  { name: "home", verbs: ["moved", "relocated"], after: ["to"], value: isPlaceName },
  { name: "employer", verbs: ["work"], after: ["at"], value: isNamedPlace },
  { name: "employer", verbs: ["work"], after: ["for"], value: isName },
  { name: "employer", verbs: ["be"], after: ["employed", "by at"] },
  { name: "job", verbs: ["work"], after: ["as"], value: isNoun },
  { name: "birthday", verbs: ["be", "was"], after: ["born", "on"] },
  { name: "birthplace", verbs: ["be", "was"], after: ["born", "in"], value: isName },
  { name: "manager", verbs: ["report"], after: ["to"] },
  { name: "weight", verbs: ["weigh"], after: [], value: isExact },
  { name: "school", verbs: ["study"], after: ["at"], value: isNamedPlace },
  { name: "port", verbs: ["run", "listen"], after: ["on", "port"] },
  { name: "name", verbs: ["be"], after: ["called named"], value: isName },
  { name: "time", verbs: ["be"], after: ["at"], value: isTime },
  { name: "age", verbs: ["turned"], after: [], value: isExact },
];

const BY_VERB = Map.groupBy(
  PATTERNS.flatMap(({ verbs, after, ...pattern }) =>
    verbs.map((verb) => ({ ...pattern, verb, after: after.map((group) => group.split(" ")) })),
  ),
  ({ verb }) => verb,
);

/** The main verbs of all sentences that give an attribute a value. */
export const ATTRIBUTE_VERBS: readonly string[] = [...new Set(["be", ...BY_VERB.keys()])];

/**
 * Words of which every fact that gives this attribute a value has one, spelt in whatever way; null where there are none:
 * an age may be any number.
 */
export function cluesOf(name: string): readonly string[] | null {
  const nouns = [name, ...(name === "home" ? HOME_NOUNS : [])];
  for (const [noun, known] of NOUN_NAMES) if (known === name) nouns.push(noun);
  const heads = nouns.map((noun) => noun.split(" ").at(-1) ?? "");
  if (name === "age" || !heads.every((head) => /^[a-z]+$/.test(head))) return null;
  const said = PATTERNS.filter((pattern) => pattern.name === name).flatMap(({ verbs, after: [next = ""] }) =>
    verbs.includes("be") ? next.split(" ") : verbs,
  );
  return [...heads, ...said];
}

/** The attribute of a sentence, `said` from its verb on, and whether it is its subject's noun: "The deploy branch is main". */
export function attributeOfSentence(
  noun: string,
  verb: string,
  said: readonly Word[],
): { attribute: Attribute; isNoun: boolean } | null {
  const ofNoun = verb === "be" && noun !== "" ? attributeOfNoun(noun, said.slice(1), "sentence") : null;
  const isSure = ofNoun !== null && holdsOf(ofNoun.name) === "one";
  const ofBody = isSure ? null : attributeOfBody(verb, said);
  if (ofBody !== null) return { attribute: ofBody, isNoun: false };
  return ofNoun === null ? null : { attribute: ofNoun, isNoun: true };
}

/** The attribute that a verb with its words gives a value to. `said` begins with the verb. */
function attributeOfBody(verb: string, said: readonly Word[]): Attribute | null {
  const rest = said.slice(1);
  if (verb === "be" && isAge(rest)) return valued("age", "one", withoutUnit(rest));
  for (const { name, after, value: fits } of BY_VERB.get(verb) ?? []) {
    if (!after.every((group, at) => group.includes(rest[at]?.word ?? ""))) continue;
    const value = rest.slice(after.length);
    if (value.length > 0 && (fits === undefined || fits(value))) return valued(name, "one", value);
  }
  return movedFrom(verb, rest);
}

/** "moved from Lyon to Paris". */
function movedFrom(verb: string, rest: readonly Word[]): Attribute | null {
  if ((verb !== "moved" && verb !== "relocated") || rest[0]?.word !== "from") return null;
  const to = rest.findIndex(({ word }) => word === "to");
  const value = to > 1 ? rest.slice(to + 1) : [];
  return isPlaceName(value) ? valued("home", "one", value) : null;
}

function isAge(words: readonly Word[]): boolean {
  if (!/^\d{1,3}$/.test(words[0]?.word ?? "")) return false;
  const after = words.slice(1, 3).map(({ word }) => word);
  return words.length === 1 || (/^years?$/.test(after[0] ?? "") && after[1] === "old") || after[0] === "yo";
}

/** "34" of "34 years old", with what follows. */
function withoutUnit(words: readonly Word[]): Word[] {
  return words.filter((_, at) => at === 0 || at > (words[1]?.word === "yo" ? 1 : 2));
}

function isName(value: readonly Word[]): boolean {
  return value[0]?.capital === true;
}

/** "Madrid", not "TypeScript", "VS Code 2" or "a new team". */
function isPlaceName(value: readonly Word[]): boolean {
  return !NO_PLACES.has(value[0]?.word ?? "") && /^\p{Lu}[\p{Ll}\p{M}'-]+$/u.test(value[0]?.text ?? "");
}

/** "Berlin" or "berlin", not "a small flat" or "night". */
function isNamedPlace(value: readonly Word[]): boolean {
  const first = value[0]?.word ?? "";
  return isName(value) || !(NO_NAMES.has(first) || SCOPE_WORDS.has(first) || /[\d/.]/.test(first));
}

/** "a nurse", not "expected". */
function isNoun(value: readonly Word[]): boolean {
  return isName(value) || /^(?:an?|the)$/.test(value[0]?.word ?? "");
}

function isTime(value: readonly Word[]): boolean {
  return /^\d{1,2}(?::\d\d(?:am|pm)?|am|pm)$/.test(value[0]?.word ?? "");
}

/** A number, a date, an address: no description. */
function isExact(value: readonly Word[]): boolean {
  const first = value[0]?.word ?? "";
  return /\d|:\/\/|@/.test(first) || MONTHS.has(first);
}

function isDescription(value: readonly Word[]): boolean {
  const first = value[0];
  if (first === undefined) return true;
  return !first.capital && (DESCRIPTIONS.has(first.word) || /.{3}(?:ed|ing|able|ible)$/.test(first.word));
}

/** Whether the value says more than a name or noun could. */
function isClause(value: readonly Word[]): boolean {
  const first = value[0];
  if (first === undefined) return true;
  const opens = first.word;
  const isDate = MONTHS.has(opens) && /^\d/.test(value[1]?.word ?? "");
  if (PAST_VERBS.has(opens) || (MODALS.has(opens) && !isDate) || NEGATORS.has(opens)) return true;
  if (VERB_FORMS.has(opens) && value.length > 1) return true;
  if (value.some(({ word }) => /^(?:is|are|was|were|has|have|does|must|should|user)$/.test(word)))
    return true;
  return value.length > 1 && !first.capital && /.{2}(?:ed|en|ing|[^s]s)$/.test(opens);
}

function holdsOf(name: string): Attribute["holds"] {
  const words = name.split(" ");
  const head = words.at(-1) ?? "";
  if (words.length > 1 && words.some((word) => ONE_OF_A_KIND.has(word)))
    return isPlural(head) ? "many" : "one";
  if (SINGLE_NOUNS.has(head)) return "one";
  return MANY_NOUNS.has(singular(head)) || isPlural(head) ? "many" : "open";
}

function isPlural(noun: string): boolean {
  return !SINGULAR_S.has(noun) && singular(noun) !== noun;
}

/** Cuts the value apart where a detail or a scope begins. */
function valued(name: string, holds: Attribute["holds"], given: readonly Word[]): Attribute {
  const value = /^(?:on|in)$/.test(given[0]?.word ?? "") ? given.slice(1) : given;
  const said = telling(value);
  const scopeAt = said.findIndex(
    (word, at) => at > 0 && (beginsScope(said, at) || (holds !== "many" && isLabel(word))),
  );
  const scope =
    scopeAt === -1
      ? ""
      : said
          .slice(scopeAt)
          .map(({ base }) => base)
          .join(" ");
  const rest = scopeAt === -1 ? said : said.slice(0, scopeAt);
  const detailAt = rest.findIndex((word, at) => at > 0 && (word.afterBreak || DETAIL_STARTS.has(word.word)));
  return {
    name,
    holds,
    core: detailAt === -1 ? rest : rest.slice(0, detailAt),
    detail: detailAt === -1 ? [] : rest.slice(detailAt),
    scope,
    isClause: isClause(value),
    mayDescribe: false,
  };
}

function beginsScope(words: readonly Word[], at: number): boolean {
  return ALWAYS_SCOPE.has(words[at]?.word ?? "") || isWhenOrWhere(words, at);
}

/** "on Sundays", "at work". */
export function isWhenOrWhere(words: readonly Word[], at: number): boolean {
  return SCOPE_STARTS.has(words[at]?.word ?? "") && SCOPE_WORDS.has(words[at + 1]?.word ?? "");
}

/** "(work)", ", private". */
function isLabel({ word, afterBreak }: Word): boolean {
  return afterBreak && SCOPE_WORDS.has(word);
}
