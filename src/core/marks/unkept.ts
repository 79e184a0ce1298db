/** Tracks open tags whose content isn't saved. */
import type { Tag } from "./tags.ts";

type Counts = ReadonlyMap<string, number>;

export class UnkeptTags {
  readonly #names: readonly string[];
  /** Open tags by name; never 0. */
  #open: Counts = new Map();
  #changes: { readonly offset: number; readonly before: Counts }[] = [];

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Records a tag that ends at this offset; false if it isn't one of them. */
  take({ name, square, closing, selfClosing }: Tag, offset: number): boolean {
    if (square || !this.#names.includes(name)) return false;
    this.#changes.push({ offset, before: this.#open });
    const count = (this.#open.get(name) ?? 0) + (selfClosing ? 0 : closing ? -1 : 1);
    const open = new Map(this.#open);
    if (count > 0) open.set(name, count);
    else open.delete(name);
    this.#open = open;
    return true;
  }

  /** Restores the state at this offset. */
  returnTo(offset: number): void {
    for (let last = this.#changes.at(-1); last !== undefined && last.offset > offset; ) {
      this.#open = last.before;
      this.#changes.pop();
      last = this.#changes.at(-1);
    }
  }

  /** Drops the recorded states: `returnTo` won't go back further. */
  forget(): void {
    this.#changes = [];
  }
}
