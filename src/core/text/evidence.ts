/**
 * Extracts the statements of a message. Questions and chit-chat are not evidence. Each sentence is judged separately, since most
 * messages that ask also state something.
 */
import { saysNothing } from "./chit-chat.ts";
import { sentencesOf } from "./sentences.ts";

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

export interface Evidence {
  /** The statements; "" if there are none. */
  readonly stated: string;
  /** The other sentences. */
  readonly rest: string;
}

export function evidenceIn(text: string): Evidence {
  const sentences = sentencesIn(text);
  const statements = sentences.filter((sentence) => !isQuestion(sentence));
  const stated = statements.every(saysNothing) ? [] : statements;
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

export function isQuestion(sentence: string): boolean {
  const bare = sentence.trim().replace(/^[^\p{L}\p{N}¿]+/u, "");
  if (QUESTION_MARK.test(bare)) return true;
  const asked = bare.replace(/[.!。！…\s]+$/u, "");
  return ASKS.some((asks) => asks.test(asked));
}
