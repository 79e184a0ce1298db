/**
 * Which sentences of a person's own text are statements. Code, quotes, questions, what is only thought of, trouble, irony and other
 * people's words are not; in doubt a sentence is none.
 */
import { plainInline } from "../core/plain-text.ts";
import { sentencesOf } from "../core/sentences.ts";
import { ownTextOf } from "./infer-message.ts";

const LONGEST_SENTENCE = 300;
const HOLE = "\ufffc";

export interface Statement {
  /** One clause on one line, without "Hi," or "By the way," before it. */
  readonly text: string;
  /** A greeting stood before it: "Hi, I'm Ada". */
  readonly greeted: boolean;
}

/** In the order in which they were said. */
export function statementsIn(message: string): Statement[] {
  return ownTextOf(message).flatMap(statementsOfBlock);
}

const MARKER = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm;

function statementsOfBlock(block: string): Statement[] {
  const plain = plainInline(withoutQuotes(withoutCode(block.replace(MARKER, ""))));
  return sentencesOf(plain)
    .map(({ start, end }) => plain.slice(start, end))
    .filter((sentence) => sentence.length <= LONGEST_SENTENCE && isStatement(sentence))
    .flatMap(clausesOf);
}

/** One word of code is a name: "we use `pnpm`". More is code, and so is a tag or a pattern of names. */
function withoutCode(text: string): string {
  return text
    .replace(/<[^<>\n]*>|(?<!\S)\*+\.\w+|~~[^~\n]+~~|!\[[^\]\n]*\]\([^)\n]*\)/g, HOLE)
    .replace(/`([^`\n]*)`/g, (_, code: string) => (/^\S{1,40}$/.test(code) ? code : HOLE));
}

/** A quote that is never closed reaches to the end. */
function withoutQuotes(text: string): string {
  return text
    .replace(/[“„«][^”»]*(?:[”»]|$)/g, HOLE)
    .replace(/"[^"]*(?:"|$)/g, HOLE)
    .replace(/(?<![\p{L}\p{N}])['‘‚][^'’\n]{2,}?['’](?![\p{L}\p{N}])/gu, HOLE);
}

const HOLES = /\ufffc|\[secret removed\]|\[forgotten\]/;
const QUESTION =
  /[?？]|^(?:(?:so|and|but|ok|hey|hi|well)[, ]+)?(?:who|what|when|where|why|how|which|whose|is|are|am|was|were|do|does|did|can|could|should|shall|will|would|may|might|have|has|had|any)\b/i;
/** What is only thought of, was once, is somebody's else's words, or is no statement. */
const UNSURE =
  /\b(?:if|unless|whether|suppos\w*|imagin\w*|pretend\w*|assum\w*|hypothetic\w*|would|wouldn['’]t|could|couldn['’]t|should|shouldn['’]t|might|maybe|perhaps|probably|possibly|likely|i (?:think|guess|believe|feel like|wonder|wish|hope|doubt)|we (?:think|guess|believe|hope)|thinking (?:of|about)|consider\w*|plan(?:ning)? (?:to|on)|going to|gonna|want to|wants to|wanna|would like|['’]d (?:like|love|prefer|rather|hate|say)|try(?:ing)? (?:to|out)|used to|until|once|back when|years ago|no longer|switching|migrating|reverted|changed (?:my|our) minds?|except(?: for)?|anymore|any more|not sure|unsure|don['’]t know|as if|jok(?:e|ing)|kidding|sarcas\w*|for example|e\.g|for instance|say that|said|says|saying|told|tells|wrote|writes|asked|asks|claims?|according to|quote|example|seems?|looks? like|sounds? like|until recently|for now|temporarily|today|tonight|tomorrow|yesterday|this (?:time|once|morning|afternoon|evening|week|weekend))\b|['’]d rather|\/s$/i;

/** What goes wrong at the moment says what was tried, not what is so. */
const TROUBLE =
  /\b(?:fails?|failed|failing|fail(?:s|ed)? with|crash(?:es|ed|ing)?|broken|breaks|broke|hangs?|hung|wrong|stuck|missing|frozen|freezes|leaks?|dies|(?:do|does|did)(?:n['’]t| not) work|not work\w*|(?:and|but) (?:get|got|see|saw|gives?|receive|nothing|everything|it|the|port|then)|nothing happens|permission denied|stack ?trace|[Ss]orry|reproduce|repro|\w+(?:Error|Exception)|ERR_\w+|E(?:ACCES|NOENT|PERM|ADDRINUSE|TIMEDOUT|CONN[A-Z]+|EXIST|MFILE|RESOLVE))\b/;
const IRONY =
  /[🙄🙃😒🤦😏]|^(?:oh[, ]+(?:great|good|nice|joy|boy|yay|sure|wow)|wow|yay|yeah,? right|sure,? (?=i\b)|brilliant|fantastic|lovely|ha|haha)\b|(?:\.\.+|…|,|[-–—])\s*not\W*$|\bobviously\b|\bof course\b/iu;

function isStatement(sentence: string): boolean {
  return ![HOLES, QUESTION, UNSURE, TROUBLE, IRONY].some((pattern) => pattern.test(sentence));
}

const OPENER =
  /^(?:(?:hi|hello|hey|yo|greetings|good (?:morning|afternoon|evening))(?: (?:there|all|everyone|team|claude))?|(?:just )?(?:by the way|btw|fyi|for your information|so you know|for context|some context|context|for the record|for reference|note|nb|ps|p\.s\.?|remember|please note|please remember|keep in mind|oh|ah|yes|yeah|yep|no|nope|ok|okay|right|sure|well|so|and|also|anyway|actually|honestly|personally|currently|right now|at the moment|these days|at work|at home|in general|generally|usually|normally|in fact|thanks|thank you|great|cool|perfect|exactly|first|second|finally|about me|as for me|as background|background)(?: that)?)(?:\s*[,:!.–—-]+\s*|\s+(?=(?:i|we|my|our|the|in|let['’]?s|always|never|please)\b))/i;

const GREETING = /^(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening))\b/i;
const NEXT_CLAUSE =
  /\s*[,;]?\s+(?:and|but|so|plus)\s+(?=(?:I|we|my|our|I['’]m|we['’]re)\b)|;\s+|,\s+(?=(?:I|we|I['’]m|we['’]re|my|our)\s)/;

const OWN_CLAUSE = /^(?:I|we|my|our|the|let['’]?s|always|never|please|call|you can)\b/i;
const PLACED = /^(?:in|for|on) (?:this|our|the) \p{L}+$/iu;

/** "I'm Ada and I work at Acme" is two; "For the demo, my name is Ada" is none, since its beginning may say that it is not so. */
function clausesOf(sentence: string): Statement[] {
  const bare = withoutOpeners(sentence);
  const [first = "", ...others] = bare.split(NEXT_CLAUSE);
  if (PLACED.test(first) && others.length === 1) return [{ text: bare, greeted: false }];
  if (others.length > 0 && !OWN_CLAUSE.test(first)) return [];
  const greeted = GREETING.test(sentence) && !sentence.startsWith(first);
  return [
    { text: first, greeted },
    ...others.map((clause) => ({ text: withoutOpeners(clause), greeted: false })),
  ];
}

function withoutOpeners(clause: string): string {
  let bare = clause.trim();
  for (let times = 0; times < 3; times++) {
    const next = bare.replace(OPENER, "");
    if (next === bare) break;
    bare = next;
  }
  return bare;
}
