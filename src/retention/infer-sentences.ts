/**
 * Which sentences of a message are the person's own statements. Code, quotes, logs, pasted and ordered texts, questions, what is
 * only thought of, and other people's words are not; in doubt a sentence is none.
 */
import { blocksOf } from "../core/markdown-blocks.ts";
import { plainInline } from "../core/plain-text.ts";
import { sentencesOf } from "../core/sentences.ts";

const LONGEST_SENTENCE = 300;
/** Nobody says so much about themselves in one message: it is pasted. */
const LONGEST_MESSAGE = 8_000;
const HOLE = "\ufffc";

/** The whole message is a task on a text, or plays a part. */
const ON_A_TEXT =
  /\b(?:translate|proof-?read|paraphrase|rephrase|rewrite|reword|summari[sz]e|tl;?dr|spell-?check|correct (?:my|the|this)|edit (?:my|this)|improve (?:my|this|the) (?:text|email|essay|letter|writing)|(?:write|draft|compose|generate|make up|create|continue|finish) (?:me |us )?(?:an?|the|my|some|this|another|\d+) (?:\S+ ){0,4}(?:email|e-mail|letter|story|poem|song|lyrics|essay|post|tweet|speech|dialog(?:ue)?|script|bio|cover letter|resume|cv|reply|message|answer|review|test data|fixtures?|examples?|sentences?|persona|character|novel|scene|readme)|here(?:['’]s| is| are) (?:an?|the|my|our|some) (?:\S+ ){0,3}(?:email|e-mail|message|text|article|log|logs|transcript|draft|letter|essay|ticket|issue|output|error|quote|snippet|paragraph)|the following (?:\S+ ){0,2}(?:text|email|message|sentence|paragraph|article|transcript|conversation|log))\b/i;
const A_PART =
  /\b(?:pretend|role-?play|act as|imagine|suppose|let['’]?s say|hypothetical(?:ly)?|you are (?:now )?an? |you['’]re (?:now )?an? |play the (?:role|part)|from the perspective|in the voice of|as if you were|fictional|once upon a time|my character|user story|as an? [\w ]{2,20}, i (?:want|need|can))/i;
const A_LETTER = /^\s*dear\s+\p{L}|\b(?:best|kind|warm) regards\b|\b(?:yours )?sincerely,|^cheers,\s*$/imu;

const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d|\d\d:\d\d:\d\d|\[?(?:error|warn|warning|info|debug|trace|fatal)\b[\]:]|at \S+ ?\(|traceback|caused by:|[$%#>❯]\s|[{}[\]<]|\w+error:|\+{1,3}\s|-{3}\s|@@\s|diff --git|from:|to:|subject:|\d+\s*\|)/im;

export interface Statement {
  /** One clause on one line, without "Hi," or "By the way," before it. */
  readonly text: string;
  /** A greeting stood before it: "Hi, I'm Ada". */
  readonly greeted: boolean;
}

/** "Bob said: …": from there on it is Bob's. */
const SPEECH =
  /\b(?:said|says|wrote|writes|asked|asks|replied|replies|answered|told (?:me|us)|posted|tweeted)\s*[:：]/i;

/** In the order in which they were said. */
export function statementsIn(message: string): Statement[] {
  if (message.length > LONGEST_MESSAGE || ON_A_TEXT.test(message) || A_PART.test(message)) return [];
  if (A_LETTER.test(message)) return [];
  const found: Statement[] = [];
  for (const { kind, start, end } of blocksOf(message)) {
    const block = message.slice(start, end);
    if (kind === "code" || kind === "raw" || kind === "table") break;
    if (SPEECH.test(block)) break;
    if (kind === "heading" || LOG_LINE.test(block)) continue;
    found.push(...statementsOfBlock(block));
    // What follows a colon is shown, not said.
    if (/[:：]\s*$/.test(block)) break;
  }
  return found;
}

const MARKER = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm;

function statementsOfBlock(block: string): Statement[] {
  const plain = plainInline(withoutQuotes(withoutCode(block.replace(MARKER, ""))));
  return sentencesOf(plain)
    .map(({ start, end }) => plain.slice(start, end))
    .filter((sentence) => sentence.length <= LONGEST_SENTENCE && isStatement(sentence))
    .flatMap(clausesOf);
}

/** One word of code is a name: "we use `pnpm`". More is code. */
function withoutCode(text: string): string {
  return text.replace(/`([^`\n]*)`/g, (_, code: string) => (/^\S{1,40}$/.test(code) ? code : HOLE));
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
  /\b(?:if|unless|whether|suppos\w*|imagin\w*|pretend\w*|assum\w*|hypothetic\w*|would|wouldn['’]t|could|couldn['’]t|should|shouldn['’]t|might|maybe|perhaps|probably|possibly|likely|i (?:think|guess|believe|feel like|wonder|wish|hope|doubt)|we (?:think|guess|believe|hope)|thinking (?:of|about)|consider\w*|plan(?:ning)? (?:to|on)|going to|gonna|want to|wants to|wanna|would like|['’]d (?:like|love|prefer|rather|hate|say)|try(?:ing)? (?:to|out)|used to|until|once|back when|years ago|no longer|anymore|any more|not sure|unsure|don['’]t know|as if|jok(?:e|ing)|kidding|sarcas\w*|for example|e\.g|for instance|say that|said|says|saying|told|tells|wrote|writes|asked|asks|claims?|according to|quote|example|seems?|looks? like|sounds? like|until recently|for now|temporarily|today|tonight|tomorrow|yesterday|this (?:time|once|morning|afternoon|evening|week|weekend))\b|['’]d rather|\/s$/i;

function isStatement(sentence: string): boolean {
  return !HOLES.test(sentence) && !QUESTION.test(sentence) && !UNSURE.test(sentence);
}

const OPENER =
  /^(?:(?:hi|hello|hey|yo|greetings|good (?:morning|afternoon|evening))(?: (?:there|all|everyone|team|claude))?|(?:just )?(?:by the way|btw|fyi|for your information|so you know|for context|some context|context|for the record|for reference|note|nb|ps|p\.s\.?|remember|please note|please remember|keep in mind|oh|ah|yes|yeah|yep|no|nope|ok|okay|right|sure|well|so|and|also|anyway|actually|honestly|personally|currently|right now|at the moment|these days|at work|at home|in general|generally|usually|normally|in fact|thanks|thank you|great|cool|perfect|exactly|first|second|finally|about me|as for me|as background|background)(?: that)?)(?:\s*[,:!.–—-]+\s*|\s+(?=(?:i|we|my|our|the|in|let['’]?s|always|never|please)\b))/i;

const GREETING = /^(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening))\b/i;
const NEXT_CLAUSE =
  /\s*[,;]?\s+(?:and|but|so|plus)\s+(?=(?:I|we|my|our|I['’]m|we['’]re)\b)|;\s+|,\s+(?=(?:I|we|I['’]m|we['’]re|my|our)\s)/;

/** "I'm Ada and I work at Acme" is two. */
function clausesOf(sentence: string): Statement[] {
  const [first = "", ...others] = withoutOpeners(sentence).split(NEXT_CLAUSE);
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
