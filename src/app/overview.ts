/** What is stored, what was learned when, and what is recalled: numbers of the workspaces that are read. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { LocalWorkspace } from "../backends/local.ts";
import { isInferredFile } from "../core/facts/memory-paths.ts";
import type { Origin } from "../core/memory.ts";
import type { Facts } from "../facts/facts.ts";
import type { OwnedFact } from "../facts/list-facts.ts";
import type { IndexCounts } from "../sqlite/database/care.ts";
import type { RecallCounts, RecalledMemory } from "../sqlite/search/recalls.ts";
import { localDay } from "../util/days.ts";
import { isAbsence } from "../util/fs.ts";
import { syncWorkspaces } from "./index/update-index.ts";
import type { Wiring } from "./wiring.ts";

/** The facts that were first noted on a day, including those that have ended since. */
export interface DayLearned {
  /** "2026-11-15" */
  readonly day: string;
  /** Said or saved on purpose, or confirmed. */
  readonly facts: number;
  readonly unconfirmed: number;
}

export interface WorkspaceSize {
  readonly origin: Origin;
  readonly root: string;
  readonly counts: IndexCounts;
  readonly bytes: {
    readonly documents: number;
    /** Facts, notes and working memory, with their history. */
    readonly memories: number;
    readonly conversations: number;
    readonly index: number;
  };
}

export interface Overview {
  /** Oldest first. Days without new facts are left out. */
  readonly learned: readonly DayLearned[];
  readonly recalls: RecallCounts;
  /** Nearest first. */
  readonly workspaces: readonly WorkspaceSize[];
}

/** The length of each list. */
const LISTED = 8;

export async function overviewOf({ facts }: { readonly facts: Facts }, wiring: Wiring): Promise<Overview> {
  await syncWorkspaces(wiring);
  const all = await facts.list({ which: "all" });
  const locals = wiring.readWorkspaces();
  return {
    learned: learnedByDay(all),
    recalls: together(locals.map(({ log }) => log.counts(LISTED))),
    workspaces: locals.map(sizeOf),
  };
}

function learnedByDay(facts: readonly OwnedFact[]): DayLearned[] {
  const days = Map.groupBy(facts, ({ created_at }) => localDay(created_at));
  return [...days]
    .map(([day, its]) => {
      const unconfirmed = its.filter(({ file }) => isInferredFile(file)).length;
      return { day, facts: its.length - unconfirmed, unconfirmed };
    })
    .sort((a, b) => a.day.localeCompare(b.day));
}

function together(counts: readonly RecallCounts[]): RecallCounts {
  const all = (list: (one: RecallCounts) => readonly RecalledMemory[]) => counts.flatMap(list);
  return {
    most: all(({ most }) => most)
      .sort((a, b) => b.count - a.count)
      .slice(0, LISTED),
    never: counts.reduce((sum, { never }) => sum + never, 0),
    oldestNever: all(({ oldestNever }) => oldestNever)
      .sort((a, b) => a.at.localeCompare(b.at))
      .slice(0, LISTED),
  };
}

function sizeOf({ origin, workspace, care, sessions }: LocalWorkspace): WorkspaceSize {
  const { root, database } = workspace;
  return {
    origin,
    root,
    counts: care.counts(),
    bytes: {
      documents: care.documentBytes(),
      memories: bytesBelow(join(root, "memories")),
      conversations: bytesBelow(sessions.directory),
      index: bytesOf(database) + bytesOf(`${database}-wal`),
    },
  };
}

function bytesBelow(directory: string): number {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + bytesOf(join(parentPath, name)), 0);
  } catch (error) {
    if (isAbsence(error)) return 0;
    throw error;
  }
}

/** 0 if it is gone. */
function bytesOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
