/** Asks the model about a batch and parses its answer. */
import PROMPT from "../../../prompts/learn.md" with { type: "text" };
import { printFacts, SHOWN_ID } from "../../context/memory-facts.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import type { ChatModel, Usage } from "../../core/model.ts";
import { redactSecrets } from "../../core/secrets/secrets.ts";
import { checkAnswer, type Learned, readAnswer } from "../../facts/learn/answer.ts";
import type { Batch, SaidTurn } from "../../facts/learn/batch.ts";
import type { Known } from "../../facts/learn/known.ts";
import { asModel } from "../../llm/complete.ts";
import { localDay } from "../../util/days.ts";
import { harmlessTags } from "../../util/harmless-tags.ts";
import { addUsage, NO_USAGE } from "../request.ts";

/** Escapes the fence's tags, so that no text can close its fence. */
const fenced = harmlessTags(["known", "doubt", "rejected", "earlier", "turns"]);

function questionOf({ turns, earlier }: Batch, { facts, pairs, rejected }: Known): string {
  const parts: Record<string, string> = {
    known: printFacts(facts),
    pairs: pairs.map(({ older, newer }) => `- newer ${short(newer.id)}, older ${short(older.id)}`).join("\n"),
    rejected: rejected.map((text) => `- ${text}`).join("\n"),
    earlier: earlier.map(lineOf).join("\n"),
    turns: turns.map(lineOf).join("\n"),
  };
  return PROMPT.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    fenced(redactSecrets(parts[name] ?? "") || "(none)"),
  );
}

function short(id: string): string {
  return id.slice(0, SHOWN_ID);
}

function lineOf({ role, text, at }: SaidTurn): string {
  return JSON.stringify({ role, day: localDay(at), text });
}

type Asked = { readonly usage: Usage } & (
  | { readonly learned: Learned }
  /** `answered`: the model answered, but no part of it was usable. */
  | { readonly problem: string; readonly answered: boolean }
);

/** Asks once more if the answer cannot be parsed. Only bugs throw. */
export async function askAbout(
  model: ChatModel,
  batch: Batch,
  known: Known,
  signal: AbortSignal,
): Promise<Asked> {
  const question = questionOf(batch, known);
  let usage = NO_USAGE;
  let answered = false;
  const asked = asModel(model, signal, (one) => {
    usage = addUsage(usage, one);
    answered = true;
  });
  let problem = "";
  for (const retry of [false, true]) {
    const again = `${question}\nYour last answer could not be parsed: ${problem}\nAnswer with JSON only.\n`;
    try {
      const answer = await asked.complete(retry ? again : question);
      const read = readAnswer(answer);
      if (read !== null) return { learned: checkAnswer(read, shownIn(batch, known)), usage };
      problem = "it is not JSON in the requested form.";
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      return { problem: messageOf(error), answered, usage };
    }
  }
  return {
    problem: `${model.name} did not answer with JSON in the requested form.`,
    answered,
    usage,
  };
}

function shownIn({ turns }: Batch, { facts, pairs }: Known) {
  return { turns, facts: facts.map(({ id }) => id), pairs: pairs.map(({ newer }) => newer.id) };
}
