/**
 * Which of a message is the person's own talk at all: not a task on a text, not a part that is played, nothing that is taken back,
 * and nothing below what only introduces a text (a title, a label, a colon).
 */
import { blocksOf } from "../core/markdown-blocks.ts";

/** Nobody says so much about themselves in one message: it is pasted. */
const LONGEST_MESSAGE = 8_000;

/** The whole message is a task on a text, or plays a part. */
const ON_A_TEXT =
  /\b(?:translate|proof-?read|paraphrase|rephrase|rewrite|reword|summari[sz]e|tl;?dr|spell-?check|correct (?:my|the|this)|edit (?:my|this)|improve (?:my|this|the) (?:text|email|essay|letter|writing)|(?:write|draft|compose|generate|make up|create|continue|finish) (?:me |us )?(?:an?|the|my|some|this|another|\d+) (?:\S+ ){0,4}(?:email|e-mail|letter|story|poem|song|lyrics|essay|post|tweet|speech|dialog(?:ue)?|script|bio|cover letter|resume|cv|reply|message|answer|review|test data|fixtures?|examples?|sentences?|persona|character|novel|scene|readme)|here(?:['’]s| is| are) (?:an?|the|my|our|some|what) (?:\S+ ){0,3}(?:email|e-mail|message|text|article|log|logs|transcript|draft|letter|essay|ticket|issue|output|error|quote|snippet|paragraph|bio|profile|prompt|answers?|feedback|thread|chat|notes?|wrote|said)|this (?:\S+ )?(?:e-?mail|message|text|bio|letter|essay|profile|post|comment|review|paragraph|draft|thread|transcript)|(?:which|guess which) (?:of (?:these|them|the) (?:\S+ )?)?(?:is|are) (?:true|false)|two truths|the following (?:\S+ ){0,2}(?:text|email|message|sentence|paragraph|article|transcript|conversation|log))\b/i;
/** It says what a text, a page or a program is to say. */
const FOR_A_TEXT =
  /\b(?:(?:add|put|insert|append|include|paste|write|set|change|copy|use|print|show|say) (?:\S+ ){0,6}(?:readme|contributing|changelog|docs?|documentation|page|copy|section|title|heading|headline|comment|docstring|commit message|description|caption|tooltip|placeholder|label|slide|banner|footer|faq|bio|prompt|template|tagline|about|agents|claude)(?:\.md)?|(?:fix|check|correct|mind) (?:my |the |this |its )?(?:grammar|spelling|english|wording|punctuation|typos?)|(?:passive|active) voice|(?:correct|proper|good|better|right) (?:english|german|spanish|french|grammar)|how (?:do|can|would) (?:i|you|we) (?:say|put|phrase|write)|which (?:is|one is|sounds|one sounds|sentence) (?:\S+ ){0,2}(?:better|correct|right|best)|(?:classify|label|annotate|tokeni[sz]e|parse|extract|categori[sz]e|tag) (?:the|these|this|each|every|all)|sentiments?|testimonials?|survey|questionnaire|lorem ipsum|placeholder|seed data|test user|dummy|mock(?:ed|-?up)?|(?:system |my |the )prompt|landing page|agent instructions|input:|expected:|output:|given the (?:input|text|sentence)|regex|grep)\b/i;
const A_PART =
  /\b(?:pretend|role-?play|act as|imagine|suppose|let['’]?s say|hypothetical(?:ly)?|you are (?:now )?an? |you['’]re (?:now )?an? |play the (?:role|part)|from the perspective|in the voice of|as if you were|fictional|once upon a time|my character|user story|as an? [\w ]{2,20}, i (?:want|need|can)|(?:the|my|our) (?:bot|agent|assistant|model) (?:must|should|has to|is to))/i;
const A_LETTER = /^\s*dear\s+\p{L}|\b(?:best|kind|warm) regards\b|\b(?:yours )?sincerely,|^cheers,\s*$/imu;
/** Taken back, or never meant: which of the sentences, only its reader knows. */
const TAKEN_BACK =
  /\b(?:kidding|jk|joking|no,? wait|wait,? no|actually,? no(?:t|pe)?\b|not really|scratch that|strike that|correction|i (?:lied|meant|mean|take that back|misspoke)|oops|my (?:mistake|bad)|never ?mind|forget (?:that|it|what)|that['’]?s (?:what|how|where) (?:the|a|my|our|every|no)|said no ?(?:one|body)|ignore (?:all |any |the )?(?:previous|prior|above|earlier|preceding))\b/i;

/** Paragraphs and lists of the person's own, in order; what follows the first text of somebody else's is left out. */
export function ownTextOf(message: string): string[] {
  if (message.length > LONGEST_MESSAGE) return [];
  if ([ON_A_TEXT, FOR_A_TEXT, A_PART, A_LETTER, TAKEN_BACK].some((pattern) => pattern.test(message)))
    return [];
  const own: string[] = [];
  const blocks = blocksOf(message);
  for (const [at, { kind, start, end }] of blocks.entries()) {
    const block = message.slice(start, end);
    if (kind === "code" || kind === "raw" || kind === "table" || SPEECH.test(block)) break;
    if (kind === "heading" || LOG_LINE.test(block)) continue;
    const introducing = introduction(block, at < blocks.length - 1);
    own.push(introducing === null ? block : block.slice(0, introducing));
    if (introducing !== null) break;
  }
  return own;
}

const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d|\d\d:\d\d:\d\d|\[?(?:error|warn|warning|info|debug|trace|fatal)\b[\]:]|at \S+ ?\(|traceback|caused by:|[$%#>❯]\s|[{}[\]<]|\w+error:|\+{1,3}\s|-{3}\s|@@\s|diff --git|from:|to:|subject:|\d+\s*\|)/im;
/** "Bob said: …": from there on it is Bob's. */
const SPEECH =
  /\b(?:said|says|wrote|writes|asked|asks|replied|replies|answered|told (?:me|us)|posted|tweeted)\s*[:：]/i;

/** A line that says no more than what comes below it: "Survey results", "A user reports:". */
const LABEL = /^(?:[^\n:：]{1,60})[:：](?:[ \t]|$)/;
const OWN_START =
  /^[ \t]*(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+)?(?:hi|hello|hey|yo|good (?:morning|afternoon|evening)|thanks|thank you|ok|okay|yes|no|sure|btw|by the way|fyi|note|nb|ps|p\.s|remember|please|context|for context|some context|background|about me|also|oh|ah|well|so|and|i|i['’]\w+|we|we['’]\w+|my|our|let['’]?s|always|never|from now on|in (?:this|our)|for (?:this|our))\b/i;

/** Where the block stops being the person's own; null where all of it is. */
function introduction(block: string, isFollowed: boolean): number | null {
  let at = 0;
  const lines = block.split("\n");
  for (const [number, line] of lines.entries()) {
    const end = at + line.length;
    const isLast = number === lines.length - 1 && !isFollowed;
    if (/[:：]\s*$/.test(line)) return end;
    if (!OWN_START.test(line) && LABEL.test(line)) return at;
    if (number === 0 && !isLast && !OWN_START.test(line) && !/[.!?…。！？)]\s*$/.test(line)) return end;
    at = end + 1;
  }
  return null;
}
