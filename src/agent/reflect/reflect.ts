/**
 * Answers a question from memory, with sources. A model writes the answer from recalled passages and may search again with other
 * words; its citations are checked. Without a model, or if it fails, the answer quotes the memories. Nothing is stored.
 */
import PROMPT from "../../../prompts/reflect.md" with { type: "text" };
import { RetainError } from "../../core/errors.ts";
import { type Hint, hint } from "../../core/hint.ts";
import { readReply, withoutRecalled } from "../../core/marks/marks.ts";
import type { ChatModel, Usage } from "../../core/model.ts";
import type { Model } from "../../core/ports/documents.ts";
import { asModel } from "../../llm/complete.ts";
import { NOTHING_FOUND } from "../../recall/outcome.ts";
import type { RecallHit } from "../../recall/recall.ts";
import type { ScopedOptions } from "../../recall/search.ts";
import { plural } from "../../util/in-words.ts";
import { checkCitations } from "./citations.ts";
import { digest } from "./digest.ts";
import { type Citation, Passages } from "./passages.ts";

interface ReflectPorts {
  /** Chunks, best first. */
  recall(query: string, wanted: ScopedOptions): Promise<readonly RecallHit[]>;
  /** Counts the chunks that the answer used as recalled. */
  count(recalled: readonly RecallHit[]): Promise<void>;
}

export interface ReflectOptions {
  /** null: the answer quotes the memories. */
  readonly model: ChatModel | Model | null;
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of model calls; 3 by default and at most. */
  readonly maxRounds?: number | undefined;
  /** How the model should answer, besides Retain's own rules. Not searched for. */
  readonly instructions?: string | undefined;
  /** Renders hints; by default for the command line. */
  readonly say?: (text: Hint) => string;
  /** Reports the tokens that a chat model used. */
  readonly onUsage?: ((usage: Usage) => void) | undefined;
}

export interface Reflection {
  /** Markdown, with sources as [id]. */
  readonly answer: string;
  readonly citations: readonly Citation[];
  /** Ids that the model cited without having them recalled; removed from the answer. */
  readonly removed: readonly string[];
  /** How often memory was searched. */
  readonly rounds: number;
  readonly byModel: boolean;
  /** To show next to the answer. */
  readonly notices: readonly string[];
}

const MOST_ROUNDS = 3;
const MOST_PARTS = 30;
/** Tokens of memories: half for the question, the rest for the model's own searches. */
const MOST_TOKENS = 6_000;
const SHARE_OF_CONTEXT = 0.4;

/** Throws `usage` for an empty query, `interrupted` if the signal aborts. */
export async function reflect(
  ports: ReflectPorts,
  query: string,
  { model, signal, maxRounds = MOST_ROUNDS, instructions = "", say = String, onUsage }: ReflectOptions,
): Promise<Reflection> {
  const passages = new Passages();
  const room = roomFor(model);
  passages.add(await ports.recall(query, { limit: MOST_PARTS }), room / 2);
  const none = { citations: [], removed: [], byModel: false, notices: [] };
  if (passages.all.length === 0) return { ...none, answer: NOTHING_FOUND, rounds: 1 };
  const most = Math.max(1, Math.min(MOST_ROUNDS, Math.floor(maxRounds) || 1));
  const writer = model === null ? null : "stream" in model ? asModel(model, signal, onUsage) : model;
  const written =
    writer === null
      ? null
      : await write(ports, query, passages, { writer, signal, most, room, instructions, say });
  if (written !== null && "answer" in written) {
    await ports.count(passages.hits);
    return checked(written, passages);
  }
  const { answer, cited } = digest(passages.all, query);
  const sources = passages.all.filter(({ id }) => cited.includes(id)).map(({ hit }) => hit);
  await ports.count(sources);
  const notices = written === null ? [] : [written.problem];
  return { ...none, answer, citations: passages.citations(cited), rounds: written?.rounds ?? 1, notices };
}

const INSTEAD = " Showing matching sentences from memory instead.";

interface Writing {
  readonly writer: Model;
  readonly signal: AbortSignal | undefined;
  readonly most: number;
  readonly room: number;
  readonly instructions: string;
  readonly say: (text: Hint) => string;
}

type Written =
  | { readonly answer: string; readonly rounds: number }
  /** Why there is no answer. */
  | { readonly problem: string; readonly rounds: number };

async function write(
  ports: ReflectPorts,
  query: string,
  passages: Passages,
  { writer, signal, most, room, instructions, say }: Writing,
): Promise<Written> {
  const searched: string[] = [];
  for (let rounds = 1; ; rounds++) {
    let reply: string;
    try {
      reply = await writer.complete(promptOf(query, instructions, passages, searched, rounds < most));
    } catch (error) {
      if (signal?.aborted) throw stopped();
      if (!(error instanceof RetainError)) throw error;
      return { problem: say(hint`${error.message}${INSTEAD} ${error.advice ?? ""}`).trimEnd(), rounds };
    }
    if (signal?.aborted) throw stopped();
    const words = searchIn(reply);
    if (words === null) return written(reply, rounds);
    if (rounds >= most)
      return {
        problem: `The model kept searching and did not answer.${INSTEAD}`,
        rounds,
      };
    searched.push(words);
    passages.add(await ports.recall(words, { limit: MOST_PARTS }), room / (2 * (MOST_ROUNDS - 1)));
  }
}

/** Drops marks and anything the model repeated from the fence. */
function written(reply: string, rounds: number): Written {
  const answer = withoutRecalled(readReply(reply).visible).trim();
  if (answer !== "") return { answer, rounds };
  return { problem: `The model sent an empty reply.${INSTEAD}`, rounds };
}

const SEARCH = /^SEARCH:[ \t]*(\S[^\n]{0,299})$/;

/** The words to search for, if the reply is a single SEARCH line; otherwise null. */
export function searchIn(reply: string): string | null {
  return SEARCH.exec(reply.trim())?.[1]?.trim() ?? null;
}

function promptOf(
  query: string,
  instructions: string,
  passages: Passages,
  searched: readonly string[],
  maySearch: boolean,
): string {
  const question = [query, instructions].filter(Boolean).join("\n\n");
  const before =
    searched.length === 0 ? "" : ` Searched for so far: ${JSON.stringify([query, ...searched])}.`;
  const search = maySearch
    ? "If a search for other words might find what is missing, reply with only this line: `SEARCH: other words`. You then get more memories."
    : "Answer now from these memories; no more searches are possible.";
  const values: Readonly<Record<string, string>> = {
    question: question.replaceAll("</question", "<\\/question"),
    memories: passages.text,
    search: `${search}${before}`,
  };
  return PROMPT.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}

function checked({ answer, rounds }: { answer: string; rounds: number }, passages: Passages): Reflection {
  const { text, cited, removed } = checkCitations(answer, passages.ids);
  const named = removed.map((id) => `[${id}]`).join(", ");
  const notices = [
    ...(removed.length === 0
      ? []
      : [
          `Removed ${plural(removed.length, "source")} from the answer, because no such memory was recalled: ${named}.`,
        ]),
    ...(cited.length === 0 ? ["The answer cites no memory."] : []),
  ];
  return { answer: text, citations: passages.citations(cited), removed, rounds, byModel: true, notices };
}

function roomFor(model: ReflectOptions["model"]): number {
  if (model === null || !("stream" in model)) return MOST_TOKENS;
  return Math.min(MOST_TOKENS, Math.floor(model.contextTokens * SHARE_OF_CONTEXT));
}

function stopped(): RetainError {
  return new RetainError("interrupted", "Stopped.");
}
