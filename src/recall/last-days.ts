/** Facts with a last day: which are over at the time in question, and when the others end. */
import { endOfDay } from "../core/facts/until.ts";
import type { Candidate } from "./candidates.ts";
import type { RecallPorts } from "./ports.ts";

export class LastDays {
  /** By origin and chunk id. */
  readonly #days: ReadonlyMap<Candidate["origin"], ReadonlyMap<number, string>>;

  constructor({ workspaces }: RecallPorts) {
    this.#days = new Map(
      workspaces.map(({ origin, search }) => [
        origin,
        new Map(search.endingFacts().map(({ chunkId, until }) => [chunkId, until])),
      ]),
    );
  }

  isOver(candidate: Candidate, asOf: number): boolean {
    const { until } = this.of(candidate);
    return until !== undefined && endOfDay(until).getTime() <= asOf;
  }

  of({ origin, chunk }: Candidate): { until?: string } {
    const until = this.#days.get(origin)?.get(chunk.chunkId);
    return until === undefined ? {} : { until };
  }
}
