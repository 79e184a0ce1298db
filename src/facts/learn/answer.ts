/**
 * Checks a model's answer about a batch. Items that fail a check are dropped and counted; nothing throws. Pure.
 */
import { bulletsOf } from "../../core/facts/bullets.ts";
import { SHORTEST_ID } from "../../core/facts/fact.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { plainQuestionsIn } from "../../core/language/evidence.ts";
import { blocksOf } from "../../core/text/markdown-blocks.ts";
import { parseJson } from "../../util/json.ts";
import { squeezed } from "../../util/text.ts";
import * as z from "../../util/zod.ts";
import { guarded, guardedFact } from "../write/guard.ts";
import type { SaidTurn } from "./batch.ts";

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const LONGEST_FACT = 300;
const LONGEST_QUOTE = 1_000;
const LONGEST_REASON = 200;
const LONGEST_KEY = 60;
const MOST_FACTS = 40;
const reason = () => z.nullish(z.string());

const FACT = z.object({
  text: text(LONGEST_FACT),
  quote: text(LONGEST_QUOTE),
  about: z.nullish(z.string()),
  replaces: z.nullish(z.array(z.string())),
  key: z.nullish(text(LONGEST_KEY)),
  because: reason(),
});
const ENDED = z.object({ id: text(40), quote: text(LONGEST_QUOTE), because: reason() });
const PAIR = z.object({
  newer: text(40),
  decision: z.enum(["newer", "both", "same"]),
  because: reason(),
});

/** The parsed answer; the items are unchecked. */
interface Answer {
  readonly facts: readonly unknown[];
  readonly ended: readonly unknown[];
  readonly pairs: readonly unknown[];
}

/** The model's input, to check its answer against. */
interface Shown {
  readonly turns: readonly SaidTurn[];
  /** Ids of known facts. The model saw the start of each id. */
  readonly facts: readonly string[];
  /** Ids of the newer facts of pairs in doubt. */
  readonly pairs: readonly string[];
}

interface LearnedFact {
  /** The text of its bullet. */
  readonly text: string;
  /** The message that states it. */
  readonly message: number;
  /** ISO 8601: when it was said. */
  readonly at: string;
  readonly about: "person" | "project";
  /** Ids of known facts. */
  readonly replaces: readonly string[];
  readonly key: string | null;
  readonly because: string | null;
}

export interface LearnedDecision {
  /** The newer fact of the pair. */
  readonly newer: string;
  readonly decision: "newer" | "both" | "same";
  readonly because: string | null;
}

export interface Learned {
  readonly facts: readonly LearnedFact[];
  readonly ended: readonly { readonly id: string; readonly because: string | null }[];
  readonly decisions: readonly LearnedDecision[];
  /** The number of dropped items, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** null if it isn't JSON of this form. */
export function readAnswer(answer: string): Answer | null {
  // Models may wrap the JSON in a fence or put a sentence before it.
  const value = parseJson(answer.slice(Math.max(0, answer.indexOf("{")), answer.lastIndexOf("}") + 1));
  const list = z.nullish(z.array(z.unknown()));
  const read = z.object({ facts: list, ended: list, pairs: list }).safeParse(value);
  if (!read.success) return null;
  const { facts, ended, pairs } = read.data;
  if (!facts && !ended && !pairs) return null;
  return { facts: facts ?? [], ended: ended ?? [], pairs: pairs ?? [] };
}

export function checkAnswer({ facts, ended, pairs }: Answer, shown: Shown): Learned {
  const checking = new Checking(shown);
  return {
    facts: facts.flatMap((item, index) => checking.fact(item, index)),
    ended: ended.flatMap((item) => checking.ending(item)),
    decisions: pairs.flatMap((item) => checking.pair(item)),
    dropped: checking.dropped,
  };
}

class Checking {
  readonly dropped: Record<string, number> = {};
  readonly #said: readonly (Pick<SaidTurn, "message" | "at"> & { readonly statements: Statements })[];

  constructor(private readonly shown: Shown) {
    this.#said = shown.turns
      .filter(({ role }) => role === "user")
      .map(({ message, at, text: said }) => ({ message, at, statements: new Statements(said) }));
  }

  fact(item: unknown, index: number): LearnedFact[] {
    const read = FACT.safeParse(item);
    if (!read.success) return this.#drop("malformed");
    if (index >= MOST_FACTS) return this.#drop("too many");
    const { quote, about, replaces, because } = read.data;
    const key = squeezed(read.data.key ?? "") || null;
    const checked = guardedFact(read.data.text, key, false);
    if ("refusal" in checked) return this.#drop("secret");
    if (!isBullet(checked.text)) return this.#drop("malformed");
    const said = this.#stating(quote);
    if (said === null) return this.#drop("not said");
    const ids = (replaces ?? []).map((id) => this.#known(id, this.shown.facts));
    if (ids.includes(null)) return this.#drop("unknown id");
    return [
      {
        text: checked.text,
        ...{ message: said.message, at: said.at },
        about: about === "project" ? "project" : "person",
        replaces: ids.filter((id) => id !== null),
        key,
        because: reasonOf(because),
      },
    ];
  }

  ending(item: unknown): Learned["ended"][number][] {
    const read = ENDED.safeParse(item);
    if (!read.success) return this.#drop("malformed");
    const id = this.#known(read.data.id, this.shown.facts);
    if (id === null) return this.#drop("unknown id");
    if (this.#stating(read.data.quote) === null) return this.#drop("not said");
    return [{ id, because: reasonOf(read.data.because) }];
  }

  pair(item: unknown): LearnedDecision[] {
    const read = PAIR.safeParse(item);
    if (!read.success) return this.#drop("malformed");
    const newer = this.#known(read.data.newer, this.shown.pairs);
    if (newer === null) return this.#drop("unknown id");
    return [{ newer, decision: read.data.decision, because: reasonOf(read.data.because) }];
  }

  #drop(why: string): never[] {
    this.dropped[why] = (this.dropped[why] ?? 0) + 1;
    return [];
  }

  #known(id: string, ids: readonly string[]): string | null {
    const said = id.trim();
    const found = ids.filter((one) => said.length >= SHORTEST_ID && one.startsWith(said));
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  #stating(quote: string): Pick<SaidTurn, "message" | "at"> | null {
    return this.#said.find(({ statements }) => statements.have(quote)) ?? null;
  }
}

/** False for text that opens a code block, for example: it would break the bullets after it. */
function isBullet(said: string): boolean {
  const [bullet, ...others] = bulletsOf(`- ${said}\n- next\n`);
  return bullet !== undefined && factId(bullet.text, null) === factId(said, null) && others.length === 1;
}

function reasonOf(because: string | null | undefined): string | null {
  const checked = guarded(squeezed(because ?? ""), false);
  if ("refusal" in checked || checked.text === "") return null;
  return checked.text.slice(0, LONGEST_REASON);
}

/** Removes code and quoted lines: the user pastes them, but doesn't state them. */
function withoutPasted(said: string): string {
  return blocksOf(said)
    .filter(({ kind }) => kind !== "code" && kind !== "raw")
    .map(({ start, end }) => said.slice(start, end).replace(/^[ \t]*>.*$/gm, ""))
    .join("\n\n");
}

const QUOTED = /"[^"\n]{2,}"/g;
const WORDS = /[\p{L}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{3}/u;

/** One word of a sentence proves nothing. (A message of one word may answer a question.) */
function isLongEnough(words: string): boolean {
  return (words.match(WORDS)?.length ?? 0) > 1 || UNSPACED.test(words);
}

/** A message's own statements, without pasted text, quotations and questions. */
class Statements {
  readonly #text: string;
  readonly #quoted: readonly string[];
  readonly #asked: readonly string[];

  constructor(said: string) {
    const own = withoutPasted(said);
    this.#text = plain(own);
    this.#quoted = this.#text.match(QUOTED) ?? [];
    this.#asked = plainQuestionsIn(own).map(plain);
  }

  /** Whether the quote occurs as a statement, verbatim except for case and spaces. */
  have(quote: string): boolean {
    const words = plain(quote);
    if (words.endsWith("?") || !(isLongEnough(words) || words === this.#text)) return false;
    const count = occurrences(this.#text, words);
    const others = [...this.#quoted, ...this.#asked].reduce((sum, one) => sum + occurrences(one, words), 0);
    return count > others;
  }
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function plain(said: string): string {
  return squeezed(
    said
      .normalize("NFKC")
      .replace(/[“”„‟«»]/g, '"')
      .replace(/[‘’‚‛ʼ]/g, "'"),
  ).toLowerCase();
}
