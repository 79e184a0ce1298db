/**
 * Finds explicit requests to remember something: "remember that ...", "merk dir, dass ...", "recuerda que ...", "请记住...".
 * Ignores questions, narration, quotations, code and pasted text.
 */
import { LIST_MARKER } from "../text/markdown.ts";
import { blocksOf } from "../text/markdown-blocks.ts";
import { sentencesOf } from "../text/sentences.ts";

/** Words before the verb; the verb; "that"; words before a colon ("this:"); the pattern of a reminder ("to buy milk"). */
const LANGUAGES: readonly (readonly [
  lead: string,
  verb: string,
  that: string,
  pointer: string,
  todo: RegExp,
])[] = [
  [
    "please|pls|just|do|always|(?:can|could|would|will) you(?: please|(?= (?:remember|keep in mind|bear in mind|make a note) that ))|i (?:want|need) you to|i(?:['’]d| would) like you to|make sure (?:you|to)|hey|hi|hello|ok|okay|so|and|also|oh|btw|by the way|fyi|ps|one more thing",
    "remember|keep in mind|bear in mind|make a note|(?:do not|don['’]t|never) forget",
    "that",
    "this|that|it|the following",
    /^(?:not )?to\s/i,
  ],
  [
    "bitte|hey|hallo|ok|okay|und|auch|außerdem|ach|übrigens|ps",
    "merke? dir|merkt euch|merken sie sich|denke? (?:bitte )?dara?n|behalte? (?:bitte )?im (?:hinter)?kopf|vergiss (?:bitte )?nicht|vergessen sie (?:bitte )?nicht",
    "da(?:ss|ß)",
    "das|dies|folgendes",
    /(?<!\p{L})zu \p{L}+n[.!]?$|\p{L}zu\p{L}+n[.!]?$/iu,
  ],
  [
    "por favor|oye|hola|ok|vale|y|también|además|por cierto|pd",
    "recuerda|recuerde|recordad|acu[ée]rdate(?: de)?|acu[ée]rdese(?: de)?|ten(?:ga)? (?:en cuenta|presente)|no (?:te |se )?olvides?(?: de)?",
    "que",
    "esto|eso|lo siguiente",
    /^(?:no )?\p{L}+[aeií]r(?:l[aoe]s?|[mts]e|nos)?(?!\p{L})/iu,
  ],
];
/** "Hey Juno, ...". */
const NAME = "(?:(?:(?:hey|hi|hello|hallo|hola|oye) )?\\p{L}+,\\s+)?";
const END = "(?![\\p{L}\\p{N}'’])";
const POLITE = `(?:,?\\s+(?:please|bitte|por favor)${END})?`;
const ASKED: readonly { readonly pattern: RegExp; readonly todo: RegExp }[] = [
  ...LANGUAGES.map(([lead, verb, that, pointer, todo]) => ({
    todo,
    pattern: new RegExp(
      `^¡?${NAME}(?:(?:${lead})${END}[\\s,.:!–—-]*)*(?<whole>(?:${verb})${END}${POLITE}(?<link>(?:,?\\s+(?:${pointer}))?\\s*:|,?\\s+(?:${that})(?=\\s)|)[\\s,]*(?<words>.*))$`,
      "isu",
    ),
  })),
  ...(
    [
      ["[记記](?:住|下|一下)|牢[记記]", /^$/],
      ["[记記]得|(?:[别別]|不要)忘[了记記]", /^[^我你您他她它这這那]/u],
    ] as const
  ).map(([verb, todo]) => ({
    todo,
    pattern: new RegExp(
      `^(?:另外|还有|對了|对了|顺便)?[，,\\s]*(?:请|請|麻烦你?|麻煩你?|拜托)?(?:一定)?要?(?:帮我|幫我)?(?<whole>(?:${verb})(?<link>(?:[这這](?:件事|一点|一點)|以下(?:内容)?)?\\s*[:：]|)[\\s，,]*(?<words>.*))$`,
      "su",
    ),
  })),
];

/** A request after the statement: "I moved to Porto, remember that". */
const AFTERWARDS = [
  ...[
    "(?:and |so |also )?(?:please )?(?:remember (?:that|this|it)|keep (?:that|this|it) in mind|make a note of (?:that|this|it)|(?:do not|don['’]t|never) forget (?:that|this|it))|please remember",
    "(?:und |also )?(?:bitte )?(?:merke? (?:dir|euch) (?:bitte )?das|behalte? das (?:bitte )?im (?:hinter)?kopf|vergiss das (?:bitte )?nicht)|bitte merken",
    "(?:y )?(?:por favor,? )?(?:recu[ée]rdalo|recuerda (?:eso|esto)|acu[ée]rdate de (?:eso|esto)|no lo olvides|tenlo (?:en cuenta|presente))",
  ].map(
    (request) =>
      new RegExp(
        `^(?<words>.*\\S)\\s*(?:[,;:–—]|\\s-)\\s*(?:${request})(?:,? (?:please|bitte|por favor))?[.!]*$`,
        "isu",
      ),
  ),
  /^(?<words>.*\S)[，,；;]\s*(?:请|請|麻烦你?|麻煩你?)?(?:帮我|幫我)?(?:[记記](?:住|下|一下)|[别別]忘了?)(?:[这這](?:一?[点點]|[个個]|件事))?[。！.!]*$/su,
];
/** "This is important, remember that" makes no sense alone. */
const POINTS_BACK = /^(?:it|this|that|these|those|what|nothing|das|dies|es|was|eso|esto|lo que)(?!\p{L})/iu;

/** After a bare "remember": a question, a shared memory, or a phrase that makes no sense alone. */
const SHARED =
  /^(?:when|how|what|why|where|who|which|if|nothing|me|us|it|this|that|that['’]s|these|those|the (?:time|day|night)|last|(?:i|we|you) (?:told|said|talked|spoke|discussed|mentioned|agreed|went|met|did|were|had|saw)|wann|wie|was|warum|wo|wer|als|mich|uns|cu[aá]ndo|c[oó]mo|d[oó]nde|qui[eé]n|lo que)(?!\p{L})/iu;
/** After a bare "remember", three words at least: "my cat" states nothing, "I'm vegetarian" does. */
const STATEMENT = /\S\s+\S+\s+\S|['’](?:m|re)\s+\S|\p{sc=Han}{4}/iu;
/** "Remember that time in Lisbon". */
const POINTS =
  /^(?:(?:one|very|other) )?(?:time|day|night|evening|summer|winter|trip|thing|guy|one)(?!\p{L}| is| was)/iu;
const TAG =
  /(?<![\s,，])[\s,，]*(?:ok|okay|please|will you|would you|ja|vale|por favor|好吗|好嗎|可以吗|可以嗎)\s*[?？]$/iu;
/** "Can you remember that my bike is red?", not "Can you remember where it is?" */
const POLITE_QUESTION = new RegExp(
  `^${NAME}(?:can|could|would|will) you (?:please |(?:remember|keep in mind|bear in mind|make a note) that (?=\\S+\\s+\\S+\\s+\\S))`,
  "iu",
);
const QUESTION = /[?？]\W*$|[吗嗎][。.]?$/u;
const TAKEN_BACK =
  /^(?:no,? wait|wait,? no|actually,? no|never ?mind|scratch that|forget (?:that|it)|just kidding|vergiss (?:das|es)|olv[ií]da(?:lo| eso)|算了)/iu;
/** Opens somebody else's text: a task on a text, a letter, a speaker. */
const ON_A_TEXT =
  /(?<!\p{L})(?:translate|proof-?read|rephrase|rewrite|paraphrase|summari[sz]e|grammar|spelling|übersetze?|korrigiere?|traduce|corrige|(?:said|says|wrote|writes|asked|told (?:me|us))\s*:)(?!\p{L})|翻译|翻譯|^(?:dear|lieber?|sehr geehrte[rs]?|querid[oa]|estimad[oa]) /iu;
const SPEAKER = /^[^\p{L}]*\p{Lu}\p{L}*(?: \p{Lu}\p{L}*)?\s?[:：]\s/u;

const LONGEST_MESSAGE = 8_000;
const LONGEST_FACT = 500;
/** A line of 60 characters or more may be wrapped; a shorter one ends its sentence. */
const LINES = /(?:[^\n]{60,}\n)*[^\n]+/g;
const MASK = "\ufffc";
/** Inline code and quotations. An unclosed quotation runs to the end. */
const QUOTED =
  /`[^`\n]*`|[“„«「『][^”“»」』]*(?:[”“»」』]|$)|"[^"]*(?:"|$)|(?<![\p{L}\p{N}])['‘‚][^'’\n]{2,}?['’](?![\p{L}\p{N}])/gu;

interface Reading {
  readonly found: string[];
  /** After "Remember this:", when a line or a list follows. */
  open: "any" | "items" | null;
  /** The rest of the message is somebody else's text. */
  isOver: boolean;
}

/** The words to remember from a person's own message, verbatim and in order. */
export function requestsIn(message: string): string[] {
  if (message.length > LONGEST_MESSAGE) return [];
  const reading: Reading = { found: [], open: null, isOver: false };
  for (const { kind, start, end } of blocksOf(message)) {
    if (kind === "heading" || reading.isOver) break;
    const block = message.slice(start, end).replace(LIST_MARKER, "");
    if (kind === "code" || kind === "raw" || kind === "table" || /^(?:[ \t]*>| {4}|\t)/m.test(block))
      continue;
    if (reading.open === null || kind !== "item") requestsInBlock(block, reading);
    else {
      reading.open = "items";
      reading.found.push(block);
    }
  }
  return reading.found
    .map((words) => words.trim())
    .filter(({ length }) => length > 0 && length <= LONGEST_FACT);
}

function requestsInBlock(block: string, reading: Reading): void {
  const { found } = reading;
  const masked = block.replace(QUOTED, (quoted) => MASK.repeat(quoted.length));
  for (const { 0: lines, index: line } of masked.matchAll(LINES)) {
    const isAsked = reading.open === "any";
    reading.open = null;
    if (isAsked) {
      found.push(block.slice(line, line + lines.length));
      continue;
    }
    for (const sentence of sentencesOf(lines)) {
      const said = lines.slice(sentence.start, sentence.end);
      const words = wordsAsked(said);
      if (words === "") reading.open = "any";
      else if (words !== null) {
        const from = line + sentence.start + said.lastIndexOf(words);
        found.push(block.slice(from, from + words.length));
      } else if (TAKEN_BACK.test(said)) found.length = 0;
      else if (ON_A_TEXT.test(said) || SPEAKER.test(said) || /[:：]$/.test(said)) {
        reading.isOver = true;
        return;
      }
    }
  }
}

/** The requested words; "" if they follow in the next line; null if the sentence is no request. */
function wordsAsked(sentence: string): string | null {
  const said = sentence.replace(TAG, "");
  if (QUESTION.test(said) && !POLITE_QUESTION.test(said)) return null;
  for (const pattern of ON_A_TEXT.test(said) || SPEAKER.test(said) ? [] : AFTERWARDS) {
    const { words = "" } = pattern.exec(said)?.groups ?? {};
    if (STATEMENT.test(words) && !POINTS_BACK.test(words)) return words;
  }
  for (const { pattern, todo } of ASKED) {
    const { whole = "", link = "", words = "" } = pattern.exec(said)?.groups ?? {};
    if (whole === "") continue;
    const isOpen = link.endsWith(":") || link.endsWith("：");
    if (words === "") return isOpen ? "" : null;
    if (!isOpen && todo.test(words)) return /\s|\p{sc=Han}{4}/u.test(words) ? whole : null;
    if (link === "" && (SHARED.test(words) || !STATEMENT.test(words))) return null;
    return POINTS.test(words) || !/\S\s+\S|\p{sc=Han}{4}/u.test(words) ? null : words.replace(/[?？]$/u, "");
  }
  return null;
}
