/**
 * Operations of a bank: work that a client may ask about later. Memories are stored before the answer, so their operations are
 * completed at once; only answers of mental models are written in the background.
 */
import { messageOf } from "../core/errors.ts";

export interface Operation {
  readonly id: string;
  readonly type: "retain" | "refresh_mental_model";
  readonly items: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly status: "processing" | "completed" | "failed";
  readonly error: string | null;
}

/** The newest ones are remembered until the server stops. */
const MOST = 1_000;

export class Operations {
  readonly #all = new Map<string, Operation>();

  get isBusy(): boolean {
    return this.list().some(({ status }) => status === "processing");
  }

  /** Newest first. */
  list(): Operation[] {
    return [...this.#all.values()].reverse();
  }

  get(id: string): Operation | undefined {
    return this.#all.get(id);
  }

  remove(id: string): void {
    this.#all.delete(id);
  }

  completed(type: Operation["type"], items: number, now: Date, id: string = crypto.randomUUID()): Operation {
    return this.#keep({ id, type, items, ...at(now, now), status: "completed", error: null });
  }

  /** Starts work in the background. */
  start(type: Operation["type"], now: () => Date, work: () => Promise<unknown>): Operation {
    const begun = now();
    const id = crypto.randomUUID();
    const operation: Operation = {
      id,
      type,
      items: 1,
      ...at(begun, begun),
      status: "processing",
      error: null,
    };
    work().then(
      () => this.#keep({ ...operation, ...at(begun, now()), status: "completed" }),
      (error) => this.#keep({ ...operation, ...at(begun, now()), status: "failed", error: messageOf(error) }),
    );
    return this.#keep(operation);
  }

  #keep(operation: Operation): Operation {
    this.#all.set(operation.id, operation);
    for (const id of this.#all.keys()) {
      if (this.#all.size <= MOST) break;
      this.#all.delete(id);
    }
    return operation;
  }
}

function at(created: Date, updated: Date) {
  return { created_at: created.toISOString(), updated_at: updated.toISOString() };
}
