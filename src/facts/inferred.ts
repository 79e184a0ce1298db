/**
 * Rules for unconfirmed facts, which a model inferred: facts saved on purpose replace them, never the other way round, and moving
 * one's bullet to another file confirms it.
 */
import { type Fact, restated } from "../core/facts/fact.ts";
import { factId } from "../core/facts/fact-text.ts";
import type { HistoryEntry } from "../core/facts/history.ts";
import { isInferredFile } from "../core/facts/memory-paths.ts";
import { command, slot } from "../core/hint.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import type { Nearby, Verdict } from "./compare/decide.ts";

/** The head of INFERRED.md. */
export const INFERRED_HEAD = `# Unconfirmed

Found in conversations, and not confirmed yet. \`${command("review")}\` asks about each fact. Moving a line to MEMORY.md confirms it,
as \`${command("confirm", slot("id"))}\` does.
`;

export type Settled =
  /** Nothing to write. `dropped` is an unconfirmed fact to remove, since a confirmed one says the same. */
  | { readonly kind: "known"; readonly as: string; readonly why: string; readonly dropped: Fact | null }
  /** To write in place of `old`. `moved` is the same fact, unconfirmed until now. */
  | {
      readonly kind: "new";
      readonly moved: Fact | null;
      readonly old: readonly Fact[];
      readonly why: string;
      /** The fact it may replace, and facts its writer may want to replace. */
      readonly doubts: string | null;
      readonly nearby: readonly Nearby[];
    };

interface NewOne {
  readonly text: string;
  readonly chat: string | null;
  readonly inferred?: boolean;
  /** Ids of facts that its writer wants replaced. An inferred fact replaces no other confirmed ones. */
  readonly named?: ReadonlySet<string>;
}

/** Decides about a new fact. One saved on purpose replaces unconfirmed ones; an inferred one doesn't replace confirmed ones. */
export function settle(
  { text, chat, inferred = false, named }: NewOne,
  known: readonly Fact[],
  compare: (among: readonly Fact[]) => Verdict,
): Settled {
  // An exact match of an unconfirmed fact. Comparing it with all others first would do the work twice.
  const id = factId(text, chat);
  const itself = inferred ? undefined : known.find((fact) => fact.id === id && isInferredFile(fact.file));
  if (itself !== undefined) return onPurpose(itself, chat, known, compare);
  const verdict = compare(known);
  if (verdict.kind === "same") {
    const same = known.find(({ id }) => id === verdict.as);
    if (inferred || same === undefined || !isInferredFile(same.file))
      return { kind: "known", as: verdict.as, why: verdict.why, dropped: null };
    return onPurpose(same, chat, known, compare);
  }
  const old = supersededBy(verdict, chat, known).filter(
    ({ id, file }) => !inferred || isInferredFile(file) || named?.has(id),
  );
  return { kind: "new", moved: null, old, ...openIn(verdict) };
}

/** An unconfirmed fact is now saved on purpose: decides as if the unconfirmed one didn't exist. */
function onPurpose(
  same: Fact,
  chat: string | null,
  known: readonly Fact[],
  compare: (among: readonly Fact[]) => Verdict,
): Settled {
  const verdict = compare(known.filter(({ file }) => !isInferredFile(file)));
  // If a chat saves the same fact for itself, the workspace's stays.
  const own = same.chat === chat ? same : null;
  if (verdict.kind === "same") return { kind: "known", as: verdict.as, why: verdict.why, dropped: own };
  return { kind: "new", moved: own, old: supersededBy(verdict, chat, known), ...openIn(verdict) };
}

function supersededBy(verdict: Verdict, chat: string | null, known: readonly Fact[]): Fact[] {
  if (verdict.kind !== "supersedes") return [];
  return known.filter((fact) => fact.chat === chat && verdict.ids.includes(fact.id));
}

function openIn(verdict: Verdict): Pick<Extract<Settled, { kind: "new" }>, "why" | "doubts" | "nearby"> {
  return {
    why: verdict.kind === "supersedes" ? verdict.why : "",
    doubts: verdict.kind === "unsure" ? verdict.about : null,
    nearby: verdict.nearby ?? [],
  };
}

/** Where a fact's bullet is now. */
interface Standing {
  readonly file: string;
  readonly text: string;
  readonly category: string;
  readonly at: string;
}

/** Moving an unconfirmed fact's bullet to another file confirms it. */
export function confirmedByHand(
  holding: readonly Fact[],
  standing: (id: string) => Standing | null,
): HistoryEntry[] {
  return holding.flatMap((fact) => {
    const now = isInferredFile(fact.file) ? standing(fact.id) : null;
    if (now === null || isInferredFile(now.file)) return [];
    const { id, text, file } = fact;
    const source = { ...fact.source, by: "hand", trust: "stated" as const };
    const { at, category } = now;
    return [
      { kind: "removed" as const, at, id, text, file, by: "hand", supersededBy: id },
      restated(
        { ...fact, text: redactSecrets(now.text), file: now.file, category, source, because: null },
        at,
      ),
    ];
  });
}
