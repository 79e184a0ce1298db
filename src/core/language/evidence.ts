/**
 * Extracts the statements of a message. Questions, requests for information and chit-chat are not evidence. Each sentence is
 * judged separately, since most messages that ask also state something.
 */

import { sentencesOf } from "../text/sentences.ts";
import { saysNothing } from "./chit-chat.ts";

const QUESTION_MARK = /[?？؟][^\p{L}\p{N}]*$/u;

/** Many people start the next sentence in lower case, which `sentencesOf` doesn't split. */
const AFTER_QUESTION = /(?<=[?？؟])\s+/u;

/** Questions without a question mark, recognised by their first or last words. */
const ASKS = [
  /^(?:who|whom|whose|what|which|when|where|why|how)(?:['’]s|['’]re|['’]d|(?: \p{L}+)? (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|am))\b/iu,
  /^(?:am|is|are|was|were|does|did|has|can|could|will|would|should|do|have|had) (?:i|you|he|she|it|we|they|there)\b/iu,
  /^(?:is|are|does|did|has|can|could|should) (?:my|your|our|the|this|that|any)/iu,
  /^(?:wer|wen|wem|wann|wo|woher|wohin|warum|wieso|weshalb|wie|was|welche[nmrs]?) [^,]+$/iu,
  /^¿|^(?:a |de |por |con |en |para )?(?:qué|quién|quiénes|cuándo|dónde|adónde|cómo|cuál|cuáles|cuánt[oa]s?)\b/iu,
  /(?:吗|嗎|呢|ですか|ますか|でしょうか|까요|나요|니까)$/u,
];

/** A question word that begins a message ("at which ...") or, in Chinese, occurs anywhere. */
const QUESTION_WORDS = [
  /^(?:\p{L}{1,4} )?(?:who|whom|whose|what|which|where|why|how)(?!\p{L})/iu,
  /什[么麼]|[谁誰哪怎吗嗎呢]|几[个点时]|多[少大久长長远遠高]|[为為]何|(\p{sc=Han})[不没沒]\1|[没沒]有$/u,
];

/**
 * Requests for information, recognised by whom or what they name: "me" and something definite ("tell me about Anna", "show me the
 * notes"), or the person's own things ("list my appointments", "list everything about the rent"). Without either, an imperative
 * is an instruction: "Use tabs", "Show the logo on every page".
 */
const REQUESTS: readonly { readonly please: string; readonly verb: string; readonly what: string }[] = [
  {
    please: "please",
    verb: "(?:tell|show|give|list|find|remind) (?:me|us)(?: again)?",
    what: "everything|anything|what|which|who|whose|where|whether|why|how|my|our|when(?=.* (?:is|are|was|were)$)",
  },
  {
    please: "please",
    verb: "(?:tell|show|give|list|find) (?:me|us)",
    what: "about|all|the|an? (?:list|summary|overview) of",
  },
  {
    please: "please",
    verb: "show|list|find|search|summari[sz]e",
    what: "everything|anything|what you know|(?:all (?:of )?)?(?:my|our)|all .*(?<!\\p{L})about",
  },
  {
    please: "bitte",
    verb: "(?:sage?|zeige?|nenne?|gib|erzähle?|liste?) (?:mir|uns)(?: bitte| mal| doch)*,?",
    what: "alles?|was|wer|wo|wann|ob|wie|warum|welche[nmrs]?|(?:mein|unser)(?:e[nmrs]?)?|von|vom|über|das|de[nmr]|die",
  },
  {
    please: "bitte",
    verb: "(?:zeige?|liste?|suche?|finde?)(?: bitte| mal| doch)*",
    what: "alles|(?:alle )?(?:mein|unser)e[nr]?|alle .*(?<!\\p{L})(?:über|zu[mr]?)",
  },
  {
    please: "por favor",
    verb: "dime|dame|cuéntame|muéstrame|enséñame|búscame",
    what: "tod[oa]s?|qué|quién|quiénes|cuándo|dónde|cómo|por qué|cuál|cuáles|cuánt[oa]s?|lo que|mis?|nuestr[oa]s?|sobre|acerca|del?|el|l[oa]s?|una? (?:lista|resumen)",
  },
  {
    please: "por favor",
    verb: "lista|enumera|muestra|busca|resume",
    what: "todo|(?:tod[oa]s )?(?:mis?|nuestr[oa]s?)|tod[oa]s .*(?<!\\p{L})sobre",
  },
];

const CHINESE_REQUEST =
  "^[请請]?(?:[帮幫]我)?(?:告[诉訴]我|[给給]我(?:看|[讲講]|列出)|列出|[总總][结結]|查一下|找出)(?:一下|看)?";

const DEFINITE = [
  ...REQUESTS.map(({ please, verb, what }) => requestFor(please, verb, ` (?:${what})`)),
  new RegExp(
    `${CHINESE_REQUEST}(?:所有|全部|[关關][于於]|我的|我[们們]的|你知道|.*(?:什[么麼]|[谁誰哪怎]|多少|的(?:事|信息)))`,
    "u",
  ),
];

const ANY_REQUEST = [
  ...REQUESTS.map(({ please, verb }) => requestFor(please, verb, "")),
  new RegExp(CHINESE_REQUEST, "u"),
];

function requestFor(please: string, verb: string, what: string): RegExp {
  return new RegExp(`^(?:${please},? )?(?:${verb})${what}(?!\\p{L})`, "iu");
}

/** A request to forget something, and what: "forget everything about my dentist". It states nothing; "forget that" names nothing. */
const FORGET =
  /^(?:please,? |bitte,? |por favor,? )?(?:forget|delete|remove|vergiss|lösche?|olvida|borra)\s+(?:bitte\s+)?(?:that|everything|all|what you know|the facts?|alles|dass|den fakt|que|todo|el hecho)\s+(?:(?:about|über|von|sobre)\s+)?(\S.*)$/iu;

export function asksToForget(sentence: string): string | null {
  const bare = withoutEnd(sentence);
  return QUESTION_MARK.test(bare) ? null : (FORGET.exec(bare)?.[1] ?? null);
}

/** An instruction for later says when it applies: "Show me the diff before you commit." */
const INSTRUCTS =
  /(?<!\p{L})(?:before|after|(?<! (?:me|us) )when|whenever|if|unless|until|always|never|each|every|first$|instead|from now on|bevor|nachdem|wenn|falls|sobald|immer|nie|jede[nmrs]?|künftig|zuerst$|antes|después|cuando|si|siempre|nunca|cada|primero$)(?!\p{L})|每|[总總]是|之?[前后後]|[时時]候?[,，]|如果/iu;

export interface Evidence {
  /** The statements; "" if there are none. */
  readonly stated: string;
  /** The other sentences. */
  readonly rest: string;
}

export function evidenceIn(text: string): Evidence {
  const sentences = sentencesIn(text);
  const statements = sentences.filter((sentence) => !isQuestion(sentence));
  const stated = statements.every((sentence) => saysNothing(sentence)) ? [] : statements;
  const rest = sentences.filter((sentence) => !stated.includes(sentence));
  return { stated: rest.length === 0 ? text : stated.join("\n"), rest: rest.join("\n") };
}

function sentencesIn(text: string): string[] {
  return sentencesOf(text).flatMap(({ start, end }) => text.slice(start, end).split(AFTER_QUESTION));
}

/** Sentences that only ask. "We moved it to Friday, can you update the page?" also states something. */
export function plainQuestionsIn(text: string): string[] {
  return sentencesIn(text).filter((sentence) => {
    const bare = sentence.trim();
    return QUESTION_MARK.test(bare) && isQuestion(bare.replace(QUESTION_MARK, ""));
  });
}

/** Whether a text is one or more questions and states nothing. In doubt, it states something. */
export function onlyAsks(text: string): boolean {
  return plainQuestionsIn(text).length > 0 && evidenceIn(text).stated === "";
}

/** A question, or a request for information or to forget something. In doubt, it is a statement. */
export function isQuestion(sentence: string): boolean {
  const bare = withoutLead(sentence);
  if (QUESTION_MARK.test(bare)) return true;
  const asked = withoutEnd(bare);
  const matches = (shape: RegExp) => shape.test(asked);
  return (
    ASKS.some(matches) || asksToForget(asked) !== null || (DEFINITE.some(matches) && !INSTRUCTS.test(asked))
  );
}

/**
 * Whether a person wants an answer to this message, for a chat without a model. In doubt, an imperative is a request there, since
 * there is no model to follow an instruction: "find the notes on Lisbon". So is what begins with a question word: "how many rooms
 * does the house have".
 */
export function wantsAnswer(message: string): boolean {
  return sentencesIn(message).some((sentence) => {
    const said = withoutEnd(withoutLead(sentence));
    const begins = (shape: RegExp) => shape.test(said);
    return (
      isQuestion(sentence) ||
      QUESTION_WORDS.some(begins) ||
      (ANY_REQUEST.some(begins) && !INSTRUCTS.test(said))
    );
  });
}

function withoutLead(sentence: string): string {
  return sentence.trim().replace(/^[^\p{L}\p{N}¿]+/u, "");
}

function withoutEnd(sentence: string): string {
  return sentence.trim().replace(/[.!。！…\s]+$/u, "");
}
