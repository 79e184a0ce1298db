/**
 * Compaction with a model: asks it for facts that merge several notes, and checks each fact of its answer. Notes that the answer
 * omits, loses parts of or adds to are compacted without the model.
 */
import prompt from "../../../prompts/compact.md" with { type: "text" };
import { messageOf, RetainError } from "../../core/errors.ts";
import { factId } from "../../core/facts/fact-text.ts";
import type { Model } from "../../core/ports/documents.ts";
import { findSecrets } from "../../core/secrets/secrets.ts";
import { localDay } from "../../util/days.ts";
import type { Cosines } from "../candidates/cosines.ts";
import type { KnownFact } from "../compare/decide.ts";
import { FactList } from "../compare/fact-list.ts";
import { type Candidate, candidateOf, settled } from "./heuristic.ts";
import { inventedIn, lostFrom } from "./keeps.ts";
import type { CompactionStrategy, DueNote, Plan, Step } from "./plan.ts";
import { asBullet } from "./text.ts";

/** In one request. */
const MOST_NOTES = 50;
/** Known facts sent along with each note. */
const FACTS_A_NOTE = 3;
const LONGEST_FACT = 1_000;

export function byModel(model: Model, cosines?: Cosines): CompactionStrategy {
  return {
    async plan(notes, known): Promise<Plan> {
      const steps: Step[] = [];
      const candidates: Candidate[] = [];
      const warnings: string[] = [];
      const facts = new FactList([...known.own, ...known.above]);
      const held = new Set([...known.own, ...known.above].map(({ id }) => id));
      const open = notes.filter(({ id, text }) => text !== "" && !held.has(id));
      for (let from = 0; from < open.length; from += MOST_NOTES) {
        const asked = open.slice(from, from + MOST_NOTES);
        const { accepted, warning } = await answered(model, asked, facts);
        if (warning !== null) warnings.push(warning);
        for (const { text, known: id, notes: covered } of accepted) {
          if (id === null) candidates.push(mergedFrom(text, covered));
          else steps.push(...covered.map((note) => intoFact(note, id)));
        }
      }
      const done = new Set([...candidates, ...steps].flatMap(notesIn));
      candidates.push(...notes.filter((note) => !done.has(note)).map(candidateOf));
      return { steps: [...steps, ...(await settled(candidates, known, cosines))], warnings };
    },
  };
}

function notesIn(part: Candidate | Step): readonly DueNote[] {
  return "notes" in part ? part.notes : [part.note];
}

function mergedFrom(text: string, notes: readonly DueNote[]): Candidate {
  const { at, chat } = notes.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1) as DueNote;
  return { text, id: factId(text, chat), at, notes };
}

function intoFact(note: DueNote, by: string): Step {
  return { kind: "superseded", note, by, why: "the model found it in this fact", merged: true };
}

interface Accepted {
  readonly text: string;
  /** The known fact's id; null for a new fact. */
  readonly known: string | null;
  readonly notes: readonly DueNote[];
}

async function answered(
  model: Model,
  notes: readonly DueNote[],
  facts: FactList,
): Promise<{ accepted: Accepted[]; warning: string | null }> {
  const near = nearFacts(notes, facts);
  try {
    const claims = claimsIn(await model.complete(questionFor(notes, near)));
    if (claims === null)
      return {
        accepted: [],
        warning: "The model's answer could not be parsed. These notes are compacted without a model.",
      };
    return { accepted: acceptedOf(claims, notes, near), warning: null };
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    return { accepted: [], warning: `${messageOf(error)} Notes are compacted without a model.` };
  }
}

/** For each note, the facts that share the most words with it. */
function nearFacts(notes: readonly DueNote[], facts: FactList): Map<string, KnownFact> {
  const near = notes.flatMap(({ text }) => facts.sharing(text, FACTS_A_NOTE));
  return new Map(near.map(({ id, text }) => [id, { id, text }]));
}

function questionFor(notes: readonly DueNote[], near: ReadonlyMap<string, KnownFact>): string {
  const facts = [...near.values()].map(({ id, text }) => JSON.stringify({ id, text }));
  const numbered = notes.map(({ at, text }, index) =>
    JSON.stringify({ note: index + 1, day: localDay(at), text }),
  );
  const parts: Record<string, string> = { facts: facts.join("\n") || "none", notes: numbered.join("\n") };
  return prompt.replace(/\{\{(facts|notes)\}\}/g, (_, name: string) => parts[name] ?? "");
}

interface Claim {
  readonly text: string | null;
  readonly known: string | null;
  /** From 1. */
  readonly notes: readonly number[];
}

/** null if the answer has the wrong format. Ignores prose or a fence around the JSON. */
function claimsIn(answer: string): Claim[] | null {
  const json = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    return null;
  }
  const { facts } = read as { facts?: unknown };
  if (!Array.isArray(facts)) return null;
  return facts.flatMap((fact: unknown) => {
    const { text, known, notes } = (fact ?? {}) as Record<string, unknown>;
    if (!Array.isArray(notes) || !notes.every(Number.isInteger)) return [];
    if (typeof known === "string") return { text: null, known, notes: notes as number[] };
    return typeof text === "string" ? { text: asBullet(text), known: null, notes: notes as number[] } : [];
  });
}

/** The claims that lose nothing, invent nothing and contain no secret. */
function acceptedOf(
  claims: readonly Claim[],
  notes: readonly DueNote[],
  near: ReadonlyMap<string, KnownFact>,
): Accepted[] {
  const sound = claims.flatMap((claim): Accepted[] => {
    const covered = [...new Set(claim.notes)].flatMap((number) => notes[number - 1] ?? []);
    const text = claim.known === null ? claim.text : near.get(claim.known)?.text;
    if (text === undefined || text === null || text === "" || covered.length === 0) return [];
    if (claim.known !== null) return covered.map((note) => ({ text, known: claim.known, notes: [note] }));
    const said = covered.map((note) => `${note.text} ${localDay(note.at)}`);
    if (text.length > LONGEST_FACT || findSecrets(text).length > 0) return [];
    return inventedIn(text, said) === null ? [{ text, known: null, notes: covered }] : [];
  });
  return lossless(sound);
}

/** Drops a fact that loses part of any of its notes. Repeats, since other facts may then no longer cover their notes. */
function lossless(facts: readonly Accepted[]): Accepted[] {
  const said = (note: DueNote) => facts.filter(({ notes }) => notes.includes(note)).map(({ text }) => text);
  const kept = facts.filter(({ notes }) => notes.every((note) => lostFrom(note.text, said(note)) === null));
  return kept.length === facts.length ? kept : lossless(kept);
}
