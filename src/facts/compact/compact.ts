/**
 * Compaction turns the notes of daily logs older than the retention into facts, unless they are already known, and removes the logs.
 * Planning happens without the lock, since embedding and models are slow; the check and the write happen under it, as one change
 * that can be undone.
 */
import { messageOf, RetainError } from "../../core/errors.ts";
import type { Fact } from "../../core/facts/fact.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { checked, isInferredFile, kindOfFile } from "../../core/facts/memory-paths.ts";
import type { ChangedFile, Embedder, MemoryFiles, Model } from "../../core/ports/documents.ts";
import { vectorsOnce } from "../../core/vectors-once.ts";
import { isoSeconds } from "../../util/days.ts";
import { FactEmbeddings } from "../candidates/cosines.ts";
import type { KnownFact } from "../compare/decide.ts";
import { Drafts } from "../drafts.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { currentFacts, syncFacts, syncMemories } from "../sync/sync-facts.ts";
import { requireLossless } from "./check.ts";
import { heuristic } from "./heuristic.ts";
import { type DueLog, dueLogs, isRead, type KeptLog, type ReadLog, readLog } from "./logs.ts";
import { COMPACTION, type CompactionStrategy, type DueNote, type Step } from "./plan.ts";
import { type CompactionReport, diffOf, hintsOn, noteReports } from "./report.ts";
import { byModel } from "./with-model.ts";
import { draftPlan, type PlannedTier } from "./write.ts";

export interface CompactOptions {
  /** Report what would change without changing anything. */
  dryRun?: boolean;
  /** Only this chat's logs. Default: the workspace's and every chat's. */
  chat?: string;
  /** Merges related notes. Without a model, rules compare the notes. */
  model?: Model;
}

/** Plans to try if files change during planning. */
const MOST_PLANS = 3;

/** Throws `conflict`, with nothing changed, if something would be lost or the files keep changing. */
export async function compact(
  workspaces: FactWorkspaces,
  options: CompactOptions = {},
): Promise<CompactionReport> {
  return compactWorkspace(workspaces.nearest, workspaces, options);
}

/**
 * For the start of a conversation: compacts due logs in every workspace that is read, except logs that an undo brought back.
 * Returns a report for each workspace with due logs. Errors that a person can fix become warnings.
 */
export async function compactIfDue(workspaces: FactWorkspaces, model?: Model): Promise<CompactionReport[]> {
  const reports: CompactionReport[] = [];
  for (const workspace of workspaces.read) {
    const { files, clock, lock, warn } = workspace;
    try {
      const due = dueLogs(files, clock, workspaces.settings.memory_retention_days);
      if (due.length === 0 || !lock.writable) continue;
      const except = files.uncompacted();
      if (due.some(({ path }) => !except.has(path)))
        reports.push(await compactWorkspace(workspace, workspaces, { model }, except));
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      warn(`Old notes were not compacted: ${messageOf(error)}`);
    }
  }
  return reports;
}

async function compactWorkspace(
  workspace: FactWorkspace,
  { embedders, settings }: FactWorkspaces,
  { dryRun = false, chat: named, model }: CompactOptions,
  except: ReadonlySet<string> = new Set(),
): Promise<CompactionReport> {
  const { files, clock, lock } = workspace;
  const chat = named === undefined ? undefined : checked("chat", named);
  if (files.unfinished && lock.writable) await lock.exclusively(() => syncFacts(workspace));
  if (!dryRun) syncMemories(workspace);
  const embedder = embedders[0] === undefined ? null : vectorsOnce(embedders[0]);
  const cosines = embedder === null ? undefined : new FactEmbeddings(workspace, embedder).cosines;
  const strategy = model === undefined ? heuristic(cosines) : byModel(model, cosines);
  for (let made = 0; made < MOST_PLANS; made++) {
    const due = dueLogs(files, clock, settings.memory_retention_days, chat).filter(
      ({ path }) => !except.has(path),
    );
    const basis = basisOf(workspace, due, currentFacts(workspace));
    const plan = await planned(workspace, basis, strategy, embedder);
    if (dryRun || basis.logs.length === 0) return drafted(workspace, basis, plan, dryRun).report;
    const report = await lock.exclusively(() => {
      if (printed(basisOf(workspace, due, syncFacts(workspace))) !== printed(basis)) return null;
      const draft = drafted(workspace, basis, plan, dryRun);
      files.change(COMPACTION, isoSeconds(clock()), draft.changes);
      syncFacts(workspace);
      return draft.report;
    });
    if (report !== null) return report;
  }
  throw new RetainError(
    "conflict",
    "Nothing was compacted: the memory files keep changing.",
    "Try again when no other program is writing to them.",
  );
}

/** The input of a plan. */
interface Basis {
  readonly facts: readonly Fact[];
  readonly logs: readonly ReadLog[];
  readonly kept: readonly KeptLog[];
}

function basisOf({ files }: FactWorkspace, due: readonly DueLog[], facts: readonly Fact[]): Basis {
  const logs = due.flatMap((log) => readLog(files, log) ?? []);
  // Unconfirmed facts stay as they are and don't cover any note.
  const confirmed = facts.filter(({ file }) => !isInferredFile(file));
  return {
    facts: confirmed,
    logs: logs.filter(isRead),
    kept: logs.flatMap((log) => (isRead(log) ? [] : log)),
  };
}

function printed({ facts, logs, kept }: Basis): string {
  const stated = facts.map(({ id, file, created_at, ended_at, superseded_by }) =>
    [id, file, created_at, ended_at === null, superseded_by].join(" "),
  );
  return JSON.stringify([stated.sort(), logs.map(({ path, content }) => [path, content]), kept]);
}

/** The workspace's notes come first, since a chat's notes are compared with the facts they became. */
async function planned(
  { warn }: FactWorkspace,
  { facts, logs }: Basis,
  strategy: CompactionStrategy,
  embedder: Embedder | null,
): Promise<PlannedTier[]> {
  const notes = logs.flatMap((log) => log.notes);
  // Embedding all at once is faster. Without vectors, words decide.
  await embedder?.embed(notes.map(({ text }) => text)).catch(() => []);
  const holding = facts.filter(({ ended_at }) => ended_at === null);
  let shared: readonly KnownFact[] = holding.filter((fact) => fact.chat === null);
  const tiers: PlannedTier[] = [];
  for (const chat of new Set(logs.map((log) => log.chat))) {
    const isOwn = (one: { readonly chat: string | null }) => one.chat === chat;
    const { steps, warnings } = await strategy.plan(notes.filter(isOwn).toSorted(byTime), {
      own: holding.filter(isOwn),
      above: chat === null ? [] : shared,
      ended: facts.filter((fact) => isOwn(fact) && fact.ended_at !== null),
    });
    for (const warning of warnings) warn(warning);
    if (chat === null) shared = afterSteps(shared, steps);
    tiers.push({ chat, steps });
  }
  return tiers;
}

function byTime(a: DueNote, b: DueNote): number {
  return Date.parse(a.at) - Date.parse(b.at);
}

function afterSteps(facts: readonly KnownFact[], steps: readonly Step[]): KnownFact[] {
  const left = new Map(facts.map((fact) => [fact.id, fact]));
  for (const step of steps) {
    if (step.kind !== "add") continue;
    for (const id of step.supersedes) left.delete(id);
    const id = factId(step.text, null);
    left.set(id, { id, text: step.text });
  }
  return [...left.values()];
}

/** The changed files and the report. Throws `conflict` if something would be lost. */
function drafted(
  { files, clock }: FactWorkspace,
  { facts, logs, kept }: Basis,
  tiers: readonly PlannedTier[],
  dryRun: boolean,
): { changes: ChangedFile[]; report: CompactionReport } {
  const removed = logs.map(({ path }) => path);
  const drafts = new Drafts(files);
  const replaced = draftPlan(files, drafts, tiers, removed, isoSeconds(clock()));
  const changes = drafts.changes();
  const notes = noteReports(
    logs.flatMap((log) => log.notes),
    tiers,
    replaced,
  );
  requireLossless({ before: statesOf(files, removed), changes, accounts: notes });
  const known = new Set(facts.filter(({ ended_at }) => ended_at === null).map(({ id }) => id));
  const report = {
    dry_run: dryRun,
    removed,
    kept: kept.map(({ path: log, why, lines }) => ({ log, why, lines })),
    notes,
    superseded: replaced.filter(({ id }) => known.has(id)),
    diff: diffOf(changes),
    hints: hintsOn(changes),
  };
  return { changes, report };
}

/** Skips unreadable files of facts: they aren't changed, so nothing in them can be lost. */
function statesOf(files: MemoryFiles, logs: readonly string[]): Map<string, string> {
  const states = new Map<string, string>();
  for (const { path } of files.scan()) {
    const kind = kindOfFile(path)?.kind;
    if (kind !== "facts" && kind !== "history" && !logs.includes(path)) continue;
    try {
      states.set(path, files.read(path)?.content ?? "");
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
    }
  }
  return states;
}
