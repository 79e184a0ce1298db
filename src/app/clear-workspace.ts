/**
 * Clears a workspace under its lock, in this order, so that after an interruption everything removed is in the backup:
 *
 *   1. Back up every file, complete and flushed. A project's conversations, and their backup, are in the home workspace.
 *   2. Delete the rows, in a transaction that isn't committed yet.
 *   3. Delete the files and record the change, so that `undo` doesn't revert an older one at home. Then commit the transaction.
 *   4. Rewrite the database file, so that it contains no deleted data.
 */
import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { LocalWorkspace } from "../backends/local.ts";
import type { Workspace } from "../config/workspace.ts";
import { ioError, RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import type { Cleared } from "../core/ports/backend.ts";
import { CLEAR, isPermanent } from "../facts/undo.ts";
import { makeBackup } from "../files/backups.ts";
import { type BankFiles, bankFiles, removeBankFiles } from "../files/bank-files.ts";
import type { SessionWorkspaces } from "../sessions/ports.ts";
import { conversationsIn, emptyTables } from "../sqlite/database/empty.ts";
import { isoSeconds } from "../util/days.ts";
import { plural } from "../util/in-words.ts";
import { shownProcess } from "../util/process.ts";
import { shellWord } from "../util/shell-word.ts";

export interface ClearedWorkspace extends Cleared {
  /** The backup's path; null if there was nothing to clear. */
  readonly backup: string | null;
  /** A shell command that restores it; null if there was nothing to clear. */
  readonly undo: string | null;
}

/** This process, and which processes have ended. */
type Clearing = Pick<SessionWorkspaces, "self" | "isGone">;

/** Throws `io`, `locked`, `unsafe`, and `conflict` if another process has one of its conversations open. */
export async function clearWorkspace(
  workspace: Workspace,
  local: Pick<LocalWorkspace, "lock" | "traces" | "sessions" | "memoryFiles">,
  clearing: Clearing,
  now: Date,
): Promise<ClearedWorkspace> {
  const { root, collections } = workspace;
  const { sessions, memoryFiles } = local;
  if (!existsSync(root) && sessions.paths().length === 0) return NOTHING;
  sessions.sync();
  let backup: string | null = null;
  let elsewhere: string | null = null;
  const time = now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  const removed = await trying(
    root,
    () => backup,
    () =>
      local.lock.transaction((rows) => {
        const files = bankFiles(root, collections);
        const conversations = conversationsIn(rows);
        const kept = keptFiles(files);
        const records = memoryFiles.changes().filter(isPermanent);
        // All that is left of an earlier clearing.
        if (kept.length === records.length && conversations.length === 0) return null;
        refuseOpen(conversations, clearing);
        const isHere = sessions.root === root;
        if (!isHere && conversations.length > 0)
          elsewhere = makeBackup(sessions.root, sessions.paths(), time);
        backup = makeBackup(root, [...kept, ...(isHere ? sessions.paths() : [])], time);
        emptyTables(rows);
        sessions.removeFiles();
        removeBankFiles(root, [...kept, ...files.leftovers]);
        memoryFiles.recordChange(CLEAR, isoSeconds(now), {});
        return { files, conversations: conversations.length };
      }),
  );
  if (removed === null || backup === null) return NOTHING;
  const problem = await local.traces.scrub.clean();
  return {
    done: doneWith(removed.files, removed.conversations),
    left: leftOf(workspace, local, removed.files, problem),
    backup,
    undo: [
      commandToUndo(workspace, backup),
      ...(elsewhere === null ? [] : [copyBack(sessions.root, elsewhere)]),
    ].join(" && "),
  };
}

const NOTHING: ClearedWorkspace = { done: [], left: [], backup: null, undo: null };

/** Deletes the database first: it is a cache, and is rebuilt. */
function commandToUndo({ root, database }: Workspace, backup: string): string {
  const name = basename(database);
  return copyBack(root, backup, `rm -f ${name} ${name}-wal ${name}-shm && `);
}

function copyBack(root: string, backup: string, before = ""): string {
  return `(cd ${shellWord(root)} && ${before}cp -Rp ${shellWord(`${relative(root, backup)}/.`)} .)`;
}

function refuseOpen(conversations: ReturnType<typeof conversationsIn>, { self, isGone }: Clearing): void {
  const open = conversations.find(
    ({ openedBy }) => openedBy !== null && openedBy !== self && !isGone(openedBy),
  );
  if (open === undefined) return;
  throw new RetainError(
    "conflict",
    `The session ${open.id} is open in another process (${shownProcess(open.openedBy ?? "")}). Nothing was cleared.`,
    hint`Close it there first. If that process no longer runs: ${command("sessions delete", open.id, option("force"))}`,
  );
}

function keptFiles({ documents, versions, memories, others }: BankFiles): string[] {
  return [...documents, ...versions, ...memories, ...others];
}

/** After an error the backup stays, and the next `clear` finishes. */
async function trying<T>(root: string, backup: () => string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = ioError(error, `Cannot clear ${root}`);
    const made = backup();
    if (made === null || !(failure instanceof RetainError)) throw failure;
    throw new RetainError(
      failure.code,
      failure.message,
      `The backup is in ${made}. Fix the problem, then run the command again.`,
    );
  }
}

function doneWith({ documents, versions, memories }: BankFiles, conversations: number): string[] {
  const of = versions.length === 0 ? "" : ` with ${plural(versions.length, "version")} of them`;
  return [
    ...(documents.length + versions.length === 0
      ? []
      : [`Removed ${plural(documents.length, "document")}${of}.`]),
    ...(memories.length === 0 ? [] : [`Removed ${plural(memories.length, "memory file")}.`]),
    ...(conversations === 0 ? [] : [`Removed ${plural(conversations, "conversation")}.`]),
  ];
}

function leftOf(
  { root, database }: Workspace,
  { traces }: Pick<LocalWorkspace, "traces">,
  { strange }: BankFiles,
  problem: string | null,
): string[] {
  const [first] = strange;
  return [
    ...(first === undefined
      ? []
      : [
          `${plural(strange.length, "other file or link was", "other files or links were")} not removed, such as ${join(root, first)}.`,
        ]),
    ...(traces.past === null ? [] : ["Committed files are still in git's history."]),
    ...(problem === null ? [] : [`Deleted rows may still be in ${database} (${problem}).`]),
  ];
}
