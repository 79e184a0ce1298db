/** What somebody likes, and how they want things done: said of themselves, in general, and not of what is at hand. */

import { aboutThem, CODE, phrase, thirdPerson, trimmed, wordCount } from "./infer-grammar.ts";
import { DEFINITE, HABITS, POINTING, UNLOVED } from "./infer-lexicon.ts";
import { type InferenceRule, type InferredFact, inferred } from "./infer-rule.ts";

const MOST_WORDS = 10;
/** "the second option", "your idea", "how you did it": of the moment. */
const OF_THE_MOMENT =
  /^to \w+$|^(?:the|to (?:see|hear|know|be|say|think|thank|do|have|get|ask|add|start|go|make|point|let)|seeing|hearing|being|knowing|having|getting|how|what|when|where|why|who|all|my (?:new|old|last|life|self|job|code|bug|script|app|pc|laptop|computer)|most|more|less|not|no|and|or|about|with|for|a (?:lot|bit|few|good|little)|an? )\b/i;
const NEGATED = /\b(?:not|never|nothing|none|cannot)\b|n['’]t\b/i;

function preference(text: string, entity: string): InferredFact {
  return inferred("preference", text, entity);
}

function isGeneral(words: string): boolean {
  return (
    words !== "" &&
    wordCount(words) <= MOST_WORDS &&
    ![POINTING, NEGATED, CODE, DEFINITE].some((pattern) => pattern.test(words)) &&
    !/^.$|\b(?:button|header|footer|sidebar|branch|wrong)\b|\b(?:I|we|us|our)\b|['’](?:re|ll|ve|d|m)\b/.test(
      words,
    )
  );
}

const prefers: InferenceRule = (clause) => {
  const said =
    /^I (?:(?:really|much|strongly|generally|usually|always|definitely|personally|also|still|mostly) )?prefer (.+)$/iu.exec(
      clause,
    );
  const what = phrase((said?.[1] ?? "").replace(/,? because .*$/i, ""));
  if (
    !isGeneral(what) ||
    /^(?:the|my|your|when|how|that|to (?:do|be|have|go|start|wait|see)|not|[A-Z]$|\d)/.test(what)
  )
    return null;
  return preference(`The user prefers ${aboutThem(what)}`, entityOf(what));
};

const LIKES =
  /^I (?:(?:really|absolutely|just|also|still|totally|truly|personally|honestly) )*(love|like|enjoy|adore|hate|dislike|detest|loathe|despise|can['’]t stand|cannot stand) (.+)$/iu;

const likes: InferenceRule = (clause) => {
  const [, verb = "", rest = ""] = LIKES.exec(clause) ?? [];
  const what = phrase(rest.replace(/,? because .*$/i, ""));
  if (
    !isGeneral(what) ||
    OF_THE_MOMENT.test(what) ||
    (/^(?:love|like|enjoy|adore)$/i.test(verb) && UNLOVED.test(what)) ||
    /\b(?:today|lately|recently|much|already|so far)\b/i.test(what)
  )
    return null;
  const does = /stand$/i.test(verb) ? "cannot stand" : thirdPerson(verb.toLowerCase());
  return preference(`The user ${does} ${aboutThem(what)}`, entityOf(what));
};

const OF_TIME = /^(?:week|day|hour|month|year|round|act|\d)|\b(?:lately|hours?|days?|weeks?)\b/i;

const fan: InferenceRule = (clause) => {
  const [, how = "", rest = ""] =
    /^(?:I['’]m|I am) (?:also |really |very |more |still )?(a (?:big |huge |massive )?fan of|into) (.+)$/iu.exec(
      clause,
    ) ?? [];
  const what = phrase(rest);
  if (!isGeneral(what) || OF_THE_MOMENT.test(what) || UNLOVED.test(what) || OF_TIME.test(what)) return null;
  return preference(`The user is ${how.toLowerCase()} ${aboutThem(what)}`, entityOf(what));
};

const favourite: InferenceRule = (clause) => {
  const [, what = "", verb = "", rest = ""] =
    /^my (favou?rite (?:[\p{L}-]+ ){0,3}[\p{L}-]+) (is|are) (.+)$/iu.exec(clause) ?? [];
  const its = phrase(rest);
  if (
    !isGeneral(its) ||
    POINTING.test(what) ||
    /\b(?:part|thing|bit|memory|moment|time|error|bug|issue|problem|ticket|excuse|line|option|approach|fix|way)s?\b/i.test(
      what,
    ) ||
    /^(?:when|how|the way|to|definitely|probably|being|back|gone|still|now|also|always|never)\b/i.test(its)
  )
    return null;
  return preference(`The user's ${what.toLowerCase()} ${verb.toLowerCase()} ${aboutThem(its)}`, its);
};

const habit: InferenceRule = (clause) => {
  const [, often = "", verb = "", rest = ""] =
    /^I (always|never|only ever|almost always|almost never|usually|normally|typically) ([a-z]+) (.+)$/u.exec(
      clause,
    ) ?? [];
  const what = phrase(rest);
  if (!HABITS.has(verb) || !isGeneral(what) || /^(?:more|less)\b/i.test(what)) return null;
  return preference(`The user ${often.toLowerCase()} ${thirdPerson(verb)} ${aboutThem(what)}`, what);
};

/** What would let down a guard is asked for where a person confirms it, and nowhere else. */
const GUARDED =
  /(?<![\w-])(?:approv\w*|permissions?|confirm\w*|consent|secrets?|passwords?|api keys?|keys?|tokens?|credentials?|system prompt|instructions?|without|sudo|curl|delete|rm|--force|--no-verify)\b/i;
/** A callback, a value: code that is talked about. */
const OF_CODE =
  /\b(?:callbacks?|null|undefined|true|false|promise|argument|parameter|variable|branch|loop|function|method|twice|element|index|cache first)\b/i;

/** "Always answer in German": an order for good, not for once. */
const order: InferenceRule = (clause) => {
  const [, often = "", verb = "", rest = ""] =
    /^(?:from now on,? |in (?:the )?future,? |please,? )*(always|never) ([a-z]+) (.+)$/iu.exec(clause) ?? [];
  const what = phrase(rest);
  if (!HABITS.has(verb.toLowerCase()) || !isGeneral(what)) return null;
  if (GUARDED.test(`${verb} ${rest}`) || OF_CODE.test(what)) return null;
  return preference(`The user asks to ${often.toLowerCase()} ${verb.toLowerCase()} ${aboutThem(what)}`, what);
};

/** "tabs over spaces" -> "tabs". */
function entityOf(what: string): string {
  return (
    trimmed(what.replace(/ (?:over|to|rather than|instead of|than|in|for|with|when|on|as|at)\b.*$/i, "")) ||
    what
  );
}

export const aboutPreferences: readonly InferenceRule[] = [prefers, likes, fan, favourite, habit, order];
