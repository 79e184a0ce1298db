/** Answers without a model: quotes memories verbatim, with their sources. */
import { tokensOf } from "../context/tokens.ts";
import type { GivenPart } from "../core/sessions/conversation.ts";
import { requestsIn } from "../facts/write/requests.ts";
import type { SearchHit } from "../recall/search.ts";
import { localDay, oneLine, truncate, wordsIn } from "../util/text.ts";

const MOST_PASSAGES = 5;
/** Share of the best passage's score. A passage below it only shares a word or two with the question. */
const LEAST_SHARE = 1 / 3;
/** How many hits are considered. */
export const MOST_LOOKED_AT = 20;
const LONGEST_PASSAGE = 600;

/** Messages that say only "that's wrong" or "forget that", in a few languages. */
const OBJECTIONS = [
  /^(?:no )?(?:that|this)(?:s| is) (?:wrong|incorrect|outdated|no longer true|not (?:true|right|correct))(?: any ?more)?$/,
  /^(?:please )?forget (?:that|this)(?: please)?$/,
  /^(?:nein )?das (?:stimmt nicht|ist falsch|ist nicht wahr)(?: mehr)?$/,
  /^(?:bitte )?vergiss das(?: bitte)?$/,
  /^(?:no )?eso (?:es falso|está mal|(?:ya )?no es (?:cierto|verdad|correcto))$/,
  /^(?:por favor )?olvida eso(?: por favor)?$/,
  /^(?:这|那)?(?:已经)?(?:不对|不是真的|是错的|错)了?$/,
  /^请?忘(?:了|掉|记)(?:这个|那个|它)$/,
];

/** Whether a message only says that the last answer is wrong or should be forgotten. */
export function objects(line: string): boolean {
  const said = line
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  return OBJECTIONS.some((objection) => objection.test(said));
}

/** Whether a hit can be an answer. Messages that are questions, requests or objections, or only repeat the question, are not. */
export function answers({ kind, text }: SearchHit, question: string): boolean {
  if (kind === "summary") return false;
  if (kind !== "message") return true;
  const asked = new Set(wordsIn(question));
  return (
    !text.trim().endsWith("?") &&
    requestsIn(text).length === 0 &&
    !objects(text) &&
    wordsIn(text).some((word) => !asked.has(word))
  );
}

/** The passages to show. `hits` are sorted, best first. */
export function nearTheBest(hits: readonly SearchHit[]): SearchHit[] {
  const least = (hits[0]?.score ?? 0) * LEAST_SHARE;
  return hits.filter(({ score }) => score >= least).slice(0, MOST_PASSAGES);
}

/** As Markdown: each passage with its day, kind and id. */
export function fromMemory(hits: readonly SearchHit[]): string {
  if (hits.length === 0) return "Nothing relevant is known.";
  const guessed = hits.every(({ guessed: looksAlike }) => looksAlike) ? " (similar spelling only)" : "";
  return [`From memory${guessed}, best match first:`, ...hits.map(passage)].join("\n\n");
}

function passage({ kind, id, collection, heading, text, at, unconfirmed }: SearchHit): string {
  const day = at === null ? "" : `${localDay(at)}, `;
  const name = collection === null ? `${kind} ${id}` : `${collection}/${id}`;
  const title = heading === "" || heading === id ? "" : `: ${oneLine(heading)}`;
  const quoted = truncate(text.trim(), LONGEST_PASSAGE).replaceAll("\n", "\n> ");
  return `> ${quoted}\n>\n> — *${day}${name}${unconfirmed ? ", unconfirmed" : ""}${title}*`;
}

/** The memories that an answer quoted, as context parts. */
export function toldOf(hits: readonly Pick<SearchHit, "kind" | "id" | "collection" | "text">[]): GivenPart[] {
  if (hits.length === 0) return [];
  const tokens = hits.reduce((sum, { text }) => sum + tokensOf(text), 0);
  return [{ name: "relevant", title: "Relevant memories", tokens, memories: hits.map(memoryName) }];
}

/** As in a context part: "fact 3f9a2xw0c1". */
export function memoryName({ kind, id, collection }: Pick<SearchHit, "kind" | "id" | "collection">): string {
  return `${kind} ${collection === null ? "" : `${collection}/`}${id}`;
}
