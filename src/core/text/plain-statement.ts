/**
 * Recognises a message that only tells something: "The deploy is on Fridays now". It must have a subject before one of the common
 * verbs, or end with a full stop, and nothing that asks: no question, question word, or request for information. In doubt, it is
 * not a statement.
 */
import { saysNothing } from "./chit-chat.ts";
import { isQuestion } from "./evidence.ts";
import { sentencesOf } from "./sentences.ts";

/** Question words. "Wie" and "when" also join clauses, but then the message is in doubt. */
const QUESTION_WORD =
  /(?<!\p{L})(?:wh(?:o|om|ose|at|ich|en|ere|y)|how|wer|we[nm]|wessen|wann|wo(?:her|hin|für|mit|von)?|warum|wieso|weshalb|wie|welche[nmrs]?|qué|quién(?:es)?|cuándo|a?dónde|cómo|cuál(?:es)?|cuánt[oa]s?)(?!\p{L})|什[么麼]|[谁誰哪怎吗嗎呢]|几[个点时]|多[少大久长長远遠高]|[为為]何|(\p{sc=Han})[不没沒]\1|[没沒]有[。]?$/iu;

/** A topic with a relative clause: "the notes that are about Lisbon". */
const CLAUSE =
  /(?<=\p{L}\s+)that (?:is|are|was|were|has|have|had|will|can)(?!\p{L})|(?<!\p{L})que(?!\p{L})|, (?:die|der|das|den|dem|deren|dessen)(?!\p{L})/iu;

/** The first word of a request, or of a topic with a clause: "everything we have on herons". */
const REQUEST =
  /^(?:(?:please|pls|hey|ok|so|and|now|just|bitte|und|jetzt|por favor|y|ahora)[\s,]+)*(?:tell|show|list|find|search|look|give|get|explain|describe|summari[sz]e|remind|recall|check|compare|help|write|read|name|repeat|everything|anything|something|all|things?|notes?|facts?|about|if|was|erzähl|sag|zeig|nenn|list|such|find|gib|erklär|beschreib|fass|erinner|hilf|schreib|lies|prüf|vergleich|wiederhol|alles|etwas|ob|über|dime|di|muestra|muéstra|enséña|lista|busca|encuentra|dame|explica|explíca|describe|resume|cuenta|cuénta|recuérda|ayuda|ayúda|escribe|lee|compara|repite|todo|algo|sobre|si)(?:e|me|st|t|en)?(?!\p{L})|^(?:请|請)?(?:告[诉訴]|[显顯]示|列|找|查|搜|[给給]|解[释釋]|介[绍紹]|[说說]|[总總][结結]|描述|提醒|[帮幫]|[关關][于於]|所有)/iu;

const STATEMENTS = [
  /[.!。！]$/u,
  /(?<=\p{L}[^\p{L}]+)(?:am|is|are|was|were|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|has|have|had|will|won['’]t|can|can['’]t|must|should|does|doesn['’]t|did|didn['’]t|ist|sind|war|waren|bin|hat|haben|habe|hatten?|wird|werden|wurden?|kann|können|muss|müssen|soll|sollen|darf|heißt|es|son|era|eran|fue|fueron|será|serán|está|están|estaba|hay|ha|han|tiene|tienen|va|van|puede|pueden|debe|deben|se llama)(?!\p{L})/iu,
  /(?<!\p{L})(?:it|that|he|she|there)['’]s(?!\p{L})|(?<!\p{L})\p{L}+['’](?:m|re|ll|ve)(?!\p{L})/iu,
  /^(?:i|we|he|she|they|it|ich|wir|er|sie|yo|nosotr[oa]s|él|ella|ell[oa]s|soy|somos|estoy|estamos|tengo|tenemos|hemos)\s/iu,
  /(?<=\p{sc=Han}.*)(?:是|叫|会|會|喜[欢歡]|已[经經]|改[到成为為在]|(?:在|有|住)(?!.*的))|了[。！!]*$/u,
];

const ASKING = [QUESTION_WORD, REQUEST, CLAUSE];

const ENOUGH_WORDS = /\S\s+\S+\s+\S|\p{sc=Han}{5}/u;

export function isPlainStatement(message: string): boolean {
  return (
    mayBeStatement(message) &&
    sentencesIn(message).some((said) => STATEMENTS.some((shape) => shape.test(said)))
  );
}

/** It asks nothing, but may be a topic: "the bike repair shop in Porto". */
export function mayBeStatement(message: string): boolean {
  const asks = (said: string) => isQuestion(said) || ASKING.some((shape) => shape.test(said));
  const sentences = sentencesIn(message);
  return sentences.some((said) => ENOUGH_WORDS.test(said) && !saysNothing(said)) && !sentences.some(asks);
}

function sentencesIn(message: string): string[] {
  return sentencesOf(message).map(({ start, end }) => message.slice(start, end).trim());
}
