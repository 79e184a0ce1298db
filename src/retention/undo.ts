/** Takes back the last change of memory files that Retain made. */
import { RetainError } from "../core/errors.ts";
import type { Change } from "../core/ports.ts";
import { isoSeconds } from "../util/text.ts";
import type { RetentionPorts } from "./ports.ts";
import { takeIn } from "./take-in.ts";

export interface UndoOptions {
  /** Leave the last change as it is, and take back the one before the next time. */
  skip?: boolean;
}

/** Throws `not_found` where there is nothing to take back, `conflict` where a file has changed too much since. */
export async function undoLast(ports: RetentionPorts, { skip = false }: UndoOptions): Promise<Change> {
  return ports.lock.exclusively(() => {
    takeIn(ports);
    const [last] = ports.files.changes();
    if (last === undefined)
      throw new RetainError(
        "not_found",
        "There is nothing to take back.",
        "The last 50 changes of facts, notes and working memory can be.",
      );
    if (skip) ports.files.dropChange(last.number);
    else ports.files.undo(last.number, isoSeconds(ports.clock()));
    takeIn(ports);
    return last;
  });
}
