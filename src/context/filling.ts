/** The budget, filled part by part: each whole where it fits, else shortened where it can be, else left out with the reason. */
import { RetainError } from "../core/errors.ts";
import {
  type AssembledContext,
  type ContextPart,
  type Draft,
  type LeftOut,
  mayChangeEachTurn,
  PART_NAMES,
} from "./parts.ts";
import { tokensOf } from "./tokens.ts";

/** As spec 000 joins them. */
export const SEPARATOR = "\n\n---\n\n";

/** Texts of parts neither begin nor end with white space, so their tokens and those of the separators add up. */
const SEPARATOR_TOKENS = tokensOf(SEPARATOR);

/** How many tokens these take as parts, each whole. */
export function costOf(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, { text }) => sum + SEPARATOR_TOKENS + tokensOf(text), 0);
}

interface Entry {
  readonly part: ContextPart;
  /** "" where it was left out. */
  readonly text: string;
}

export class Filling {
  readonly #entries: Entry[] = [];
  #used = -SEPARATOR_TOKENS;
  #reserved = 0;

  constructor(private readonly budget: number) {}

  /** How many tokens the next part may have, where it may take all that is left. */
  get room(): number {
    return Math.max(0, this.budget - this.#used - SEPARATOR_TOKENS);
  }

  /** Has so many tokens kept free for a later part; 0 gives them back. */
  reserve(tokens: number): void {
    this.#reserved = tokens;
  }

  /** What no context is without. Throws `usage`, with the least that works, where the budget does not hold it. */
  require(drafts: readonly Draft[]): void {
    for (const draft of drafts) this.#include(draft, draft.text, null);
    if (this.#used <= this.budget) return;
    throw new RetainError(
      "usage",
      `A budget of ${this.budget} tokens is too small: the instructions alone take ${this.#used}.`,
      `Give it more: --budget ${this.#used}, or retain config set context_budget ${Math.max(8_000, this.#used)}`,
    );
  }

  /**
   * What went in of it; null where it was left out. A part that comes first may take what is reserved, but only as a whole:
   * of a part that must be shortened anyway, less is no loss where something better is to come.
   */
  add(draft: Draft, comesFirst = false): string | null {
    const tokens = tokensOf(draft.text);
    const unreserved = Math.max(0, this.room - this.#reserved);
    const room = comesFirst ? this.room : unreserved;
    if (tokens <= room) {
      this.#include(draft, draft.text, draft.partial ?? null);
      return draft.text;
    }
    const shorter = draft.shorten?.(unreserved) ?? null;
    const lack = `about ${tokens} tokens, and ${room} are left`;
    if (shorter === null) this.leaveOut(draft, `it does not fit: ${lack}`, tokens);
    else this.#include(draft, shorter, `it does not fit as a whole: ${lack}`);
    return shorter;
  }

  leaveOut({ name, title, path }: LeftOut, why: string, tokens = 0): void {
    const part = { name, title, tokens, included: false, shortened: false, why };
    this.#entries.push({ part: path === undefined ? part : { ...part, path }, text: "" });
  }

  finish(): AssembledContext {
    const ordered = PART_NAMES.flatMap((name) => this.#entries.filter(({ part }) => part.name === name));
    const included = ordered.filter(({ text }) => text !== "");
    const joined = (entries: readonly Entry[]) => entries.map(({ text }) => text).join(SEPARATOR);
    return {
      text: joined(included),
      stable_length: joined(included.filter(({ part }) => !mayChangeEachTurn(part.name))).length,
      tokens: Math.max(0, this.#used),
      budget: this.budget,
      parts: ordered.map(({ part }) => part),
    };
  }

  #include({ name, title, path, memories }: Draft, text: string, why: string | null): void {
    const tokens = tokensOf(text);
    this.#used += SEPARATOR_TOKENS + tokens;
    const source = {
      ...(path === undefined ? {} : { path }),
      ...(memories === undefined ? {} : { memories }),
    };
    const part = { name, title, tokens, included: true, shortened: why !== null, why, ...source };
    this.#entries.push({ part, text });
  }
}
