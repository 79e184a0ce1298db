/**
 * A turn without a model: saves what the user asks to remember, answers a question, a request or a lookup of a word or two by quoting
 * memories verbatim, with their sources, and acknowledges anything else.
 */
import { tokensOf } from "../context/tokens.ts";
import { RetainError } from "../core/errors.ts";
import { isInferredFile } from "../core/facts/memory-paths.ts";
import { saysNothing } from "../core/language/chit-chat.ts";
import { asksToForget, evidenceIn, wantsAnswer } from "../core/language/evidence.ts";
import { requestsIn } from "../core/language/requests.ts";
import { BY_MEMORY, type GivenPart } from "../core/sessions/conversation.ts";
import { partsWithPiped } from "../core/text/piped-text.ts";
import { ownText } from "../facts/transcript.ts";
import type { Retained } from "../facts/write/retain.ts";
import { guessedRemark, NOTHING_FOUND } from "../recall/outcome.ts";
import { reservation, type SearchHit } from "../recall/search.ts";
import { localDay } from "../util/days.ts";
import { oneLine, truncate, wordsIn } from "../util/text.ts";
import type { Conversation } from "./conversation.ts";
import type { DraftEvent, Picker } from "./events.ts";
import { factsUsedBy } from "./offers.ts";
import type { ChatPorts } from "./ports.ts";
import { asStored, contextEvent } from "./request.ts";
import { reportSaved } from "./save-marks.ts";
import { ENDED } from "./slash/memory.ts";

const MOST_PASSAGES = 5;
/** Share of the best passage's score. A passage below it only shares a word or two with the question. */
const LEAST_SHARE = 1 / 3;
/** How many hits are considered. */
const MOST_LOOKED_AT = 20;
const LONGEST_PASSAGE = 600;

/**
 * `asked` is the number of the stored message, so that recall does not return it as its own answer. `own` is the part of the message
 * that the user wrote: with piped text, it is a question about that text.
 */
export async function* answerFromMemory(
  {
    facts,
    recall,
    countRecalls,
    origin,
    isOff,
    clock,
  }: Pick<ChatPorts, "facts" | "recall" | "countRecalls" | "origin" | "isOff" | "clock">,
  conversation: Conversation,
  text: string,
  own: string,
  asked: number | null,
): AsyncGenerator<DraftEvent, void> {
  const asksToRemember = requestsIn(ownText(text)).length > 0;
  const said = own === text ? ownText(text) : "";
  const isAsked = own !== text || wantsAnswer(said);
  const { id: session, incognito } = conversation;
  let answer: string;
  let shown: readonly GivenPart[] = [];
  const named = await factsNamed({ facts, recall }, asksToForget(said), conversation.chat);
  if (named.length > 0) {
    answer = WHICH_ENDS;
    shown = shownOf(named.map(asFact));
    yield { type: "picker", picker: endingPicker(named) };
  } else if (objects(text)) {
    const disputed = await factsShown(facts, conversation);
    shown = shownOf(disputed.map(asFact));
    answer = disputed.length === 0 ? NO_FACTS : WHICH_ENDS;
    if (disputed.length > 0) yield { type: "picker", picker: endingPicker(disputed) };
  } else if (asksToRemember && isOff) answer = "Not saved: memory is switched off.";
  else if (asksToRemember && (incognito || session === null || asked === null)) answer = NOT_STORED;
  else if (asksToRemember && session !== null && asked !== null) {
    const kept = await facts.writeRequests(session, [
      { message: asked, content: text, at: clock().toISOString() },
    ]);
    const [failure] = kept.failed;
    if (failure !== undefined) throw new RetainError("partial", `Not saved: ${failure.why}`);
    answer = answerTo(kept);
    shown = shownOf(
      [...kept.saved, ...kept.skipped.map(({ as, text: words }) => ({ id: as, text: words }))].map(asFact),
    );
    yield* reportSaved(kept);
  } else if (REMINDER.test(said.trim())) answer = NO_REMINDERS;
  else if (!isAsked && saysNothing(said, false)) answer = NOTHING_SAID;
  else if (isAsked || isShort(said)) {
    const except =
      session === null || asked === null ? {} : { except: { session, origin, after: asked - 1 } };
    // A lookup finds what contains its words: "lovely" has a similar meaning to many memories.
    const mode = isAsked ? "both" : "text";
    const scopes = ["", conversation.chat];
    const found = await recall(text, { limit: MOST_LOOKED_AT, scopes, mode, ...except });
    const hits = nearTheBest(found.filter((hit) => answers(hit, text)));
    answer = fromMemory(hits);
    shown = shownOf(hits);
    if (!incognito) await countRecalls(hits);
    // There is one part, or none.
    for (const { tokens } of shown) yield contextEvent(shown, tokens);
  } else if (asked === null) answer = NOT_STORED;
  else {
    const { objection, rest } = correctionIn(said);
    // A correction is a change, even if it has no word of one: "That's wrong, my manager is Tom".
    const change = objects(objection) ? `${rest.replace(/[.!]+$/, "")} now` : rest;
    const known = isOff ? [] : (await facts.list()).filter((fact) => saysTheSame(fact, rest));
    const changed = isOff || known.length > 0 ? known : await facts.affectedBy(change);
    // "That's wrong, it's at noon" names none.
    const affected =
      changed.length > 0 || !objects(objection) ? changed : await factsShown(facts, conversation);
    answer = known.length > 0 ? KNOWN : noted(affected.map(({ text }) => text));
    shown = shownOf(affected.map(asFact));
  }
  yield { type: "text", text: answer };
  // Not as its content: the memories that it quotes would be found twice.
  const id = await conversation.add("assistant", "", { model: BY_MEMORY, answer, context: shown });
  yield { type: "message", id, text: answer, interrupted: false };
}

function asFact({ id, text }: { readonly id: string; readonly text: string }) {
  return { kind: "fact", id, text, collection: null } as const;
}

function saysTheSame({ text, file }: CurrentFact, said: string): boolean {
  return !isInferredFile(file) && wordsIn(text).join(" ") === wordsIn(said).join(" ");
}

const KNOWN = "I know that already.";
const NOT_STORED = "Not saved: this conversation is not being stored.";
const NOTHING_SAID = 'Ask a question, or begin with "remember that" to save a fact.';
const NO_REMINDERS =
  'Retain has no reminders. To save it as a fact, begin with "remember to" or "remember that".';
const WHICH_ENDS = "Which of these facts should end?";
const NO_FACTS = "The last answer showed no facts. To find one, type /forget and a few words.";

/** "Forget that" offers the facts of the last answer. */
function noted(outdated: readonly string[]): string {
  const next =
    outdated.length === 0
      ? 'To save it as a fact, begin with "remember that"; to search memory for it, end with "?".'
      : `It may change what is saved: ${outdated.map((text) => JSON.stringify(text)).join(", ")}. To replace that, begin with "remember that"; to end it, reply "forget that".`;
  return `Noted in this conversation. ${next}`;
}

/** Of the facts that the last answer showed, those that are still current, best match first. */
async function factsShown(facts: ChatPorts["facts"], { said }: Conversation): Promise<CurrentFact[]> {
  const last = said.findLast(({ role }) => role === "assistant");
  return last === undefined ? [] : currentFacts(facts, factsUsedBy(last));
}

/** The facts that a request to forget names. */
async function factsNamed(
  { facts, recall }: Pick<ChatPorts, "facts" | "recall">,
  words: string | null,
  chat: string,
): Promise<CurrentFact[]> {
  if (words === null) return [];
  const found = await recall(words, { kinds: ["fact"], limit: MOST_PASSAGES, scopes: ["", chat] });
  const best = nearTheBest(found);
  return currentFacts(
    facts,
    best.map(({ id }) => id),
  );
}

type CurrentFact = Awaited<ReturnType<ChatPorts["facts"]["list"]>>[number];

/** In the order of the ids. */
async function currentFacts(facts: ChatPorts["facts"], ids: readonly string[]): Promise<CurrentFact[]> {
  const current = new Map((await facts.list()).map((fact) => [fact.id, fact]));
  return ids.flatMap((id) => current.get(id) ?? []);
}

/** The user named no fact, so none is selected. */
function endingPicker(facts: readonly CurrentFact[]): Picker {
  const items = facts.map(({ id, text, created_at }) => ({
    ...{ value: `${id} ${ENDED}`, label: truncate(oneLine(text), 100), detail: localDay(created_at) },
  }));
  return { title: "Which should end? Esc keeps all", command: "/forget", items, isPermanent: true };
}

function answerTo({ saved, queued = [], refused }: Retained): string {
  if (saved.length + queued.length > 0) return "I will remember that.";
  const [refusal] = refused;
  return refusal === undefined ? KNOWN : `Not saved: ${refusal.why}.`;
}

/** "Remind me to call Ana", but not "remind me what Ana said", in a few languages. */
const REMINDER =
  /^(?:please,? |bitte,? |por favor,? |(?:can|could|will|would) you (?:please )?)?(?:remind (?:me|us) (?:to|that|tomorrow|tonight|later|on|at|in|next|every|before|after)|erinner[en]? (?:mich|uns) (?:bitte )?(?:daran|morgen|am|um|in)|recu[ée]rdame (?:que|mañana|\p{L}+[aeií]r))(?!\p{L})|^请?提醒我/iu;

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
function objects(line: string): boolean {
  const said = line
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  return OBJECTIONS.some((objection) => objection.test(said));
}

/** "No" or "that's wrong" at the start of a message, and what it states instead. */
function correctionIn(message: string): { readonly objection: string; readonly rest: string } {
  const [, lead = "", rest = ""] = /^([^,.;:!–—，。：！]+)[,.;:!–—，。：！]+\s*(\S.*)$/su.exec(message) ?? [];
  if (!objects(lead) && !/^(?:no|nope|nein|nee|不|不是)$/iu.test(lead.trim()))
    return { objection: "", rest: message };
  const inner = correctionIn(rest);
  return { objection: inner.objection || lead, rest: inner.rest };
}

/** One or two words: "dentist", "pool code". A longer text that asks nothing is more often a statement than a topic. */
function isShort(said: string): boolean {
  return !/\S\s+\S+\s+\S|\p{sc=Han}{5}/u.test(said);
}

/** Whether a hit can be an answer. Messages that are questions, lookups, requests or objections, or only repeat the question, are not. */
function answers({ kind, text }: SearchHit, question: string): boolean {
  if (kind === "summary") return false;
  if (kind !== "message") return true;
  const asked = new Set(wordsIn(question));
  const { stated } = evidenceIn(text);
  return (
    stated !== "" &&
    !wantsAnswer(stated) &&
    !isShort(text) &&
    requestsIn(text).length === 0 &&
    !objects(text) &&
    wordsIn(text).some((word) => !asked.has(word))
  );
}

/** The passages to show. `hits` are sorted, best first. */
function nearTheBest(hits: readonly SearchHit[]): SearchHit[] {
  const least = (hits[0]?.score ?? 0) * LEAST_SHARE;
  return hits.filter(({ score }) => score >= least).slice(0, MOST_PASSAGES);
}

/** As Markdown: each passage with its day, kind and id. */
function fromMemory(hits: readonly SearchHit[]): string {
  if (hits.length === 0) return NOTHING_FOUND;
  return [`From memory${guessedRemark(hits)}, best match first:`, ...hits.map(passage)].join("\n\n");
}

function passage(hit: SearchHit): string {
  const { kind, id, collection, heading, at } = hit;
  const day = at === null ? "" : `${localDay(at)}, `;
  const name = collection === null ? `${kind} ${id}` : `${collection}/${id}`;
  const title = heading === "" || heading === id ? "" : `: ${oneLine(heading)}`;
  const quoted = truncate(quotedText(hit).trim(), LONGEST_PASSAGE).replaceAll("\n", "\n> ");
  return `> ${quoted}\n>\n> — *${day}${name}${reservation(hit)}${title}*`;
}

/** Without the question that a person asked about piped text. */
function quotedText({ kind, text }: SearchHit): string {
  const parts = kind === "message" ? partsWithPiped(text) : null;
  if (parts === null) return text;
  const { own, piped } = parts;
  return wantsAnswer(own) ? piped : `${own}\n\n${piped}`;
}

/** The memories that an answer quoted, as context parts. */
function shownOf(
  hits: readonly (Pick<SearchHit, "kind" | "id" | "collection" | "text"> & { readonly score?: number })[],
): GivenPart[] {
  if (hits.length === 0) return [];
  const tokens = hits.reduce((sum, { text }) => sum + tokensOf(text), 0);
  const scores = hits.flatMap(({ score }) => (score === undefined ? [] : asStored(score)));
  return [
    {
      ...{ name: "relevant", title: "Relevant memories", tokens, memories: hits.map(memoryName) },
      ...(scores.length === hits.length && { scores }),
    },
  ];
}

/** As in a context part: "fact 3f9a2xw0c1". */
export function memoryName({ kind, id, collection }: Pick<SearchHit, "kind" | "id" | "collection">): string {
  return `${kind} ${collection === null ? "" : `${collection}/`}${id}`;
}
