/**
 * Facts that were concluded and not said: where they stand, how they give way to what was kept on purpose, and when a person has
 * confirmed one. They are known like others, and no line that somebody asked for ever changes because of one.
 */
import { type Fact, restated } from "../../core/facts/fact.ts";
import { factId } from "../../core/facts/fact-text.ts";
import type { HistoryEntry } from "../../core/facts/history.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import { redactSecrets } from "../../core/secrets/secrets.ts";
import type { Nearby, Verdict } from "../compare/decide.ts";

/** Opens INFERRED.md. */
export const INFERRED_HEAD = `# Unconfirmed

Found in conversations, and not confirmed yet. \`retain review\` asks about each fact. Moving a line to MEMORY.md confirms it,
as \`retain confirm <id>\` does.
`;

export type Settled =
  /** Nothing is to be written; `dropped` is an inferred fact that something kept on purpose says too. */
  | { readonly kind: "known"; readonly as: string; readonly why: string; readonly dropped: Fact | null }
  /** To be written in the place of `old`; `moved` is the same fact, so far only inferred. */
  | {
      readonly kind: "new";
      readonly moved: Fact | null;
      readonly old: readonly Fact[];
      readonly why: string;
      /** The fact that it may replace, and those that its writer may want to. */
      readonly doubts: string | null;
      readonly nearby: readonly Nearby[];
    };

interface NewOne {
  readonly text: string;
  readonly chat: string | null;
  readonly inferred?: boolean;
  /** Ids of the facts that its writer says it replaces. An inferred one replaces no others that were kept on purpose. */
  readonly named?: ReadonlySet<string>;
}

/** What becomes of a new fact by what is known: an inferred one gives way, and one that was asked for takes its place. */
export function settle(
  { text, chat, inferred = false, named }: NewOne,
  known: readonly Fact[],
  compare: (among: readonly Fact[]) => Verdict,
): Settled {
  // Word for word what was inferred: to compare it with all others first would prepare thousands of them twice.
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

/** What was only inferred is asked for now: the rest of what is known decides, as if it had not been there. */
function onPurpose(
  same: Fact,
  chat: string | null,
  known: readonly Fact[],
  compare: (among: readonly Fact[]) => Verdict,
): Settled {
  const verdict = compare(known.filter(({ file }) => !isInferredFile(file)));
  // One of the workspace stays as it is where a chat keeps the same for itself.
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

/** Where a fact's bullet stands now. */
interface Standing {
  readonly file: string;
  readonly text: string;
  readonly category: string;
  readonly at: string;
}

/** Who moves an inferred fact's bullet to another file has confirmed it. */
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
