/**
 * Removes a fact or a note everywhere, for good. The order is such that the same call finishes what a crash cut short:
 *
 *   0. All of this is done to the backups first, which are workspaces too.
 *   1. The database remembers, by id, that this was begun.
 *   2. Conversations lose the text.
 *   3. Under the lock every file loses it, each written by itself, durably; no undo keeps it. The file that the fact or note
 *      is known by comes last: until then it is found by its id, and with it the text.
 *   4. The rows follow, at the end of the lock.
 *   5. The database's file is written anew, so that nothing of what was deleted is left in it. That needs no text, so it
 *      can be done again when nothing knows the text any more.
 *   6. Every file is searched for the text. What still holds it is told, and only now is it said to be forgotten.
 */
import { RetainError } from "../../core/errors.ts";
import { HISTORIES } from "../../core/facts/memory-paths.ts";
import type { PastCommit } from "../../core/ports/traces.ts";
import { isoSeconds } from "../../util/text.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { forgottenEntry } from "../sync/history-file.ts";
import { syncFacts, writeDown } from "../sync/sync-facts.ts";
import { removeEverywhere, type Traces, tracesOf } from "./backups.ts";
import { type FilePlan, isInChange, type Left, planFiles, type Target } from "./files.ts";
import { targetOf } from "./find.ts";
import { withoutOwnMarks } from "./short.ts";
import { forgottenText } from "./text.ts";
import {
  commitsHolding,
  conversationsHolding,
  type Elsewhere,
  elsewhere,
  fileLines,
  rowCounts,
  stillHolding,
  stillNamed,
  type Trace,
} from "./traces.ts";

export interface ForgetOptions {
  /** The workspace that it is in, where both have one of this id. */
  origin?: FactWorkspace["origin"];
  /** Says where it is, and changes nothing. */
  dryRun?: boolean;
}

/** Nothing of it says what the text was. */
export interface Forgotten {
  readonly dry_run: boolean;
  /** What is gone or, in a dry run, would be: with the one that was named, others that say nothing else. */
  readonly forgotten: readonly {
    readonly id: string;
    readonly kind: "fact" | "note" | "document";
    readonly origin: FactWorkspace["origin"];
  }[];
  readonly places: readonly Trace[];
  /** Commits that still hold it: git's history is its owner's to rewrite. */
  readonly commits: readonly PastCommit[];
  /** What still holds it, or may. */
  readonly left: readonly Left[];
  readonly elsewhere: readonly Elsewhere[];
  /** Too short to be looked for in other texts: only what is its own goes. */
  readonly short: boolean;
}

/** By the id of a fact or note. Throws `not_found`, or why HISTORY.md cannot be read, with nothing changed; `io`, `locked`. */
export async function forget(
  workspaces: FactWorkspaces,
  id: string,
  { dryRun = false, origin }: ForgetOptions,
): Promise<Forgotten> {
  const wanted = workspaces.read.filter((workspace) => origin === undefined || workspace.origin === origin);
  for (const workspace of wanted) {
    const found = targetOf(workspace, id);
    if (found === null) continue;
    // Rows follow the histories: while one cannot be read they would stay, and go later, when nobody scrubs their bytes.
    for (const path of HISTORIES) workspace.files.read(path);
    const { target, memories } = found;
    const named = {
      forgotten: memories.map((memory) => ({ id: memory.id, kind: memory.kind, origin: memory.origin })),
      commits: commitsHolding(workspace, target),
      elsewhere: elsewhere(workspaces, workspace, target),
      short: target.isShort,
    };
    if (dryRun) return { dry_run: true, ...named, ...tracesOf(workspace, target) };
    const removed = await removeEverywhere(workspace, target, (one) => removeText(one, target));
    return { dry_run: false, ...named, ...removed };
  }
  const begun = wanted.find(({ traces }) => traces.scrub.unfinished().includes(id));
  if (begun !== undefined && !dryRun) return finish(begun, id);
  throw new RetainError(
    "not_found",
    `There is no fact or note ${JSON.stringify(id)}.`,
    "'retain facts --all' lists the facts, 'retain notes' the notes of a day.",
  );
}

/** Takes a text out of one workspace, for good. Throws `io` and `locked`; the same call goes on then. */
export async function removeText(workspace: FactWorkspace, target: Target): Promise<Traces> {
  const { scrub } = workspace.traces;
  const held = [...conversationsHolding(workspace, target), ...rowCounts(workspace, target)];
  await scrub.begin([...target.ids]);
  const plan = await inPart(() => takeOut(workspace, target));
  await inPart(() => workspace.syncDocuments());
  const problem = await scrub.clean();
  const known = new Map(plan.left.map((one) => [one.path, one]));
  const found = target.isShort
    ? stillNamed(workspace, target)
    : stillHolding(workspace, target.text, problem === null);
  const left = found.map((one) => known.get(one.path) ?? one);
  if (problem === null) await inPart(() => scrub.end());
  else left.push({ what: "database", path: scrub.name, why: `deleted rows may still be in it (${problem})` });
  return { places: [...fileLines(plan), ...held], left };
}

/** What fails from here on fails after something is gone: it says so, whatever the step says of itself. */
async function inPart<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof RetainError
      ? new RetainError(
          error.code,
          error.message,
          "It is forgotten in part. Mend this, then say it once more.",
        )
      : error;
  }
}

/** Out of conversations and files, and of the rows that follow from these. */
async function takeOut(workspace: FactWorkspace, target: Target): Promise<FilePlan> {
  const { traces, sessions, lock, files } = workspace;
  const { text, ids } = target;
  await sessions.rewrite((said) => (target.isShort ? withoutOwnMarks(said, target) : text.without(said)));
  return lock.exclusively(() => {
    syncFacts(workspace);
    const plan = planFiles(traces, target);
    files.dropChanges((record) => isInChange(record, target));
    for (const { path, after } of plan.changes) traces.tree.write(path, after);
    if (!target.isShort) writeForgotten(workspace, [...ids]);
    syncFacts(workspace);
    traces.scrub.drop(text.holds, [...ids]);
    return plan;
  });
}

/** The id of a short text would give it away: few texts are that short. A note cannot come back as a fact. */
function writeForgotten(workspace: FactWorkspace, ids: readonly string[]): void {
  const at = isoSeconds(workspace.clock());
  writeDown(
    workspace,
    ids.filter((id) => !isNoteId(id)).map((id) => forgottenEntry(id, at)),
  );
}

function isNoteId(id: string): boolean {
  return id.includes("#");
}

/** What was begun before: no file knows the text any more, only the database's own file may. */
async function finish(workspace: FactWorkspace, id: string): Promise<Forgotten> {
  const nothing = forgottenText([]);
  const target = { ids: new Set([id]), text: nothing, own: nothing, isShort: false, last: "" };
  const rest = await removeText(workspace, target);
  const gone = { id, kind: isNoteId(id) ? ("note" as const) : ("fact" as const), origin: workspace.origin };
  return { dry_run: false, forgotten: [gone], commits: [], elsewhere: [], short: false, ...rest };
}
