/**
 * How a new fact relates to a known one. The rules, in order:
 *
 * 1. The same words: the same fact. ("the", "a" and "user" don't count.)
 * 2. The same key with another value, if the known one was given that key or it is single-valued ("Timezone: ..."): it replaces
 *    the known one. So does a list under the same key that has all values of the known one and more ("Likes: jazz, tea").
 * 3. The same words, but one of the two denies it ("Deploys are on Tuesdays", "Deploys are on Wednesdays, not Tuesdays"): it
 *    replaces the known one.
 * 4. The same words except for numbers that are values ("The car is 9 years old", "I weigh 80 kg") or for the end ("The contract runs
 *    until March"), or another name with a word of change ("My manager is Sofia", "My manager is now Tom"): it replaces the known one.
 * 5. A word of change ("now", "moved", "no longer"), enough similarity, and no other known fact nearly as similar. It replaces the
 *    known one only if nothing else that this says is lost: either it says what has ended, in the known one's words ("I left Acme", "We
 *    switched from Jenkins to ..."), or it says the known one again but for a value of the same kind: a weekday, a number or a name ("I
 *    work at Globex now"). Otherwise they are in doubt, for example if the known one says two things ("I drink coffee and tea", "I no
 *    longer drink coffee") or if the change is in the future ("from March"). They are different facts if it is about somebody else
 *    ("I drink coffee", "My mother no longer drinks coffee"), or about something else: another kind of value after the same words
 *    ("Jonas is on the Phoenix team", "Jonas is on vacation now"), or something with another name that has ended. A change that only
 *    says again what the known one says ("Paul moved back to Kiel", "Paul works in Kiel") is compared with the others.
 * 6. None of the above, but very similar, or a word of change in a sentence that begins the same ("I work at ... now"), and no other
 *    known fact nearly as similar: in doubt. Both stay. Not if they name different things ("Coffee costs 3 euros", "Tea costs 2
 *    euros"; "Invoice 1041 is paid").
 * 7. A word of change, and of the known facts about the same subject one is clearly the nearest in meaning ("I live in Lisbon", "I
 *    moved to Porto"): in doubt.
 *
 * A new fact about the past ("The price used to be 25 euros") never puts one about the present in doubt.
 *
 * Ending a fact wrongly is worse than leaving it in doubt, so borderline cases are in doubt.
 */
import { isUnder, keyedFact, normalForm } from "../../core/facts/fact-text.ts";
import {
  deniedIn,
  endedIn,
  isOfPast,
  saysChange,
  saysNew,
  saysNo,
  saysNoLonger,
  startsLater,
  withoutChange,
  withoutNow,
} from "../../core/language/change-words.ts";
import { isStopWordSomewhere } from "../../core/language/stop-words.ts";
import { shareInCommon } from "../../util/text.ts";
import { contentWords, factWords, joinedIn, tokensOf } from "./fact-words.ts";
import {
  beginTheSame,
  beginWithOthers,
  compareSubjects,
  FILLERS,
  nameOtherThings,
  subjectOf,
} from "./subjects.ts";
import {
  givesAnotherEnd,
  givesAnotherKind,
  givesAnotherName,
  givesAnotherValue,
  givesKeyAnotherValue,
  haveOtherNames,
  isAnotherNumber,
} from "./values.ts";

export interface Relation {
  readonly kind: "same" | "supersedes" | "unsure" | "other";
  readonly why: string;
}

/** A known fact, as far as it is compared. */
export interface ComparedFact {
  readonly text: string;
  /** null if there is no vector. */
  readonly cosine: number | null;
  /** The key that it was given. */
  readonly key?: string | null;
}

/** With a word of change. Measured (bench/life.ts): 0.6 ends a wrong fact, 0.7 misses changes. */
const CHANGED_FROM = 0.65;
const DOUBTED_FROM = 0.85;
/** With a word of change, even if they share no word. */
const LINKED_FROM = 0.5;
/** Among many facts about the same thing, it is unclear which one a new fact replaces. */
const STANDS_OUT = 0.2;
/** Contradictions and new values have nearly the same words, so their vectors are similar. */
const DENIED_FROM = 0.75;
const REVALUED_FROM = 0.8;

/** Two facts and their similarity. */
export class FactPair {
  readonly #before: readonly string[];
  readonly #now: readonly string[];
  /** The cosine, or the share of common words if there are no vectors. */
  readonly #meaning: number;
  /** `#meaning` plus half the share of common words. */
  readonly similarity: number;

  constructor(
    private readonly known: ComparedFact,
    private readonly added: string,
  ) {
    this.#before = factWords(known.text);
    this.#now = factWords(added);
    const shared = shareInCommon(new Set(this.#before), new Set(this.#now));
    this.#meaning = known.cosine ?? shared;
    this.similarity = this.#meaning + shared / 2;
  }

  /** Rules 1 to 4, which apply even if other facts are more similar. */
  byWords(): Relation {
    const { added } = this;
    const { text: known, key = null } = this.known;
    if (isQuestion(known) !== isQuestion(added)) return OTHER;
    if (bare(known) === bare(added)) return { kind: "same", why: "the same words" };
    if (this.#isOfEarlier) return OTHER;
    const isSameKey = key !== null && isUnder(key, { key: null, text: added });
    if (isSameKey || givesKeyAnotherValue(known, added)) return supersedes("another value of the same key");
    if (isFullerList(known, added)) return supersedes("a fuller list");
    if (this.#saysChange && givesAnotherName(known, added)) return supersedes(CHANGED);
    const lost = this.#before.filter((word) => !this.#now.includes(word));
    const come = this.#now.filter((word) => !this.#before.includes(word));
    if (saysNo(known) !== saysNo(added)) {
      const isCorrected = subjectOf(known) === subjectOf(added) && this.#isSaidIn(deniedIn(added));
      return lost.length === 0 && (come.length === 0 || isCorrected) && this.#meaning >= DENIED_FROM
        ? supersedes("one denies the other")
        : OTHER;
    }
    const isRevalued = isAnotherNumber(known, added, lost, come) || givesAnotherEnd(known, added);
    return isRevalued && (this.known.cosine ?? 1) >= REVALUED_FROM
      ? supersedes("the same with another number or end")
      : OTHER;
  }

  /** Rules 5 and 6, for the most similar known fact. `next` is the similarity of the second most similar one. */
  bySimilarity(next: number): Relation {
    const { added, similarity } = this;
    const known = this.known.text;
    const standsOut = similarity - next >= STANDS_OUT;
    if (isQuestion(known) !== isQuestion(added) || this.#isOfEarlier) return OTHER;
    const subject = compareSubjects(known, added);
    if (subject === "other") return OTHER;
    if (!this.#saysChange && (beginWithOthers(known, added) || nameOtherThings(known, added))) return OTHER;
    if (this.#isAboutAnother()) return OTHER;
    if (!this.#saysChange)
      return similarity >= DOUBTED_FROM && standsOut ? { kind: "unsure", why: "very similar" } : OTHER;
    if (similarity < CHANGED_FROM)
      return standsOut && (beginTheSame(known, withoutChange(added)) || this.#hasEnded()) ? DOUBTED : OTHER;
    // "Moved from Oslo to Bergen"; "I live in Bergen now" is a state.
    const isEvent = saysChange(withoutNow(known));
    if (isEvent && this.#meaning < CHANGED_FROM && !beginTheSame(known, added)) return OTHER;
    // If something ended, it is this or something else.
    const isReplaced =
      endedIn(added).length > 0 ? this.#hasEnded() && !this.#saysMore() : givesAnotherValue(known, added);
    // "I was born in Kiel" stays true after "I moved from Kiel to Bonn".
    const mayEnd = !isEvent && !isOfPast(known) && !startsLater(added);
    return standsOut && mayEnd && subject === "same" && isReplaced ? supersedes(CHANGED) : DOUBTED;
  }

  /** Whether rule 7 may apply. */
  get mayBeChanged(): boolean {
    const known = this.known.text;
    if (!saysChange(this.added) || saysChange(withoutNow(known)) || this.#isAboutAnother()) return false;
    return subjectOf(known) === subjectOf(this.added) && compareSubjects(known, this.added) !== "other";
  }

  /** Whether a change only says again what is known: "Paul moved back to Kiel" for "Paul works in Kiel". */
  get agrees(): boolean {
    const { added } = this;
    if (!saysChange(added) || saysChange(this.known.text)) return false;
    if (saysNo(added) || saysNo(this.known.text)) return false;
    if (endedIn(added).length > 0) return false;
    const now = factWords(withoutChange(added));
    const saysSame = now.length > 1 && now.every((word) => this.#before.includes(word));
    return saysSame && now.includes(this.#before.at(-1) ?? "");
  }

  /** Rule 7, for the nearest known fact that may be changed. `next` is the similarity of the second nearest of these. */
  bySubject(next: number): Relation {
    return this.#meaning >= LINKED_FROM && this.similarity - next >= STANDS_OUT ? DOUBTED : OTHER;
  }

  get #saysChange(): boolean {
    return saysChange(this.added) || saysNew(this.added);
  }

  /** "The price used to be 25 euros" says nothing about the price now. */
  get #isOfEarlier(): boolean {
    return isOfPast(this.added) && !isOfPast(this.known.text);
  }

  /** It ends something with another name, or says another kind of thing. */
  #isAboutAnother(): boolean {
    const { added } = this;
    const known = this.known.text;
    if (endedIn(added).length === 0) return givesAnotherKind(known, added);
    return !this.#hasEnded() && haveOtherNames(known, added);
  }

  /** "I drink coffee and tea" for "I no longer drink coffee", "I hate coffee" for "I gave up coffee". */
  #saysMore(): boolean {
    const lost = this.#before.filter((word) => !this.#now.includes(word));
    const isJoined = joinedIn(this.known.text).filter((part) => factWords(part).length > 0).length > 1;
    return (isJoined && lost.length > 0) || lost.some((word) => OUTLASTS.has(word));
  }

  /** "I left Acme", "I moved from Acme to Globex" for "I work at Acme as a designer". */
  #hasEnded(): boolean {
    return this.#isSaidIn(endedIn(this.added));
  }

  /** Whether the known fact has all words of one of these phrases, and not only its first one: "Ana left" for "Ana likes tea". */
  #isSaidIn(phrases: readonly string[]): boolean {
    const [first] = this.#before;
    // "Ya no fumo" for "Fumo un paquete al día": with "no longer", the first word is what has ended.
    const isThing =
      this.#before.length === 1 ||
      isStopWordSomewhere(tokensOf(this.known.text)[0] ?? "") ||
      saysNoLonger(this.added);
    return phrases
      .map(contentWords)
      .some(
        (words) =>
          words.some((word) => isThing || word !== first) &&
          words.every((word) => this.#before.includes(word)),
      );
  }
}

/** What one feels, knows or owns outlasts what one gives up. */
const OUTLASTS: ReadonlySet<string> = new Set(
  factWords(
    "love like hate prefer enjoy miss know met allergic shares born grew geboren aufgewachsen nacido nací",
  ),
);

/** Without a category in front: "User preference: ...". */
function bare(text: string): string {
  const keyed = keyedFact(text);
  const words = normalForm(keyed?.isCategory ? keyed.value : text).split(" ");
  return words.filter((word) => !FILLERS.has(word)).join(" ");
}

/** "Likes: jazz and tea" and "Likes: jazz, tea, flamenco"; not "Note: ...". */
function isFullerList(known: string, added: string): boolean {
  const [before, now] = [keyedFact(known), keyedFact(added)];
  if (before === null || now === null || before.key !== now.key || before.isCategory) return false;
  const [old, all] = [before, now].map(({ value }) => joinedIn(value).map(normalForm));
  return (
    old !== undefined && all !== undefined && all.length > old.length && old.every((one) => all.includes(one))
  );
}

const CHANGED = "it says that this changed";
const OTHER: Relation = { kind: "other", why: "" };
const DOUBTED: Relation = { kind: "unsure", why: "it says that something like this changed" };

function supersedes(why: string): Relation {
  return { kind: "supersedes", why };
}

function isQuestion(text: string): boolean {
  return /[?？]\s*$/.test(text);
}
