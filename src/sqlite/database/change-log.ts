/** The most recent changes of some rows, in order, so that a reader can catch up without reading all rows. */
import type { Database } from "../driver.ts";
import { setState, stateOf } from "./state.ts";

export class ChangeLog<Change> {
  constructor(
    private readonly key: string,
    private readonly most: number,
  ) {}

  /** null if the log no longer goes back that far. */
  last(database: Database, count: number): Change[] | null {
    const changes = this.#all(database);
    return count < 0 || count > changes.length ? null : changes.slice(changes.length - count);
  }

  /** Runs inside the transaction that makes the change. */
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
