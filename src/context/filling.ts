/** Fills the budget part by part: whole if it fits, else shortened if possible, else left out with a reason. */
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
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
import { tokensOf, tokensUpTo } from "./tokens.ts";

/** Between two parts. */
export const SEPARATOR = "\n\n---\n\n";

/** Parts neither begin nor end with white space, so token counts of parts and separators add up. */
const SEPARATOR_TOKENS = tokensOf(SEPARATOR);

/** There are two fences: around parts that seldom change, and around parts that may change in every turn. */
const FENCE_TOKENS = tokensOf(OPENING) + tokensOf(CLOSING);

/** The tokens that these take as whole parts; an estimate if it is more than `most`. */
export function costOf(drafts: readonly Draft[], most: number): number {
  return drafts.reduce((sum, { text }) => sum + SEPARATOR_TOKENS + tokensUpTo(most, text), 0);
}

interface Entry {
  readonly part: ContextPart;
  readonly isInstruction: boolean;
  /** "" if left out. */
  readonly text: string;
}

export class Filling {
  readonly #entries: Entry[] = [];
  #used = -SEPARATOR_TOKENS;
  #reserved = 0;

  constructor(private readonly budget: number) {}

  /** The most tokens that a part of this name may take. */
  roomFor({ name, isInstruction = false }: LeftOut): number {
    return Math.max(0, this.budget - this.#used - this.#costAround(name, isInstruction));
  }

  /** The tokens that a part takes now, with everything around it. */
  costOf(draft: Draft): number {
    return tokensOf(draft.text) + this.#costAround(draft.name, draft.isInstruction ?? false);
  }

  /** The tokens around a part: the separator, and the fence if it is the first part in it. */
  #costAround(name: PartName, isInstruction: boolean): number {
    const isFenced = (entry: Entry) =>
      isData(entry) && mayChangeEachTurn(entry.part.name) === mayChangeEachTurn(name);
    const opensFence = !isInstruction && !this.#entries.some(isFenced);
    return SEPARATOR_TOKENS + (opensFence ? FENCE_TOKENS : 0);
  }

  /** Reserves tokens for a later part; 0 releases them. */
  reserve(tokens: number): void {
    this.#reserved = tokens;
  }

  /** Adds parts that every context needs. Throws `usage` with the smallest budget that works. */
  require(drafts: readonly Draft[]): void {
    for (const draft of drafts) this.#include(draft, draft.text, null);
    if (this.#used <= this.budget) return;
    throw new RetainError(
      "usage",
      `A budget of ${this.budget} tokens is too small: the instructions alone take ${this.#used}.`,
      hint`Raise it with ${option("budget", String(this.#used))}, or for every context: ${command("config set", "context_budget", String(Math.max(8_000, this.#used)))}`,
    );
  }

  /**
   * Returns the text that went in, or null. A part that comes first may use the reserve, but only to fit whole: a part that is
   * shortened anyway can lose a little more to a better one that follows.
   */
  add(draft: Draft, comesFirst = false): string | null {
    const all = this.roomFor(draft);
    const tokens = tokensUpTo(all, draft.text);
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
    const { name, title, path, memories, scores, isInstruction = false } = draft;
    const tokens = tokensOf(text);
    this.#used += this.#costAround(name, isInstruction) + tokens;
    const source = {
      ...(path === undefined ? {} : { path }),
      ...(memories === undefined ? {} : { memories }),
      ...(scores === undefined ? {} : { scores }),
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
