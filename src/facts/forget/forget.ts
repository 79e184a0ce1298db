/**
 * Permanently removes a fact or note everywhere. The order lets a repeated call finish after a crash:
 *
 *   0. Do all of this to the backups first, which are workspaces too.
 *   1. Record the id in the database as unfinished.
 *   2. Remove the text from conversations.
 *   3. Under the lock, remove it from every file, one durable write each, and from the undo journal. The file that identifies the
 *      fact or note comes last: until then, its id still leads to the text.
 *   4. Remove the rows, before the lock is released.
 *   5. Rewrite the database's file so that no deleted bytes remain. This doesn't need the text, so it can be repeated when nothing
 *      has the text any more.
 *   6. Search every file for the text and report what still contains it. Only now is it reported as forgotten.
 */
import { RetainError } from "../../core/errors.ts";
import { HISTORIES } from "../../core/facts/memory-paths.ts";
import { command, hint, option } from "../../core/hint.ts";
import type { Origin } from "../../core/memory.ts";
import type { PastCommit } from "../../core/ports/traces.ts";
import { isoSeconds } from "../../util/days.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { forgottenEntry } from "../sync/history-file.ts";
import { currentFacts, syncFacts, writeDown } from "../sync/sync-facts.ts";
import { backupsOf, removeEverywhere, type Traces, together, tracesOf } from "./backups.ts";
import {
  type FilePlan,
  isInChange,
  type Left,
  makeChange,
  planFiles,
  type Target,
  textTarget,
} from "./files.ts";
import { targetOf } from "./find.ts";
import { isLongEnoughToSearch, withoutOwnMarks } from "./short.ts";
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
  /** Where to forget it, if several have this id. By default in a workspace, otherwise in a server's bank. */
  origin?: Origin;
  /** Report where it is without changing anything. */
  dryRun?: boolean;
}

/** Where a memory that another machine sent was forgotten; that machine still has it. */
export const HOSTED_INDEX = "hosted index";

/** Never contains the forgotten text. */
export interface Forgotten {
  readonly dry_run: boolean;
  /** What was removed (or would be, in a dry run): the named one, and others that say nothing else. */
  readonly forgotten: readonly {
    readonly id: string;
    readonly kind: "fact" | "note" | "document" | "message";
    readonly origin: Origin;
    /** The facts that it had replaced. They stay ended, since nothing says that they are true again. */
    readonly replaced?: readonly { readonly id: string; readonly text: string }[];
  }[];
  readonly places: readonly Trace[];
  /** Commits that still contain it. Retain never rewrites git's history. */
  readonly commits: readonly PastCommit[];
  /** What still contains it, or may. */
  readonly left: readonly Left[];
  readonly elsewhere: readonly Elsewhere[];
  /** Too short to search for in other texts: only its own bullets, notes and rows are removed. */
  readonly short: boolean;
}

/**
 * By the id of a fact or note. With nothing changed, throws `not_found`, `remote`, or why HISTORY.md can't be read. Throws `io`,
 * `locked`.
 */
export async function forget(
  workspaces: FactWorkspaces,
  id: string,
  { dryRun = false, origin }: ForgetOptions,
): Promise<Forgotten> {
  const wanted = workspaces.read.filter((workspace) => origin === undefined || workspace.origin === origin);
  for (const workspace of wanted) {
    const found = targetOf(workspace, id);
    if (found === null) continue;
    // Rows are derived from the histories. If one can't be read, its rows would be deleted later, without scrubbing their bytes.
    for (const path of HISTORIES) workspace.files.read(path);
    const { target, memories } = found;
    const replacedBy = Map.groupBy(currentFacts(workspace), ({ superseded_by }) => superseded_by);
    const named = {
      forgotten: memories.map(({ id, kind, origin }) => {
        const replaced = (replacedBy.get(id) ?? [])
          .filter(({ text }) => !target.text.holds(text))
          .map(({ id, text }) => ({ id, text }));
        return { id, kind, origin, ...(replaced.length > 0 && { replaced }) };
      }),
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
  const inBank =
    origin === undefined || origin === "bank" ? await forgetInBank(workspaces, id, dryRun) : null;
  if (inBank !== null) return inBank;
  throw new RetainError(
    "not_found",
    `There is no fact or note ${JSON.stringify(id)}.`,
    hint`To list facts: ${command("facts", option("all"))}. To list the notes of a day: ${command("notes")}`,
  );
}

/**
 * Forgets a memory of a server's bank or a hosted index: there first, so that nothing changes here if the server doesn't answer, then its copies on
 * this machine. null if the server has none with this id.
 */
async function forgetInBank(
  workspaces: FactWorkspaces,
  id: string,
  dryRun: boolean,
): Promise<Forgotten | null> {
  const { remote, shared, read } = workspaces;
  const inBank = (await remote?.statement(id)) ?? null;
  const statement = inBank ?? (await shared?.statement(id)) ?? null;
  const server = inBank === null ? shared : remote;
  if (server === null || statement === null) return null;
  const { text } = statement;
  const target = textTarget(isLongEnoughToSearch(text) ? [text] : []);
  const copies = read
    .map((workspace) => ({ workspace, traces: tracesOf(workspace, target) }))
    .filter(({ traces }) => traces.places.length > 0);
  const named = {
    forgotten: [{ id, kind: "fact", origin: "bank" }] as const,
    commits: copies.flatMap(({ workspace }) => commitsHolding(workspace, target)),
    elsewhere: [],
    short: text !== "" && !isLongEnoughToSearch(text),
  };
  const there = { places: [{ what: server === remote ? "bank" : HOSTED_INDEX, path: id }], left: [] };
  if (dryRun) return { dry_run: true, ...named, ...together([there, ...copies.map(({ traces }) => traces)]) };
  if (!(await server.forget(id))) return null;
  const here: Traces[] = [];
  for (const { workspace } of copies)
    here.push(
      await orLeft(
        workspace,
        removeEverywhere(workspace, target, (one) => removeText(one, target)),
      ),
    );
  return { dry_run: false, ...named, ...together([there, ...here]) };
}

/** The bank no longer has the id, so the call can't be repeated: what failed is reported instead. */
async function orLeft({ origin }: FactWorkspace, work: Promise<Traces>): Promise<Traces> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    const why = `${error.message} Fix this, then forget its words here`;
    return { places: [], left: [{ what: "workspace", path: origin, why }] };
  }
}

/** Permanently removes a text from one workspace. Throws `io` and `locked`; repeating the call continues. */
export async function removeText(workspace: FactWorkspace, target: Target): Promise<Traces> {
  const { scrub } = workspace.traces;
  const held = [...conversationsHolding(workspace, target), ...rowCounts(workspace, target)];
  await scrub.begin([...target.ids]);
  const plan = await inPart(() => takeOut(workspace, target));
  await inPart(() => workspace.documents.sync());
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

/** From here on, a failure leaves the text partly removed, so the hint says so. */
async function inPart<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof RetainError
      ? new RetainError(
          error.code,
          error.message,
          "Only partly forgotten. Fix the problem, then run the same command again.",
        )
      : error;
  }
}

/** Removes the text from conversations, files and their rows. */
async function takeOut(workspace: FactWorkspace, target: Target): Promise<FilePlan> {
  const { traces, sessions, lock, files } = workspace;
  const { text, ids } = target;
  await sessions.rewrite((said) => (target.isShort ? withoutOwnMarks(said, target) : text.without(said)));
  return lock.exclusively(() => {
    syncFacts(workspace);
    const plan = planFiles(traces, target);
    files.dropChanges((record) => isInChange(record, target));
    for (const change of plan.changes) makeChange(traces.tree, change, target);
    if (!target.isShort) writeForgotten(workspace, [...ids]);
    syncFacts(workspace);
    traces.scrub.drop(text.holds, [...ids]);
    return plan;
  });
}

/** Not for short texts, whose id could be reversed by guessing; nor for notes, which can't come back as facts. */
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

/** One report of several calls. */
export function combined(all: readonly Forgotten[]): Forgotten {
  return {
    dry_run: all.some(({ dry_run }) => dry_run),
    forgotten: all.flatMap(({ forgotten }) => forgotten),
    ...together(all),
    commits: [...new Map(all.flatMap(({ commits }) => commits.map((one) => [one.commit, one]))).values()],
    elsewhere: all.flatMap((one) => one.elsewhere),
    short: all.some(({ short }) => short),
  };
}

/** For words that no memory contains: erases those of removed memories from the databases. */
export async function eraseRemoved({ read }: FactWorkspaces): Promise<void> {
  for (const workspace of read.flatMap((one) => [one, ...backupsOf(one)])) {
    await workspace.documents.sync();
    await workspace.purge();
  }
}

/** Finishes an interrupted call: no file has the text any more; only the database's bytes may. */
async function finish(workspace: FactWorkspace, id: string): Promise<Forgotten> {
  const rest = await removeText(workspace, textTarget([], new Set([id])));
  const gone = { id, kind: isNoteId(id) ? ("note" as const) : ("fact" as const), origin: workspace.origin };
  return { dry_run: false, forgotten: [gone], commits: [], elsewhere: [], short: false, ...rest };
}
