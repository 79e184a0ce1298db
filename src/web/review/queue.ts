/**
 * Which card a review shows. A card stays until the user decides or skips it, whatever changes on disk meanwhile: a key must never
 * decide about another fact than the one that was read.
 */
import type { Answer } from "../../serve/page/table.ts";

type Open = Answer<"review">;

export type Card =
  | { readonly kind: "pair"; readonly key: string; readonly pair: Open["pairs"][number] }
  | { readonly kind: "fact"; readonly key: string; readonly fact: Open["unconfirmed"][number] };

export interface Queue {
  readonly card: Card | null;
  /** The card was decided: the next answer of the server brings the next one. */
  readonly isSettled: boolean;
  /** Keys of cards that were decided or skipped. */
  readonly passed: ReadonlySet<string>;
  /** The card to show next, after an undo. */
  readonly wanted: string | null;
}

export const EMPTY_QUEUE: Queue = { card: null, isSettled: true, passed: new Set(), wanted: null };

/** Pairs first, as in the terminal. */
export function cardsOf({ pairs, unconfirmed }: Open): Card[] {
  return [
    ...pairs.map((pair) => ({ kind: "pair", key: `pair ${pair.newer.id} ${pair.older.id}`, pair }) as const),
    ...unconfirmed.map((fact) => ({ kind: "fact", key: `fact ${fact.id}`, fact }) as const),
  ];
}

/** The server has answered. */
export function answered(queue: Queue, cards: readonly Card[]): Queue {
  if (!queue.isSettled) return queue;
  const card = cards.find(({ key }) => key === queue.wanted) ?? nextOf(cards, queue.passed);
  return { ...queue, card, isSettled: card === null, wanted: null };
}

export function decided(queue: Queue): Queue {
  return { ...queue, passed: withCard(queue), isSettled: true };
}

export function skipped(queue: Queue, cards: readonly Card[]): Queue {
  const passed = withCard(queue);
  const card = nextOf(cards, passed);
  return { ...queue, passed, card, isSettled: card === null };
}

/** This card is to be decided again. */
export function undone(queue: Queue, key: string): Queue {
  const passed = new Set([...queue.passed].filter((one) => one !== key));
  return { ...queue, passed, isSettled: true, wanted: key };
}

/** Shows what was skipped once more. */
export function restarted(cards: readonly Card[]): Queue {
  return answered(EMPTY_QUEUE, cards);
}

function withCard({ passed, card }: Queue): ReadonlySet<string> {
  return card === null ? passed : new Set([...passed, card.key]);
}

function nextOf(cards: readonly Card[], passed: ReadonlySet<string>): Card | null {
  return cards.find(({ key }) => !passed.has(key)) ?? null;
}
