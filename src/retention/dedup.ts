/**
 * Is a new fact known already, does it take the place of a known one, or is it new? Told in this order: the same normal form;
 * the same subject and attribute; the same words; the same meaning. A wrong merge loses a fact and a missed one only repeats
 * it, so whatever is not sure leaves both, unless a judge decides.
 */
import { likenessDecides, relationByLikeness } from "./dedup-likeness.ts";
import { FactMatcher, type KnownFact, type PreparedFact, prepare } from "./dedup-matcher.ts";
import { type Relation, relationOf } from "./dedup-relation.ts";

export { FactMatcher, type KnownFact } from "./dedup-matcher.ts";

export type Verdict =
  | { readonly kind: "new" }
  /** Nothing is to be stored: the fact `as` says it, maybe with more detail. */
  | { readonly kind: "same"; readonly as: string; readonly why: string }
  /** It takes the place of these. */
  | { readonly kind: "supersedes"; readonly ids: string[]; readonly why: string }
  /** It may be one of the other kinds towards these, the likeliest first: without a judge both stay. */
  | { readonly kind: "unsure"; readonly about: string[]; readonly why: string };

/** The cosine of the text with each known fact, in the same order; null where there is no vector. */
export type Likeness = (text: string, known: readonly KnownFact[]) => Promise<readonly (number | null)[]>;

export type Judgement = "same" | "supersedes" | "different";

export interface Judge {
  judge(newFact: string, known: KnownFact): Promise<Judgement>;
}

export interface Help {
  readonly likeness?: Likeness;
  readonly judge?: Judge;
  /** Ids of facts that are near by vector, looked at although they may share no word. */
  readonly nearest?: readonly string[];
  /** Nobody asks what is unsure: a likeness is asked for only where it can decide. */
  readonly onlyDecisive?: boolean;
}

/** What was found out about a new fact, by id of the known one. */
export interface Evidence {
  readonly nearest: readonly string[];
  readonly cosines: ReadonlyMap<string, number>;
  readonly judgements: ReadonlyMap<string, Judgement>;
}

const NO_EVIDENCE: Evidence = { nearest: [], cosines: new Map(), judgements: new Map() };

interface Finding {
  readonly fact: PreparedFact;
  readonly relation: Relation;
  /** 1 where words decided. */
  readonly cosine: number;
}

const MOST_JUDGED = 3;

/**
 * Never throws: a likeness or a judge that fails is as if there were none. Pass a `FactMatcher` that is kept up to date where
 * many facts are compared; a list is prepared anew at every call.
 */
export async function compareFact(
  text: string,
  known: readonly KnownFact[] | FactMatcher,
  help: Help = {},
): Promise<Verdict> {
  const matcher = known instanceof FactMatcher ? known : new FactMatcher(known);
  return decide(text, matcher, await gather(text, matcher, help));
}

/** Asks those who take their time, so that `decide` need not. Never throws. */
export async function gather(
  text: string,
  matcher: FactMatcher,
  { likeness, judge, nearest = [], onlyDecisive = false }: Help,
): Promise<Evidence> {
  const cosines = new Map<string, number>();
  const judgements = new Map<string, Judgement>();
  const evidence = { nearest, cosines, judgements };
  if (likeness !== undefined) {
    const asked = leftOpen(text, matcher, nearest, onlyDecisive);
    const found = asked.length === 0 ? [] : ((await unlessItFails(() => likeness(text, asked))) ?? []);
    for (const [index, { id }] of asked.entries()) {
      const cosine = found[index] ?? null;
      if (cosine !== null) cosines.set(id, cosine);
    }
  }
  if (judge === undefined) return evidence;
  const verdict = decide(text, matcher, evidence);
  if (verdict.kind !== "unsure") return evidence;
  for (const id of verdict.about) {
    const fact = matcher.get(id);
    if (fact === null) continue;
    const judged = await unlessItFails(() => judge.judge(text, { id, text: fact.text }));
    if (judged !== null) judgements.set(id, judged);
    if (judged === null || judged === "same") break;
  }
  return evidence;
}

/** The facts of which a likeness could say more than the words do. */
function leftOpen(
  text: string,
  matcher: FactMatcher,
  nearest: readonly string[],
  onlyDecisive: boolean,
): PreparedFact[] {
  const added = prepare({ id: "", text });
  const { open, findings } = byWords(added, matcher, nearest);
  if (findings.some(({ relation }) => relation.kind === "same")) return [];
  return onlyDecisive
    ? open.filter((fact) => likenessDecides(fact.statement, added.statement, matcher))
    : open;
}

/** At once, on what is known now, with what was found out before. */
export function decide(text: string, matcher: FactMatcher, evidence: Evidence = NO_EVIDENCE): Verdict {
  const added = prepare({ id: "", text });
  const [identical] = matcher.identical(added.normal);
  if (identical !== undefined) return { kind: "same", as: identical.id, why: "word for word" };
  const { findings, open } = byWords(added, matcher, evidence.nearest);
  if (!findings.some(({ relation }) => relation.kind === "same"))
    findings.push(...byLikeness(added, open, matcher, evidence));
  return settle(findings, evidence);
}

/** What the words decide, and the facts that are left open. */
function byWords(
  added: PreparedFact,
  matcher: FactMatcher,
  nearest: readonly string[],
): { findings: Finding[]; open: PreparedFact[] } {
  const near = new Set([...matcher.shortlist(added), ...nearest.flatMap((id) => matcher.get(id) ?? [])]);
  const findings: Finding[] = [];
  const open: PreparedFact[] = [];
  for (const fact of new Set([...matcher.sharing(added), ...near])) {
    if (saysOtherwise(fact.text, added.text)) continue;
    const relation = relationOf(fact.statement, added.statement, matcher);
    if (relation !== null) findings.push({ fact, relation, cosine: 1 });
    else if (near.has(fact)) open.push(fact);
  }
  return { findings, open };
}

const QUESTION = /[?？]\s*$/;
const PICTURES = /\p{Extended_Pictographic}/gu;

/** A question is no statement, and a smile no frown: no word tells them apart. */
function saysOtherwise(known: string, added: string): boolean {
  if (QUESTION.test(known) !== QUESTION.test(added)) return true;
  const [before, now] = [known, added].map((text) => text.match(PICTURES)?.join("") ?? "");
  return before !== "" && now !== "" && before !== now;
}

function byLikeness(
  added: PreparedFact,
  open: readonly PreparedFact[],
  matcher: FactMatcher,
  { cosines }: Evidence,
): Finding[] {
  return open.flatMap((fact) => {
    const cosine = cosines.get(fact.id) ?? null;
    const relation =
      cosine === null ? null : relationByLikeness(fact.statement, added.statement, cosine, matcher);
    return cosine === null || relation === null ? [] : [{ fact, relation, cosine }];
  });
}

function settle(findings: readonly Finding[], { judgements }: Evidence): Verdict {
  const of = (kind: Relation["kind"]) =>
    findings.filter(({ relation }) => relation.kind === kind).sort((a, b) => b.cosine - a.cosine);
  const [same] = of("same");
  if (same !== undefined) return { kind: "same", as: same.fact.id, why: same.relation.why };
  const superseded = of("supersedes");
  if (superseded.length > 0)
    return {
      kind: "supersedes",
      ids: superseded.map(({ fact }) => fact.id),
      why: superseded[0]?.relation.why ?? "",
    };
  const unsure = of("unsure").slice(0, MOST_JUDGED);
  const about = unsure.map(({ fact }) => fact.id);
  if (about.length === 0) return { kind: "new" };
  return judged(about, judgements) ?? { kind: "unsure", about, why: unsure[0]?.relation.why ?? "" };
}

/** null where not all of them were judged. */
function judged(about: readonly string[], judgements: Evidence["judgements"]): Verdict | null {
  const same = about.find((id) => judgements.get(id) === "same");
  if (same !== undefined) return { kind: "same", as: same, why: "judged to say the same" };
  if (!about.every((id) => judgements.has(id))) return null;
  const ids = about.filter((id) => judgements.get(id) === "supersedes");
  return ids.length === 0 ? { kind: "new" } : { kind: "supersedes", ids, why: "judged to take its place" };
}

/** null where a helper fails: a missing capability, which costs no fact. */
async function unlessItFails<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}
