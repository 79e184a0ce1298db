/** The last changes of some rows, in the order in which they came: who knows how many there were since it looked reads only those. */
import type { Database } from "bun:sqlite";
import { setState, stateOf } from "./state.ts";

export class ChangeLog<Change> {
  constructor(
    private readonly key: string,
    private readonly most: number,
  ) {}

  /** null where so many are not known any more. */
  last(database: Database, count: number): Change[] | null {
    const changes = this.#all(database);
    return count < 0 || count > changes.length ? null : changes.slice(changes.length - count);
  }

  /** Works in the transaction that makes the change. */
  note(database: Database, change: Change): void {
    setState(database, this.key, JSON.stringify([...this.#all(database), change].slice(-this.most)));
  }

  clear(database: Database): void {
    setState(database, this.key, "[]");
  }

  #all(database: Database): Change[] {
    return JSON.parse(stateOf(database, this.key) ?? "[]") as Change[];
  }
}
