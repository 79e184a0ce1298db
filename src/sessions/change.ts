/** Renames, tags and deletes sessions. */

import { isNewName, nameKey } from "../core/documents/names.ts";
import { RetainError } from "../core/errors.ts";
import { workingPath } from "../core/facts/memory-paths.ts";
import { command, hint, option } from "../core/hint.ts";
import type { Clock } from "../core/ports/documents.ts";
import { findSecrets } from "../core/secrets/secrets.ts";
import type { SessionSummary } from "../core/sessions/conversation.ts";
import { isoSeconds } from "../util/days.ts";
import { shownProcess } from "../util/process.ts";
import { oneLine } from "../util/text.ts";
import { type FindOptions, findSession } from "./find.ts";
import type { OwnedSession, SessionWorkspace, SessionWorkspaces } from "./ports.ts";

const LONGEST_NAME = 200;

export interface TagChange {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** Throws `invalid_input` for an empty or too long title, `secret`, and like `findSession`. */
export async function renameSession(
  workspaces: SessionWorkspaces,
  id: string,
  said: string,
  where: FindOptions = {},
): Promise<OwnedSession> {
  const title = checkedText("title", said);
  const { workspace, session } = findSession(workspaces, id, where);
  await workspace.sessions.change(session.id, { title });
  return { ...session, title };
}

/** Tags are compared case-insensitively. Throws like `renameSession`. */
export async function tagSession(
  workspaces: SessionWorkspaces,
  id: string,
  { add = [], remove = [] }: TagChange,
  where: FindOptions = {},
): Promise<OwnedSession> {
  const added = add.map((tag) => checkedText("tag", tag));
  const removed = new Set(remove.map((tag) => nameKey(tag.trim())));
  const { workspace, session } = findSession(workspaces, id, where);
  const all = [...session.tags, ...added];
  const isFirst = (tag: string, at: number) => all.findIndex((one) => nameKey(one) === nameKey(tag)) === at;
  const tags = all.filter((tag, at) => isFirst(tag, at) && !removed.has(nameKey(tag)));
  await workspace.sessions.change(session.id, { tags });
  return { ...session, tags };
}

function checkedText(what: "title" | "tag", said: string): string {
  const text = oneLine(said).trim();
  if (text === "" || Array.from(text).length > LONGEST_NAME)
    throw new RetainError(
      "invalid_input",
      text === "" ? `The ${what} is empty.` : `A ${what} may have at most ${LONGEST_NAME} characters.`,
      "Nothing was changed.",
    );
  const [secret] = findSecrets(text);
  if (secret !== undefined)
    throw new RetainError("secret", `Not saved: it contains ${secret.what}.`, "Remove it, then try again.");
  return text;
}

export interface RemoveOptions extends FindOptions {
  /** Only return the session that would be removed. */
  dryRun?: boolean;
  /** Remove it even if another process seems to have it open, such as on a machine that is gone or was renamed. */
  force?: boolean;
}

/**
 * Removes it permanently, here and from a backend, with its working memory. Throws `conflict` if another process has it open,
 * `remote` if the backend fails, and like `findSession`; then nothing was removed here.
 */
export async function removeSession(
  workspaces: SessionWorkspaces,
  id: string,
  { dryRun, force = false, ...where }: RemoveOptions,
): Promise<OwnedSession> {
  const { workspace, session } = findSession(workspaces, id, where);
  const holder = session.openedBy;
  if (!force && isOpenElsewhere(workspaces, session))
    throw new RetainError(
      "conflict",
      `Not deleted: session ${session.id} is open in another process (${shownProcess(holder ?? "")}).`,
      hint`Close it there first. If that process is gone: ${command("sessions delete", session.id, option("force"))}`,
    );
  if (dryRun) return session;
  await removeFrom(workspace, [session], workspaces.clock);
  return session;
}

/**
 * Removes sessions without messages since `before`, as `removeSession` does; skips those that another process has open. Returns the
 * removed ones, or in a dry run those it would remove, oldest first.
 */
export async function pruneSessions(
  workspaces: SessionWorkspaces,
  before: Date,
  { dryRun = false, chat }: { dryRun?: boolean; chat?: string },
): Promise<OwnedSession[]> {
  const pruned: OwnedSession[] = [];
  for (const workspace of workspaces.read) {
    const { origin, sessions } = workspace;
    const old = sessions
      .list({ chat })
      .filter(
        (session) =>
          Date.parse(session.updated_at) < before.getTime() && !isOpenElsewhere(workspaces, session),
      );
    if (!dryRun && old.length > 0) await removeFrom(workspace, old, workspaces.clock);
    pruned.push(...old.map((session) => ({ ...session, origin })));
  }
  return pruned.sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1));
}

function isOpenElsewhere(workspaces: SessionWorkspaces, { openedBy }: SessionSummary): boolean {
  return openedBy !== null && openedBy !== workspaces.self && !workspaces.isGone(openedBy);
}

async function removeFrom(
  workspace: SessionWorkspace,
  sessions: readonly SessionSummary[],
  clock: Clock,
): Promise<void> {
  for (const { id } of sessions) await removeCopy(workspace, id);
  for (const { id } of sessions) {
    await removeWorking(workspace, id, clock().toISOString());
    await workspace.sessions.remove(id);
  }
  const { lock, files } = workspace;
  // Permanent; without a record, `undo` would undo the change before it.
  await lock.exclusively(() => files.recordChange("sessions delete", isoSeconds(clock()), {}));
  await workspace.purge();
}

/** Runs before anything is removed here, so that a failure leaves a session that can be deleted again. */
async function removeCopy(workspace: SessionWorkspace, session: string): Promise<void> {
  try {
    await workspace.removeCopy(session);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    throw new RetainError(error.code, `Not deleted: session ${session}. ${error.message}`, error.advice);
  }
}

/** Runs before the session itself is removed: after a crash in between, the same call finishes the job. */
async function removeWorking({ files, lock }: SessionWorkspace, session: string, at: string): Promise<void> {
  if (!isNewName("id", session)) return;
  const path = workingPath(session);
  if (files.read(path) === null) return;
  await lock.exclusively(() => {
    if (files.unfinished) files.recover();
    const before = files.read(path)?.content ?? null;
    files.change("sessions delete", at, [{ path, before, after: null }]);
    // Otherwise undo would restore the working memory of a deleted session.
    const [change] = files.changes();
    if (change?.at === at) files.dropChange(change.number);
  });
}
