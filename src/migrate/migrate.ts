/**
 * Imports another system's memory. Recognises the contents of a directory and stores them with the same use cases as Retain's own
 * memory. Only reads the directory. Everything reported as imported is stored, and a second run recognises it.
 */
import { join, resolve } from "node:path";
import { RetainError, requireText } from "../core/errors.ts";
import { command, hint, option, slot } from "../core/hint.ts";
import { vectorsOnce } from "../core/vectors-once.ts";
import { isInside } from "../util/fs.ts";
import { importDocuments } from "./documents.ts";
import { withoutWriting } from "./dry-run.ts";
import { reportLeftovers } from "./left.ts";
import { importMemories } from "./memories.ts";
import type { Migration, MigrationPorts } from "./ports.ts";
import { type Found, recognise } from "./recognise.ts";
import { type MigrationReport, Outcomes } from "./report.ts";
import { importSessions } from "./sessions.ts";
import { importInstructions } from "./single-files.ts";
import { Source } from "./source.ts";

export interface MigrateOptions {
  /** Report what would be imported, without changing anything. */
  dryRun?: boolean;
  /** Replace documents that differ, keeping a version. */
  overwrite?: boolean;
  /** Called with progress. */
  progress?: Migration["progress"];
}

/**
 * Items that cannot be imported are in the report; the rest is still imported. Throws `not_found` if nothing is recognised, `usage`
 * for the workspace itself, `io` or `locked` if it cannot be written; items imported by then stay.
 */
export async function migrate(
  ports: MigrationPorts,
  directory: string,
  { dryRun: isDry = false, overwrite = false, progress = () => {} }: MigrateOptions = {},
): Promise<MigrationReport> {
  requireText(directory, "A directory");
  const source = new Source(resolve(ports.cwd, directory), ports.documents.settings.max_document_bytes);
  const found = recognise(source);
  requireSomething(source, found);
  requireOthers(ports, source, found);
  const outcomes = new Outcomes();
  const target = isDry ? withoutWriting(ports) : ports;
  const embedders = ports.embedders.map(vectorsOnce);
  const migration: Migration = { ...target, embedders, source, outcomes, isDry, overwrite, progress };
  const chats = chatsIn(source, found);
  for (const part of found) {
    if (part.kind === "sessions") await importSessions(migration, { ...part, chats });
    else if (part.kind === "memories") await importMemories(migration, part.path);
    else if (part.kind === "instructions") await importInstructions(migration, part.path);
    else await importDocuments(migration, part);
  }
  reportLeftovers(source, found, outcomes);
  return {
    directory: source.directory,
    workspace: ports.root,
    dry_run: isDry,
    found: found.map(({ kind, path }) => ({ kind, path: path === "" ? "." : path })),
    counts: outcomes.counts(),
    items: outcomes.items,
    left: outcomes.left,
  };
}

function chatsIn(source: Source, found: readonly Found[]): Set<string> {
  const memories = found.filter(({ kind }) => kind === "memories");
  return new Set(memories.flatMap(({ path }) => source.entries(join(path, "chats")).map(({ name }) => name)));
}

function requireSomething({ directory }: Source, found: readonly Found[]): void {
  if (found.length > 0) return;
  throw new RetainError(
    "not_found",
    `Nothing to import in ${directory}.`,
    hint`Pass a directory with sessions, memories or collections. For other Markdown files: ${command("put", slot("folder"))}`,
  );
}

/** Importing a workspace into itself would read files while they are written. */
function requireOthers({ own }: MigrationPorts, source: Source, found: readonly Found[]): void {
  const part = found.find(({ path }) => own.some((directory) => isInside(directory, source.full(path))));
  if (part === undefined) return;
  throw new RetainError(
    "usage",
    `${source.full(part.path)} is part of the workspace to import into.`,
    hint`Pass another directory, or choose another workspace with ${option("global")} or ${option("local")}.`,
  );
}
