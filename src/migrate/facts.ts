/**
 * Imports facts with the comparison of `remember` and one more rule: imported facts are older than the workspace's, so they may
 * add detail to a fact but not replace a contradicting one. A fact that was known and has ended is not imported again, so a
 * second run changes nothing.
 */

import { RetainError } from "../core/errors.ts";
import { bulletsOf, GENERAL } from "../core/facts/bullets.ts";
import type { Fact } from "../core/facts/fact.ts";
import { factId, isUnder, oneFact } from "../core/facts/fact-text.ts";
import type { FactAdded, FactSource } from "../core/facts/history.ts";
import { factsPath, HISTORIES } from "../core/facts/memory-paths.ts";
import { command } from "../core/hint.ts";
import { comparison } from "../facts/candidates/compare.ts";
import { type Compare, decide } from "../facts/compare/decide.ts";
import { FactList } from "../facts/compare/fact-list.ts";
import { currentFacts } from "../facts/sync/sync-facts.ts";
import { guarded } from "../facts/write/guard.ts";
import { categoryOf } from "../facts/write/remember.ts";
import { writeFacts } from "../facts/write/write-facts.ts";
import type { NewFact, Written } from "../facts/write/written.ts";
import type { Migration } from "./ports.ts";
import type { ItemRef, Outcomes } from "./report.ts";

/** The label of the change and the source of its facts. */
export const LABEL = "migrate";
export const SOURCE: FactSource = {
  by: LABEL,
  session: null,
  message: null,
  trust: "imported",
  tags: [],
};

export interface FactFile {
  /** Relative to the directory. */
  readonly file: string;
  readonly content: string;
  readonly chat: string | null;
}

interface Candidate {
  readonly fact: NewFact;
  readonly id: string;
  readonly item: ItemRef;
}

/** `before`: the workspace's own facts, without imported ones. `recorded`: facts in the other workspace's HISTORY.md, by id. */
export async function importFacts(
  migration: Migration,
  file: FactFile,
  before: ReadonlyMap<string, Fact>,
  recorded: ReadonlyMap<string, FactAdded>,
): Promise<void> {
  const { workspace, embedders, outcomes } = migration;
  try {
    for (const path of [factsPath(file.chat), ...HISTORIES]) workspace.files.read(path);
  } catch (error) {
    return outcomes.failed({ kind: "facts", name: file.file, file: file.file }, error);
  }
  const fresh = unknownOf(migration, candidatesOf(file, recorded, outcomes), file.chat);
  if (fresh.length === 0) return;
  const facts = fresh.map(({ fact }) => fact);
  // Embedding all at once is faster. Without vectors, the comparison uses words.
  await embedders[0]?.embed(facts.map(({ text }) => text)).catch(() => []);
  const compare = workspaceFirst(await comparison(workspace, embedders, facts), before, facts);
  await saveFacts(migration, fresh, compare);
}

/** The bullets of a file, except empty ones and those with a secret. */
function candidatesOf(
  { file, content, chat }: FactFile,
  recorded: ReadonlyMap<string, FactAdded>,
  outcomes: Outcomes,
): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const { text, category, line } of bulletsOf(content)) {
    const item: ItemRef = { kind: "facts", name: text, file, line };
    const said = allowed(text, category === GENERAL ? "" : `${category}\n`, item, outcomes);
    if (said === null) continue;
    const fact: NewFact = {
      text: oneFact(said),
      category: category === GENERAL ? null : categoryOf(category),
      chat,
      source: SOURCE,
    };
    const id = factId(fact.text, chat);
    const entry = recorded.get(id);
    if (fact.text === "") continue;
    if (candidates.has(id)) outcomes.existing(item, "duplicate in the file");
    else
      candidates.set(id, {
        fact:
          entry === undefined
            ? fact
            : { ...fact, since: entry.since ?? entry.at, until: entry.until ?? null, key: entry.key ?? null },
        ...{ id, item },
      });
  }
  return [...candidates.values()];
}

/** The text to save; null, and reported, if it contains a secret. `before` helps to recognise one. */
export function allowed(text: string, before: string, item: ItemRef, outcomes: Outcomes): string | null {
  const whole = guarded(before + text, false);
  const said = "refusal" in whole ? whole : guarded(text, false);
  if (!("refusal" in said)) return said.text;
  const { refusal } = said;
  outcomes.skipped(
    { ...item, name: refusal.text },
    `Not imported: ${refusal.why}.`,
    "Keep secrets in a password manager.",
  );
  return null;
}

/** Facts that were never known. */
function unknownOf(
  { workspace, outcomes }: Migration,
  candidates: readonly Candidate[],
  chat: string | null,
): Candidate[] {
  const known = currentFacts(workspace).filter((fact) => fact.chat === chat);
  const byId = new Map(known.map((fact) => [fact.id, fact]));
  const ended = new FactList(known.filter(({ ended_at }) => ended_at !== null));
  const current = known.filter(({ ended_at }) => ended_at === null);
  const fresh: Candidate[] = [];
  for (const candidate of candidates) {
    const same = byId.get(candidate.id);
    if (same !== undefined) outcomes.existing(candidate.item, same.ended_at === null ? null : ENDED);
    else if (ended.sharing(candidate.fact.text).some(({ text }) => saysAllOf(text, candidate.fact.text)))
      outcomes.existing(candidate.item, ENDED);
    else fresh.push(withFreeKey(candidate, current));
  }
  return fresh;
}

/** A key would replace the workspace's own fact that has it. */
function withFreeKey(candidate: Candidate, current: readonly Fact[]): Candidate {
  const { fact } = candidate;
  const isTaken = fact.key && current.some((own) => isUnder(fact.key ?? "", own));
  return isTaken ? { ...candidate, fact: { ...fact, key: null } } : candidate;
}

const ENDED = "already known, and ended since";
const OTHERWISE = "Contradicts the workspace: ";

function workspaceFirst(
  compare: Compare,
  before: ReadonlyMap<string, Fact>,
  facts: readonly NewFact[],
): Compare {
  const categories = new Map(facts.map(({ text, category }) => [text, category?.toLowerCase() ?? null]));
  const dates = new Map(facts.map(({ text, since }) => [text, since]));
  return (text, known, chat) => {
    const category = categories.get(text) ?? null;
    const isOfItsKind = (fact: Fact) =>
      category === null || [category, GENERAL].includes(fact.category.toLowerCase());
    const compared = compare(text, known, chat);
    const doubted = compared.kind === "unsure" ? known.find(({ id }) => id === compared.about) : undefined;
    // Doubts are about an older fact.
    const isOlder = doubted !== undefined && (dates.get(text) ?? doubted.created_at) < doubted.created_at;
    const verdict = isOlder ? { ...compared, kind: "new" as const } : compared;
    // Compared with the workspace's own facts alone too: what else was imported must not decide, or a second run could.
    const alone = compare(
      text,
      known.filter(({ id }) => before.has(id)),
      chat,
    );
    const other = [verdict, alone]
      .flatMap((one) => (one.kind === "supersedes" ? one.ids : []))
      .flatMap((id) => before.get(id) ?? [])
      .find((fact) => fact.chat === chat && isOfItsKind(fact) && !saysAllOf(text, fact.text));
    return other === undefined || verdict.kind === "same"
      ? verdict
      : { kind: "same", as: other.id, why: `${OTHERWISE}"${other.text}".` };
  };
}

/** Whether the first text covers the second. */
function saysAllOf(text: string, known: string): boolean {
  return decide(known, [{ id: "", text, cosine: null }]).kind === "same";
}

/** A fact that cannot be written is reported; the others are still imported. */
async function saveFacts(
  migration: Migration,
  candidates: readonly Candidate[],
  compare: Compare,
): Promise<void> {
  const { workspace, outcomes } = migration;
  const facts = candidates.map(({ fact }) => fact);
  try {
    const written = await writeFacts(workspace, LABEL, { facts, notes: [], working: null }, compare);
    for (const candidate of candidates) reportFact(candidate, written, outcomes);
  } catch (error) {
    const [first] = candidates;
    if (!(error instanceof RetainError) || error.code !== "invalid_input" || first === undefined) throw error;
    if (candidates.length === 1) return outcomes.failed(first.item, error);
    const middle = Math.ceil(candidates.length / 2);
    await saveFacts(migration, candidates.slice(0, middle), compare);
    await saveFacts(migration, candidates.slice(middle), compare);
  }
}

function reportFact(
  { fact, id, item }: Candidate,
  { saved, skipped, superseded }: Written,
  outcomes: Outcomes,
): void {
  const known = skipped.find(({ text }) => text === fact.text);
  if (known?.why.startsWith(OTHERWISE))
    outcomes.skipped(item, known.why, `If the file is right: ${command("remember", fact.text)}`);
  else if (known !== undefined) outcomes.existing(item, known.why);
  else if (saved.some((one) => one.id === id)) {
    const [old] = superseded.filter(({ by }) => by === id);
    outcomes.imported(item, { why: old === undefined ? null : `replaces: ${old.text}` });
  }
}
