/**
 * Words that express a change, an end, a denial or the past: only common ones, in a few languages. A model that marks a fact can name
 * what it replaces, so they only matter if it doesn't.
 */
import { MONTH_NAMES } from "../../util/days.ts";
import { wordsIn } from "../../util/text.ts";
import { type Language, languageOf } from "./stop-words.ts";

interface Cue {
  readonly words: string;
  /** Words that mean something else in English: "war", "sin". */
  readonly ambiguous?: Partial<Record<Language, string>>;
  readonly cjk?: string;
}

/** A regular expression for the cue in texts of one language. */
function patternOf(
  { words, ambiguous, cjk = "(?!)" }: Cue,
  language: Language | null,
  flags: string,
): RegExp {
  const own = language === null ? undefined : ambiguous?.[language];
  const all = own === undefined ? words : `${words}|${own}`;
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${all})(?![\\p{L}\\p{N}])|${cjk}`, flags);
}

function within(cue: Cue): (text: string) => boolean {
  const patterns = new Map<Language | null, RegExp>();
  return (text) => {
    const language = cue.ambiguous === undefined ? null : languageOf(wordsIn(text));
    const pattern = patterns.get(language) ?? patternOf(cue, language, "iu");
    patterns.set(language, pattern);
    return pattern.test(text);
  };
}

const NOW = "now|these days|jetzt|inzwischen|mittlerweile|ahora|actualmente|maintenant|désormais";
const LATER = `from (?:next \\p{L}+|tomorrow|(?:${MONTH_NAMES.join("|")})(?: \\d{4})?)(?: on)?(?!.{1,20} to )`;
const NO_LONGER = "no longer|any ?more|nicht mehr|ya no|ne \\S+ plus";
/** Not "my left ear" or "on the left". */
const LEFT = "(?<!(?:my|your|his|her|its|our|their|the|a|on|to|at|top|bottom|far) )left";
/** The rest of its clause has ended: "I left Acme", "the trip was cancelled". */
const ENDED = [
  `${NO_LONGER}|${LEFT}|quit|stopped|finished|cancell?ed|sold|(?:gave|given) up`,
  "gekündigt|aufgehört|abgesagt|verkauft",
  "dej(?:ado|é|ó)|cancel(?:é|ó|ado|ada)|vend(?:í|ió|ido)|quitté|arrêté|annulé|vendu",
].join("|");

const CHANGED: Cue = {
  words: [
    `${NOW}|${ENDED}|${LATER}|from now|ab (?:jetzt|sofort)|[aà] partir de`,
    "instead|from \\S.{0,40} to|extended|changed|became|turned|moved|switched|migrated|upgraded|renamed",
    "postponed|delayed|rescheduled|pushed (?:back|to)|called off|replac(?:ed|es|ing)|dropped|ditched|ersetzt",
    "relocated|retired|fired|laid off|promoted|died|passed away|broke up|divorced|unsubscribed|(?:went|down|up) to|is gone",
    "gestorben|getrennt|scheiden lassen|umgestiegen|verlegt|murió|divorci(?:é|ó|amos)|separ(?:é|ó|amos)|décédé|divorcé",
    // "since Ilse joined", not "since 2019".
    "(?:since|seit|desde|depuis)(?! (?:\\p{L}+ )?\\d)|actually|correction|misspoke|i meant",
    "statt(?:dessen)?|gewechselt|(?:um|aus)?gezogen|verschoben",
    "again|wieder|de nuevo|vuelv[eo] a|de nouveau",
    "en (?:vez|lugar) de|cambi(?:ó|ado)|mud(?:ado|é|ó)|au lieu de|changé|déménagé",
  ].join("|"),
  ambiguous: { german: "nun" },
  cjk: "现在|現在|改为|改為|改成|换成|換成|不再|搬到|取消|もう|やめ|変わ",
};
const ADDITION: Cue = { words: "also|as well|too|auch|también|aussi", cjk: "也" };
const NEW = "new|neue[mnrs]?|nuev[oa]|nouve(?:au|lle)";
/** "The new office is ...", "I have a new dentist": in most other places, it says nothing about a known fact. */
const OF_NEW = `^(?:\\p{L}+['’]?s? )(?:${NEW})|(?:have|has|got|habe|hat|tengo|tiene|ai|a) (?:an?|eine?n?|una?|une?) (?:${NEW})`;
const END: Cue = { words: ENDED, cjk: "不再|取消|やめ" };
/** They say when it changed, not what. */
const BESIDES = "back|zurück|de vuelta|(?:last|this) (?:week|month|year|weekend)|yesterday|today|recently";
const DENIAL: Cue = {
  words: "not|no|never|without|cannot|nicht|kein\\p{L}*|nie|ohne|nunca|jamais|sans",
  ambiguous: { spanish: "sin", french: "pas" },
  cjk: "不|没|沒|ない|ません|n['’]t(?!\\p{L})",
};
const PAST: Cue = {
  // "Tom was released from hospital" is an event that changes what is true now.
  words:
    "(?:was|were)(?! \\p{L}+ed(?!\\p{L}))|had|used to|formerly|previously|waren|hatten?|früher|fue|había|était|avait",
  ambiguous: { german: "war", spanish: "era|antes", french: "avant" },
};

const hasChange = within(CHANGED);
const hasAddition = within(ADDITION);
const hasEnd = within(END);
const hasPast = within(PAST);

/** "Deploys are on Tuesdays now." Not "I now also play the piano." */
export function saysChange(text: string): boolean {
  return hasChange(text) && !hasAddition(text);
}

/** "The new office is at 4 Mill Lane": it may replace the old one, or come besides it. */
export const saysNew = within({ words: OF_NEW, cjk: "新" });

export const isNewWord = within({ words: `^(?:${NEW})$` });

/** A change that is announced: "The gym costs 35 euros from January." */
export const startsLater = within({ words: LATER });

/** "was", "used to". */
export const tellsPast = hasPast;

/** "The price used to be 25 euros." Not "The flight was cancelled", which changes what is true now. */
export function isOfPast(text: string): boolean {
  return hasPast(text) && !hasChange(text);
}

export const saysNoLonger = within({ words: NO_LONGER, cjk: "不再" });

export const saysNo = within(DENIAL);

const CHANGE_WORDS = patternOf({ words: `${CHANGED.words}|${BESIDES}`, cjk: CHANGED.cjk ?? "" }, null, "giu");

const NOW_WORDS = patternOf({ words: NOW }, null, "giu");

/** "I live in Bergen now": "I live in Bergen". */
export function withoutNow(text: string): string {
  return text.replace(NOW_WORDS, " ");
}

/** "Paul Kiel" in "Paul moved back to Kiel": what a change is about. */
export function withoutChange(text: string): string {
  return text.replace(CHANGE_WORDS, (words) => (/^from .* to$/i.test(words) ? words : " "));
}

const CLAUSE =
  /[;:!?、，；。]|(?<!(?<!\p{L})\p{Lu}\p{L}{0,3})[,.](?=\s|$)|(?<![\p{L}\p{N}])(?:and|but|because|since|und|aber|weil|y|pero|porque|et|mais|parce)(?![\p{L}\p{N}])/iu;
const ENDS = patternOf(END, null, "giu");
const PART_OF = /(?<!\p{L})(?:one|some|half|most) of(?!\p{L})/iu;
/** "My boss left": it says what somebody did, not what has ended. */
const WENT = new RegExp(
  `(?<!(?:was|were|been|is|are) )(?:${LEFT}|quit|stopped|finished|(?:gave|given) up)\\s*$`,
  "iu",
);
const TO = " (?:to|into|nach|auf|a|à|al) ";
const CLAUSE_END = "[,.;]|$";
const OLD = "\\S.{0,40}?";
/** `of` is what "from" is about: "the queue" in "We moved the queue from RabbitMQ to NATS". */
const IN_PLACE_OF = new RegExp(
  [
    `(?<of>.*)(?<![\\p{L}\\p{N}])(?:from|von|de|du) (?<from>${OLD})(?=${TO})`,
    `(?<of>.*)(?<=moved|switched|migrated) from (?<from>${OLD})(?=${CLAUSE_END})`,
    `(?:instead of|statt|en (?:vez|lugar) de|au lieu de) (?<from>${OLD})(?=${CLAUSE_END})`,
    `(?:replac(?:ed|es|ing)|ersetzt) (?<from>${OLD})(?= (?:with|by|mit|durch) |${CLAUSE_END})`,
    `${LEFT} (?<from>${OLD})(?= for )`,
  ].join("|"),
  "iu",
);

/** What a text says has ended: "I Acme" in "I left Acme and moved", "Brno" in "I moved from Brno to Vienna". */
export function endedIn(text: string): string[] {
  return text.split(CLAUSE).flatMap((clause) => {
    const { from, of = "" } = IN_PLACE_OF.exec(clause)?.groups ?? {};
    if (from !== undefined) return [`${withoutChange(of)} ${from}`];
    return hasEnd(clause) && !WENT.test(clause)
      ? [clause.replace(ENDS, " ").replace(PART_OF, "part of")]
      : [];
  });
}

const DENIES = patternOf(DENIAL, null, "iu");

/** "Tuesdays" in "Deploys are on Wednesdays, not Tuesdays". */
export function deniedIn(text: string): string[] {
  return text.split(CLAUSE).flatMap((clause) => clause.split(DENIES).slice(1));
}

/** The part of a text before it gives a reason: "Groceries are on Fridays now because ..." */
export function mainClause(text: string): string {
  return text.split(REASON)[0] ?? text;
}

const REASON = /,?\s(?:because|since|so that|weil|damit|porque|parce que)\s/iu;

const HAS_VALUE = /^(?:is|are|was|has|have|ist|sind|hat|haben|es|son|tiene|est|sont)$/;

/** A number after such a word is a value: "The team has 6 people." */
export function givesValue(word: string): boolean {
  return HAS_VALUE.test(word);
}
