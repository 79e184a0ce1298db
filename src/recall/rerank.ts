/** Reorders the best hits with a reranker, which reads question and text together. */
import { messageOf } from "../core/errors.ts";
import { evidenceIn } from "../core/language/evidence.ts";
import type { Reranker } from "../core/ports/documents.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import { exactFirst, type Scored, type ScorePart, type Shown } from "./fuse.ts";
import type { RecallPorts } from "./ports.ts";
import type { Query } from "./query.ts";

/** TEI accepts 32 texts per request by default, and deeper hits seldom answer. */
const RERANKED = 30;
/** Rerankers read a few hundred tokens of a text. */
const LONGEST = 4_000;

/** Score parts that a reranker cannot see in the text; they keep their value. */
const UNSEEN: ReadonlySet<ScorePart["name"]> = new Set([
  "period",
  "age",
  "importance",
  "trust",
  "project",
  "recalled",
  "outdated",
]);

interface Reranking {
  readonly query: Query;
  partsOf(one: Scored): readonly ScorePart[];
  read(some: readonly Scored[]): Shown[];
}

/**
 * A reranker is opened per question, and a question may need several recalls. After a failure it is not called again for that
 * question.
 */
const failed = new WeakSet<Reranker>();

/**
 * Servers use different scales, so only their order counts: the word and meaning scores are reassigned in that order. If the
 * reranker fails, the order stays, with one warning per question.
 */
export async function rerank(
  { reranker, warn }: RecallPorts,
  ranked: readonly Scored[],
  { query, partsOf, read }: Reranking,
): Promise<readonly Scored[]> {
  if (reranker === undefined || failed.has(reranker) || query.meaning === "") return ranked;
  const best = read(ranked.slice(0, RERANKED));
  if (best.length < 2) return ranked;
  const scores = await scoresOf(reranker, query, best, warn);
  if (scores === null) return ranked;
  const order = best
    .map((one, index) => ({ one, seen: seenOf(partsOf(one)), score: scores[index] ?? 0 }))
    .sort((a, b) => b.score - a.score);
  const dealt = order.map(({ seen }) => seen).sort((a, b) => b - a);
  const moved = order.map(({ one, seen }, rank): Scored => {
    const value = (dealt[rank] ?? 0) - seen;
    return { ...one, score: one.score + value, more: [...one.more, { name: "rerank", value }] };
  });
  return exactFirst([...moved, ...ranked.slice(RERANKED)].sort((a, b) => b.score - a.score));
}

/** null if the reranker fails. */
async function scoresOf(
  reranker: Reranker,
  { meaning }: Query,
  best: readonly Shown[],
  warn: RecallPorts["warn"],
): Promise<readonly number[] | null> {
  try {
    return await reranker.score(redactSecrets(meaning), best.map(textOf));
  } catch (error) {
    failed.add(reranker);
    warn(`Not reranked: ${messageOf(error)}`);
    return null;
  }
}

function seenOf(parts: readonly ScorePart[]): number {
  return parts.reduce((sum, { name, value }) => (UNSEEN.has(name) ? sum : sum + value), 0);
}

/** For a message, only its statements, as embedded: a question would match similar questions. */
function textOf({ shown: { kind, heading, text } }: Shown): string {
  const stated = kind === "message" ? evidenceIn(text).stated || text : text;
  const whole = heading === "" ? stated : `${heading}\n${stated}`;
  return redactSecrets(whole).trim().slice(0, LONGEST).toWellFormed();
}
