/** Scores a memory: which facts are current, and which answers come first. */
import type { KnownFact, Life } from "./live.ts";
import { type Gold, type GoldFact, matches, type Session } from "./people.ts";

export type Counts = Record<string, number>;

const isLive = ({ ended_at }: KnownFact) => ended_at === null;

function matching({ match }: Pick<GoldFact, "match">, facts: readonly KnownFact[]): KnownFact[] {
  return facts.filter(({ text }) => matches(match, text));
}

/** Whether the old value has ended and the new one is there; a value that was itself replaced need only have been saved. */
function isHandled(old: GoldFact, gold: Gold, all: readonly KnownFact[]): boolean {
  const next = gold.facts.find(({ id }) => id === old.ended_by);
  const live = all.filter(isLive);
  if (next === undefined || matching(old, live).length > 0) return false;
  return matching(next, next.ended_by === null ? live : all).length > 0;
}

export function scoreFacts(
  gold: Gold,
  all: readonly KnownFact[],
  sessions: readonly Session[],
  distractors: readonly string[],
): Counts {
  const live = all.filter(isLive);
  const changes = gold.facts.filter(({ ended_by }) => ended_by !== null);
  const lasting = gold.facts.filter(({ ended_by }) => ended_by === null);
  const lost = lasting.filter((fact) => matching(fact, live).length === 0);
  const known = new Set(distractors);
  const isKept = (id: string) => {
    const fact = gold.facts.find((one) => one.id === id);
    return fact === undefined || fact.ended_by !== null || matching(fact, live).length > 0;
  };
  const wronglyEnded = lost.filter((fact) => matching(fact, all).length > 0).length;
  return {
    marked: sessions.flatMap(({ turns }) => turns.flatMap(({ marks = [] }) => marks)).length,
    facts: gold.facts.length,
    saved: gold.facts.filter((fact) => matching(fact, all).length > 0).length,
    live: live.length,
    changes: changes.length,
    handled: changes.filter((fact) => isHandled(fact, gold, all)).length,
    oldStays: changes.filter((fact) => matching(fact, live).length > 0).length,
    distractorsEnded: all.filter((fact) => !isLive(fact) && known.has(fact.text)).length,
    shouldLive: lasting.length,
    wronglyEnded,
    neverSaved: lost.length - wronglyEnded,
    duplicates: lasting.filter((fact) => matching(fact, live).length > 1).length,
    additions: gold.additions.length,
    additionsKept: gold.additions.filter((ids) => ids.every(isKept)).length,
  };
}

export function scoreTurns(gold: Gold, all: readonly KnownFact[]): Counts {
  const live = all.filter(isLive);
  return {
    facts: gold.facts.length,
    kept: gold.facts.filter((fact) => matching(fact, all).length > 0).length,
    traps: gold.traps.length,
    trapsKept: gold.traps.filter((trap) => matching(trap, live).length > 0).length,
  };
}

interface Judged {
  /** The ranks of the answer and of the outdated value, or -1. */
  readonly answer: number;
  readonly staleFirst: boolean;
  readonly staleKind: string | null;
}

function judge(
  { answers, stale }: Gold["questions"][number],
  hits: readonly { readonly text: string; readonly kind: string }[],
): Judged {
  const answer = hits.findIndex(({ text }) => matches(answers, text));
  const old =
    stale === null ? -1 : hits.findIndex(({ text }) => matches(stale, text) && !matches(answers, text));
  const staleFirst = old >= 0 && (answer < 0 || old < answer);
  return { answer, staleFirst, staleKind: staleFirst ? (hits[old]?.kind ?? null) : null };
}

/** Runs all searches first, since `recall` counts its hits as recalled and `search` doesn't. */
export async function scoreRecall({ retain }: Life, { questions }: Gold): Promise<Counts> {
  await retain.index.embed();
  const searched: Judged[] = [];
  for (const question of questions) searched.push(judge(question, (await retain.search(question.q)).hits));
  const recalled: (Judged & { readonly has: boolean })[] = [];
  for (const question of questions) {
    const { hits, text } = await retain.recall(question.q);
    recalled.push({ ...judge(question, hits), has: matches(question.answers, text) });
  }
  const isChanged = (_: unknown, index: number) => questions[index]?.stale !== null;
  return {
    questions: questions.length,
    first: searched.filter(({ answer }) => answer === 0).length,
    in5: searched.filter(({ answer }) => answer >= 0 && answer < 5).length,
    staleQuestions: questions.filter(({ stale }) => stale !== null).length,
    changedFirst: searched.filter(isChanged).filter(({ answer }) => answer === 0).length,
    staleFirst: searched.filter(({ staleFirst }) => staleFirst).length,
    staleByMessage: searched.filter(({ staleKind }) => staleKind === "message").length,
    textHas: recalled.filter(({ has }) => has).length,
    textStaleFirst: recalled.filter(({ staleFirst }) => staleFirst).length,
  };
}
