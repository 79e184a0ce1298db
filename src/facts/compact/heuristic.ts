/**
 * Compaction without a model: compares each note with current facts, oldest note first, by the rules of `remember`. A note may
 * replace an older fact, never a newer one.
 */
import { keyOf } from "../../core/facts/fact-text.ts";
import { localDay } from "../../util/days.ts";
import { type Cosines, withCosines } from "../candidates/cosines.ts";
import { decide } from "../compare/decide.ts";
import { FactList } from "../compare/fact-list.ts";
import { isSingleKey } from "../compare/values.ts";
import type { CompactionStrategy, DueNote, Known, Plan, Step } from "./plan.ts";

/** A possible fact: one note as it is, or several notes in a model's words. */
export interface Candidate {
  readonly text: string;
  readonly id: string;
  /** The time of its latest note. */
  readonly at: string;
  readonly notes: readonly DueNote[];
}

export function heuristic(cosines?: Cosines): CompactionStrategy {
  return {
    async plan(notes, known): Promise<Plan> {
      return { steps: await settled(notes.map(candidateOf), known, cosines), warnings: [] };
    },
  };
}

export function candidateOf(note: DueNote): Candidate {
  return { text: note.text, id: note.id, at: note.at, notes: [note] };
}

/** If a candidate from several notes is already known or outdated, its notes are handled one by one. */
export async function settled(
  candidates: readonly Candidate[],
  known: Known,
  cosines?: Cosines,
): Promise<Step[]> {
  const sorted = candidates.toSorted((a, b) => timeOf(a.at) - timeOf(b.at));
  const earliest = candidates
    .flatMap(({ notes }) => notes)
    .reduce((time, { at }) => Math.min(time, timeOf(at)), Infinity);
  const settling = new Settling(known, earliest, cosines);
  for (const candidate of sorted) await settling.take(candidate);
  return settling.steps;
}

const LEAST_WORDS = 3;

/** A note can replace another only if it has no title, or a single-valued one ("Timezone"); other titles name events. */
function isLasting({ text, body }: DueNote): boolean {
  return body === text || isSingleKey(keyOf(text) ?? "");
}

interface Holding {
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

class Settling {
  readonly steps: Step[] = [];
  readonly #own: Map<string, Holding>;
  readonly #ended: Map<string, { at: number; by: string | null }>;
  readonly #facts: FactList;
  /** Facts newer than the earliest note. */
  readonly #later: FactList;

  constructor(
    known: Known,
    earliest: number,
    private readonly cosines: Cosines | undefined,
  ) {
    const holding = known.own.map(({ id, text, created_at }) => ({ id, text, at: timeOf(created_at) }));
    this.#own = new Map(holding.map((fact) => [fact.id, fact]));
    this.#facts = new FactList([...known.own, ...known.above]);
    this.#later = new FactList(holding.filter(({ at }) => at > earliest));
    const starts = new Map([...known.own, ...known.ended].map((fact) => [fact.id, fact.created_at]));
    this.#ended = new Map(
      known.ended.map(({ id, ended_at, superseded_by: by }) => {
        // It ended when its replacement was said, even if that was written down later.
        const end = (by === null ? undefined : starts.get(by)) ?? ended_at ?? "";
        return [id, { at: timeOf(end), by }];
      }),
    );
  }

  async take(candidate: Candidate): Promise<void> {
    const [first, ...others] = candidate.notes;
    if (first === undefined) return;
    const isNote = others.length === 0 && candidate.id === first.id;
    if (candidate.text === "") return void this.steps.push({ kind: "empty", note: first });
    const step = this.#endedStep(candidate, first) ?? (await this.#compared(candidate, first));
    if (step.kind === "add") this.#add(step, candidate);
    else if (isNote) this.steps.push(step);
    else for (const note of candidate.notes) await this.take(candidateOf(note));
    if (isNote && step.kind === "superseded")
      this.#ended.set(first.id, { at: this.#own.get(step.by)?.at ?? 0, by: step.by });
  }

  /** The note was a fact that ended after it was noted. */
  #endedStep({ id, at }: Candidate, note: DueNote): Step | null {
    const ended = this.#own.has(id) ? undefined : this.#ended.get(id);
    if (ended === undefined || ended.at <= timeOf(at)) return null;
    const day = localDay(new Date(ended.at).toISOString());
    const why = ended.by === null ? `was removed on ${day}` : `was superseded on ${day}`;
    return { kind: "ended", note, by: ended.by, why };
  }

  async #compared(candidate: Candidate, note: DueNote): Promise<Step> {
    const { text, at, notes } = candidate;
    const verdict = decide(text, await withCosines(text, this.#facts.sharing(text), this.cosines));
    if (verdict.kind === "same") return { kind: "known", note, as: verdict.as, why: verdict.why };
    const bare = notes.length === 1 ? await this.#withoutTitle(note) : null;
    if (bare !== null) return { kind: "known", note, ...bare };
    if (!notes.every(isLasting))
      return { kind: "add", text, notes, since: at, supersedes: [], because: null };
    const newer = this.#newerThan(candidate);
    if (newer !== null) return { kind: "superseded", note, ...newer, merged: false };
    const wanted = verdict.kind === "supersedes" ? verdict.ids : [];
    const older = wanted.filter((id) => (this.#own.get(id)?.at ?? Number.POSITIVE_INFINITY) <= timeOf(at));
    const because = verdict.kind === "supersedes" && older.length > 0 ? verdict.why : null;
    return { kind: "add", text, notes, since: at, supersedes: older, because };
  }

  /** "Runtime: Uses Bun" adds nothing to the fact "Uses Bun". One or two words are too ambiguous. */
  async #withoutTitle({ text, body }: DueNote): Promise<{ as: string; why: string } | null> {
    if (body === text || body.split(" ").length < LEAST_WORDS) return null;
    const verdict = decide(body, await withCosines(body, this.#facts.sharing(body), undefined));
    return verdict.kind === "same" ? { as: verdict.as, why: verdict.why } : null;
  }

  /** A newer fact that would have replaced the note if the note had been a fact. */
  #newerThan({ text, at }: Candidate): { by: string; why: string } | null {
    for (const fact of this.#later.sharing(text)) {
      const known = this.#own.get(fact.id);
      if (known === undefined || known.at <= timeOf(at)) continue;
      const verdict = decide(fact.text, [{ id: "", text, cosine: null }]);
      if (verdict.kind === "supersedes") return { by: fact.id, why: verdict.why };
    }
    return null;
  }

  #add(step: Extract<Step, { kind: "add" }>, { id, text, at }: Candidate): void {
    // A note that already is a fact stays one.
    const held = step.notes.filter((note) => note.id !== id && this.#own.has(note.id));
    const notes = step.notes.filter((note) => !held.includes(note));
    for (const note of held) this.steps.push({ kind: "known", note, as: note.id, why: "exact match" });
    if (notes.length === 0) return;
    this.steps.push({ ...step, notes });
    for (const old of step.supersedes) {
      this.#own.delete(old);
      this.#facts.remove(old);
      this.#ended.set(old, { at: timeOf(at), by: id });
    }
    for (const note of notes) if (note.id !== id) this.#ended.set(note.id, { at: timeOf(at), by: id });
    this.#own.set(id, { id, text, at: timeOf(at) });
    this.#ended.delete(id);
    this.#facts.add({ id, text });
    // It may be newer than notes of a merged candidate that is split up later.
    if (notes.length > 1) this.#later.add({ id, text });
  }
}

function timeOf(iso: string): number {
  return Date.parse(iso) || 0;
}
