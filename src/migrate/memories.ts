/** Imports a memories directory in the layout of specs 000 and 004. Facts come first, since the rest builds on them. */
import { join } from "node:path";
import { hasGitConflict } from "../core/documents/git-conflict.ts";
import { RetainError } from "../core/errors.ts";
import { type FactAdded, parseHistory } from "../core/facts/history.ts";
import { checked, factsPath, HISTORY, kindOfFile } from "../core/facts/memory-paths.ts";
import { currentFacts } from "../facts/sync/sync-facts.ts";
import { type FactFile, importFacts, LABEL } from "./facts.ts";
import { importLogs, type LogFile } from "./logs.ts";
import { type CopiedFile, importFile } from "./memory-files.ts";
import type { Migration } from "./ports.ts";
import { isMarkdownFile } from "./recognise.ts";
import type { Outcomes } from "./report.ts";
import { importWorking } from "./single-files.ts";

/** A file's text and its target. */
interface ReadFile extends FactFile {
  readonly target: string;
}

interface Sorted {
  readonly facts: ReadFile[];
  readonly others: ReadFile[];
  readonly logs: LogFile[];
  readonly working: (ReadFile & { session: string; changedAt: Date })[];
}

export async function importMemories(migration: Migration, folder: string): Promise<void> {
  const { facts, others, logs, working } = sorted(migration, folder);
  const own = currentFacts(migration.workspace).filter(
    ({ ended_at, source }) => ended_at === null && source.by !== LABEL,
  );
  const before = new Map(own.map((fact) => [fact.id, fact]));
  const recorded = recordedIn(migration, folder);
  for (const file of facts) await importFacts(migration, file, before, recorded);
  const copied: CopiedFile[] = [
    ...facts.map((file) => ({ ...file, isMemory: true })),
    ...others.map((file) => ({ ...file, isMemory: false })),
  ];
  for (const file of copied) await importFile(migration, file);
  await importLogs(migration, logs);
  for (const file of working) await importWorking(migration, file);
}

/** The facts that a workspace of Retain recorded, each with its last entry. Empty if HISTORY.md is missing or unreadable. */
function recordedIn({ source, outcomes }: Migration, folder: string): ReadonlyMap<string, FactAdded> {
  try {
    const path = join(folder, HISTORY);
    const added = parseHistory(source.markdown(path)).filter((entry) => entry.kind === "added");
    if (added.length > 0) outcomes.leave(path, "only the dates and keys of current facts are imported");
    return new Map(added.map((entry) => [entry.id, entry]));
  } catch (error) {
    if (error instanceof RetainError) return new Map();
    throw error;
  }
}

/** Sorts the files by kind. */
function sorted(migration: Migration, folder: string): Sorted {
  const { source, outcomes } = migration;
  const files: Sorted = { facts: [], others: [], logs: [], working: [] };
  for (const { path, target } of filesIn(migration, folder)) {
    const kind = kindOfFile(target);
    if (kind === null || kind.kind === "history" || kind.kind === "model") continue;
    try {
      const content = source.markdown(path);
      if (hasGitConflict(content)) throw inConflict();
      const chat = "chat" in kind ? kind.chat : null;
      const read = { file: path, content, chat, target };
      if (kind.kind === "log") files.logs.push({ ...read, day: kind.day });
      else if (kind.kind === "working")
        files.working.push({ ...read, session: kind.session, changedAt: source.changedAt(path) });
      else if (target === factsPath(chat)) files.facts.push(read);
      else files.others.push(read);
    } catch (error) {
      outcomes.failed({ kind: "files", name: target, file: path }, error);
    }
  }
  return files;
}

/** Importing unresolved conflicts would turn both sides, and git's markers, into facts. */
function inConflict(): RetainError {
  return new RetainError(
    "invalid_input",
    "It contains unresolved git conflicts.",
    "Resolve them, then run this again.",
  );
}

/** Markdown files at the top, of each chat, and of working memory, with their paths below memories/. */
function filesIn({ source, outcomes }: Migration, folder: string): { path: string; target: string }[] {
  const below = (directory: string) =>
    source
      .entries(join(folder, directory))
      .filter(isMarkdownFile)
      .map(({ path, name }) => ({ path, target: join(directory, name) }));
  const chats = source.entries(join(folder, "chats")).filter(({ kind }) => kind === "directory");
  const named = chats.filter(({ name, path }) => isChat(name, path, outcomes));
  return [...below(""), ...named.flatMap(({ name }) => below(join("chats", name))), ...below("working")];
}

function isChat(name: string, path: string, outcomes: Outcomes): boolean {
  try {
    checked("chat", name);
    return true;
  } catch (error) {
    outcomes.failed({ kind: "files", name, file: path }, error);
    return false;
  }
}
