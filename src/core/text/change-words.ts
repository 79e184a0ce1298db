/**
 * Words that express a change or a denial: only common ones, in a few languages. A model that marks a fact can name what it replaces,
 * so this list only matters if it doesn't.
 */
import { MONTH_NAMES } from "../../util/text.ts";

const NOW = "now|jetzt|nun|ahora|maintenant|désormais";
const ENDED = "no longer|any ?more|nicht mehr|ya no|ne \\S+ plus";
/** "From March my supervisor is Tom." */
const LATER = `from (?:next|tomorrow|${MONTH_NAMES.join("|")})(?!.{1,20} to )`;
const FROM_THEN = `from now|${LATER}|ab (?:jetzt|sofort)|[aà] partir de`;
/** An action whose object has ended: "stopped playing football". */
const DROPPED = "left|quit|stopped|finished|cancell?ed|sold|g(?:a|i)ven? up";
const CHANGED = [
  `${NOW}|${ENDED}|${FROM_THEN}`,
  "instead|from \\S.{0,40} to|extended|replac(?:ed|es|ing)|changed|became|turned|moved|switched|migrated|upgraded",
  `renamed|postponed|since|actually|correction|misspoke|i meant|${DROPPED}`,
  "statt(?:dessen)?|gewechselt|umgezogen|gekündigt|aufgehört|abgesagt|verschoben|verkauft|seit",
  "en (?:vez|lugar) de|cambi(?:ó|ado)|dejó|se mudó|cancel(?:ó|ado)|vendió|desde",
  "au lieu de|changé|déménagé|quitté|arrêté|annulé|vendu|depuis",
].join("|");
const CHANGED_CJK = "现在|現在|改为|改為|改成|换成|換成|不再|搬到|取消|もう|やめ|変わ";
const DENIED = "not|no|never|without|cannot|nicht|kein\\p{L}*|nie|ohne|nunca|sin|jamais|pas|sans";
const DENIED_CJK = "不|没|沒|ない|ません";
const BACK = "back|again|zurück|wieder|de vuelta|de nouveau";
const PAST =
  "was|were|had|used to|formerly|previously|war|waren|hatten?|früher|era|fue|había|antes|était|avait|avant";
const HAS_VALUE = "is|are|was|has|have|ist|sind|war|hat|haben|es|son|tiene|est|sont";

function anyOf(words: string, cjk: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])|${cjk}`, "iu");
}

const CHANGE = anyOf(CHANGED, CHANGED_CJK);
const ADDITION = anyOf("also|as well|auch|también|aussi", "也");
const END = anyOf(ENDED, "不再");
const STARTS_LATER = anyOf(LATER, "(?!)");
const TELLS_PAST = anyOf(PAST, "(?!)");
const AGAIN = anyOf(BACK, "(?!)");
const NOW_ALONE = new RegExp(`\\s(?:${NOW})(?![\\p{L}\\p{N}])`, "giu");
const DENIAL = anyOf(DENIED, `${DENIED_CJK}|n['’]t(?!\\p{L})`);
const VALUE = new RegExp(`^(?:${HAS_VALUE})$`);

/** "Deploys are on Tuesdays now." Not "I now also play the piano." */
export function saysChange(text: string): boolean {
  return CHANGE.test(text) && !ADDITION.test(text);
}

/** A change that is announced: "The gym costs 35 euros from January." */
export function startsLater(text: string): boolean {
  return STARTS_LATER.test(text);
}

/** "The price used to be 25 euros." Not "The flight was cancelled", which changes what is true now. */
export function isOfPast(text: string): boolean {
  return TELLS_PAST.test(text) && !CHANGE.test(text);
}

/** "Paul Kiel" in "Paul moved back to Kiel": what a change is about. */
export function withoutChange(text: string): string {
  const isOfChange = (word: string) => CHANGE.test(word) || AGAIN.test(word);
  return text.replace(END, " ").replace(/\p{L}+/gu, (word) => (isOfChange(word) ? " " : word));
}

/** "Tom likes jazz" in "Tom no longer likes jazz"; null if it doesn't say that something ended. */
export function whatEnded(text: string): string | null {
  return END.test(text) ? text.replace(END, "") : null;
}

const DROPPED_OBJECT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${DROPPED})\\s+(.+?)(?=[,;.:]|\\s(?:and|but|because|after|before|when|since|for|to)\\s|$)`,
  "iu",
);

/** "playing football" in "Tom stopped playing football because of his knee"; null if it says nothing like that. */
export function whatWasDropped(text: string): string | null {
  return DROPPED_OBJECT.exec(text)?.[1] ?? null;
}

/** "My manager is now Tom": "My manager is Tom". */
export function withoutNow(text: string): string {
  return text.replace(NOW_ALONE, "");
}

export function saysNo(text: string): boolean {
  return DENIAL.test(text);
}

/** A number after such a word is a value: "The team has 6 people." */
export function givesValue(word: string): boolean {
  return VALUE.test(word);
}
