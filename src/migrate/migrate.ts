/**
 * Takes over the memory of another system: what a directory holds is recognised by what is there, and goes the ways that the
 * product's own memories go. The directory is only read. What is reported as taken over is stored, and a second run finds it.
 */
import { join, resolve } from "node:path";
import { RetainError } from "../core/errors.ts";
import { vectorsOnce } from "../core/vectors-once.ts";
import { requireText } from "../facts/write/guard.ts";
import { isInside } from "../util/fs.ts";
import { takeDocuments } from "./documents.ts";
import { withoutWriting } from "./dry-run.ts";
import { tellLeft } from "./left.ts";
import { takeMemories } from "./memories.ts";
import type { Migration, MigrationPorts } from "./ports.ts";
import { type Found, recognise } from "./recognise.ts";
import { type MigrationReport, Telling } from "./report.ts";
import { takeSessions } from "./sessions.ts";
import { takeInstructions } from "./single-files.ts";
import { Source } from "./source.ts";

export interface MigrateOptions {
  /** Tell what would be taken over, and change nothing. */
  dryRun?: boolean;
  /** Put documents in the place of those that say something else; a version of these is kept. */
  overwrite?: boolean;
  /** Told how many of a kind are done, where there are many. */
  progress?: Migration["progress"];
}

/**
 * What cannot be taken over is in the report and stops nothing else. Throws `not_found` where there is nothing that is known,
 * `usage` for the workspace itself, `io` or `locked` where it cannot be written: what was taken over by then stays.
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
  const telling = new Telling();
  const target = isDry ? withoutWriting(ports) : ports;
  const embedders = ports.embedders.map(vectorsOnce);
  const migration: Migration = { ...target, embedders, source, telling, isDry, overwrite, progress };
  const chats = chatsIn(source, found);
  for (const part of found) {
    if (part.kind === "sessions") await takeSessions(migration, { ...part, chats });
    else if (part.kind === "memories") await takeMemories(migration, part.path);
    else if (part.kind === "instructions") await takeInstructions(migration, part.path);
    else await takeDocuments(migration, part);
  }
  tellLeft(source, found, telling);
  return {
    directory: source.directory,
    workspace: ports.root,
    dry_run: isDry,
    found: found.map(({ kind, path }) => ({ kind, path: path === "" ? "." : path })),
    counts: telling.counts(),
    items: telling.items,
    left: telling.left,
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
    `There is nothing in ${directory} that can be taken over.`,
    "Name one with sessions, memories or collections; any other folder of Markdown: retain put <folder>",
  );
}

/** A workspace is not taken over into itself: its files would be read while they are written. */
function requireOthers({ own }: MigrationPorts, source: Source, found: readonly Found[]): void {
  const part = found.find(({ path }) => own.some((directory) => isInside(directory, source.full(path))));
  if (part === undefined) return;
  throw new RetainError(
    "usage",
    `${source.full(part.path)} is part of the workspace that it would be taken over into.`,
    "Name another directory, or another workspace with --global or --local.",
  );
}
