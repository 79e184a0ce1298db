/** Quotes and list items: which lines belong to one, and how it is shown. */
import { indentOf } from "../../core/text/markdown.ts";
import type { Within } from "./blocks.ts";
import { type ItemStart, itemOf, unquoted } from "./starts.ts";

interface Item {
  readonly kind: "item";
  /** The list's id, shared by its items. */
  readonly id: number;
  readonly start: ItemStart;
  readonly number: number | null;
  /** Indentation of its lines, in columns. */
  readonly content: number;
  readonly fresh: boolean;
}

export type Container = { readonly kind: "quote"; readonly id: number } | Item;

/** Bullets under a numbered item are often indented by only two columns, though CommonMark requires more. */
const BULLET_INDENT = 2;

export function openedQuote(id: number): Container {
  return { kind: "quote", id };
}

/** `before`: the previous container at this depth; if it is an item of the same list, the number continues. `id` is for a new list. */
export function openedItem(start: ItemStart, before: Container | undefined, id: number): Container {
  const sibling = before?.kind === "item" && before.start.type === start.type ? before : null;
  const number = sibling === null || sibling.number === null ? start.number : sibling.number + 1;
  return { kind: "item", id: sibling?.id ?? id, start, number, content: start.content, fresh: true };
}

/** The rest of the line inside the container; null if the line is outside. */
export function insideOf(container: Container, text: string): { container: Container; rest: string } | null {
  if (container.kind === "quote") {
    const rest = unquoted(text);
    return rest === null ? null : { container, rest };
  }
  const indent = indentOf(text);
  const { content, number, start } = container;
  if (indent >= content || indent === text.length) return { container, rest: text.slice(content) };
  if (number === null || indent < start.indent + BULLET_INDENT) return null;
  const item = itemOf(text);
  if (item === null || item.number !== null) return null;
  return { container: { ...container, content: indent }, rest: text.slice(indent) };
}

export function printed(container: Container): Container {
  return container.kind === "item" ? { ...container, fresh: false } : container;
}

export function shownAs(container: Container, depth: number, all: readonly Container[]): Within {
  if (container.kind === "quote") return { kind: "quote" };
  const { number, start, fresh } = container;
  const task = start.done === null ? null : start.done ? "[x]" : "[ ]";
  const outer = all.slice(0, depth).filter((other) => other.kind === "item");
  const bullet = outer.length % 2 === 0 ? "•" : "◦";
  if (number === null) return { kind: "item", marker: task ?? bullet, fresh };
  return { kind: "item", marker: `${number}${start.type}${task === null ? "" : ` ${task}`}`, fresh };
}
