/** The budget, filled part by part: each whole where it fits, else shortened where it can be, else left out with the reason. */
import { RetainError } from "../core/errors.ts";
import { CLOSING, fence, OPENING } from "./fence.ts";
import {
  type AssembledContext,
  type ContextPart,
  type Draft,
  type LeftOut,
  mayChangeEachTurn,
  PART_NAMES,
  type PartName,
} from "./parts.ts";
import { tokensOf } from "./tokens.ts";

/** As spec 000 joins them. */
export const SEPARATOR = "\n\n---\n\n";

/** Texts of parts neither begin nor end with white space, so their tokens and those of the separators add up. */
const SEPARATOR_TOKENS = tokensOf(SEPARATOR);

/** The fence opens and closes once around what seldom changes, and once around what may change in every turn. */
const FENCE_TOKENS = tokensOf(OPENING) + tokensOf(CLOSING);

/** How many tokens these take as parts, each whole. */
export function costOf(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, { text }) => sum + SEPARATOR_TOKENS + tokensOf(text), 0);
}

interface Entry {
  readonly part: ContextPart;
  readonly isInstruction: boolean;
  /** "" where it was left out. */
  readonly text: string;
}

export class Filling {
  readonly #entries: Entry[] = [];
  #used = -SEPARATOR_TOKENS;
  #reserved = 0;

  constructor(private readonly budget: number) {}

  /** How many tokens a part of this name may have if it takes all that is left. */
  roomFor({ name, isInstruction = false }: LeftOut): number {
    return Math.max(0, this.budget - this.#used - this.#costAround(name, isInstruction));
  }

  /** The tokens around a part: the separator, and the fence if the part is the first in it. */
  #costAround(name: PartName, isInstruction: boolean): number {
    const isFenced = (entry: Entry) =>
      isData(entry) && mayChangeEachTurn(entry.part.name) === mayChangeEachTurn(name);
    const opensFence = !isInstruction && !this.#entries.some(isFenced);
    return SEPARATOR_TOKENS + (opensFence ? FENCE_TOKENS : 0);
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
      `Raise it with --budget ${this.#used}, or: retain config set context_budget ${Math.max(8_000, this.#used)}`,
    );
  }

  /**
   * What went in of it; null where it was left out. A part that comes first may take what is reserved, but only as a whole:
   * of a part that must be shortened anyway, less is no loss where something better is to come.
   */
  add(draft: Draft, comesFirst = false): string | null {
    const tokens = tokensOf(draft.text);
    const all = this.roomFor(draft);
    const unreserved = Math.max(0, all - this.#reserved);
    const room = comesFirst ? all : unreserved;
    if (tokens <= room) {
      this.#include(draft, draft.text, draft.partial ?? null);
      return draft.text;
    }
    const shorter = draft.shorten?.(unreserved) ?? null;
    const lack = `about ${tokens} tokens, and ${room} are left`;
    if (shorter === null) this.leaveOut(draft, `does not fit: ${lack}`, tokens);
    else this.#include(draft, shorter, `does not fit completely: ${lack}`);
    return shorter;
  }

  leaveOut({ name, title, path, isInstruction = false }: LeftOut, why: string, tokens = 0): void {
    const part = { name, title, tokens, included: false, shortened: false, why };
    this.#entries.push({ part: path === undefined ? part : { ...part, path }, isInstruction, text: "" });
  }

  finish(): AssembledContext {
    const inOrder = PART_NAMES.flatMap((name) => this.#entries.filter(({ part }) => part.name === name));
    const instructions = inOrder.filter(({ isInstruction }) => isInstruction);
    const data = inOrder.filter(({ isInstruction }) => !isInstruction);
    const ordered = [...instructions, ...data];
    const fenced = (entries: readonly Entry[]) => {
      const included = entries.filter(isData);
      return included.length === 0 ? [] : [fence(textsOf(included).join(SEPARATOR))];
    };
    const changing = ({ part }: Entry) => mayChangeEachTurn(part.name);
    const stable = [...textsOf(instructions), ...fenced(data.filter((entry) => !changing(entry)))];
    return {
      text: [...stable, ...fenced(data.filter(changing))].join(SEPARATOR),
      stable_length: stable.join(SEPARATOR).length,
      tokens: Math.max(0, this.#used),
      budget: this.budget,
      parts: ordered.map(({ part }) => part),
    };
  }

  #include(draft: Draft, text: string, why: string | null): void {
    const { name, title, path, memories, isInstruction = false } = draft;
    const tokens = tokensOf(text);
    this.#used += this.#costAround(name, isInstruction) + tokens;
    const source = {
      ...(path === undefined ? {} : { path }),
      ...(memories === undefined ? {} : { memories }),
    };
    const part = { name, title, tokens, included: true, shortened: why !== null, why, ...source };
    this.#entries.push({ part, isInstruction, text });
  }
}

function isData({ isInstruction, text }: Entry): boolean {
  return !isInstruction && text !== "";
}

function textsOf(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ text }) => (text === "" ? [] : text));
}
