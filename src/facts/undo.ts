/** Undoes the last change that Retain made in one workspace: of facts, notes, working memory or documents. */
import { RetainError } from "../core/errors.ts";
import { parseHistory } from "../core/facts/history.ts";
import { HISTORIES, kindOfFile } from "../core/facts/memory-paths.ts";
import { command, hint, option } from "../core/hint.ts";
import { documentSource } from "../core/memory.ts";
import type { Change, DocumentChange } from "../core/ports/documents.ts";
import { isoSeconds, localDay } from "../util/days.ts";
import { plural } from "../util/in-words.ts";
import { COMPACTION } from "./compact/plan.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { syncFacts } from "./sync/sync-facts.ts";
import { REVIEW } from "./unconfirmed/review.ts";

export interface UndoOptions {
  /** Keep the last change; the next undo undoes the one before it. */
  skip?: boolean;
  /** Fail with `conflict` unless this is still the last change. */
  number?: number;
  /** The workspace; by default the one that changed last of those that are read. */
  origin?: FactWorkspace["origin"];
}

/** A change, and the workspace it was made in. */
export interface UndoableChange extends Change {
  readonly origin: FactWorkspace["origin"];
  /** Once the text of one document has been reverted: the lines that this removed ("- text") and brought back ("+ text"). */
  readonly diff?: readonly string[];
}

/** The last change of all workspaces that are read; null if there is nothing to undo. Takes no lock: `undoLast` checks again. */
export function lastChange(workspaces: Pick<FactWorkspaces, "nearest" | "read">): UndoableChange | null {
  const { origin, files } = changedLast(workspaces);
  const [last] = files.changes();
  return last === undefined ? null : { ...last, origin };
}

function changedLast({ nearest, read }: Pick<FactWorkspaces, "nearest" | "read">): FactWorkspace {
  const madeIn = ({ files }: FactWorkspace) => files.lastChange() ?? 0;
  return read.reduce((last, one) => (madeIn(one) > madeIn(last) ? one : last), nearest);
}

/** The label of emptying a workspace. */
export const CLEAR = "clear";

/** Whether the change cannot be undone, such as forgetting. */
export function isPermanent({ files, documents }: Change): boolean {
  return files.length + documents.length === 0;
}

export function permanent({ label, at }: Change): RetainError {
  const skip = hint`To undo the change before it, skip this one first: ${command("undo", option("skip"))}`;
  const backup =
    "A backup of everything is in the workspace's backups/, and clear printed how to restore it.";
  return new RetainError(
    "conflict",
    `The last change, ${label} (${localDay(at)}), is permanent.`,
    label === CLEAR ? hint`${backup} ${skip}` : skip,
  );
}

/** A list short enough to read. */
const MOST_NAMED = 20;
const MOST_LINES = 20;

/** The memory files that an undone change touched, each with the lines that undo removes (-) and brings back (+); and documents. */
export function undoneLines({
  label,
  files,
  documents,
  diff = [],
}: Change & Pick<UndoableChange, "diff">): string[] {
  const signed = (sign: string, text: string) =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => `${sign} ${line}`);
  const more = documents.length - MOST_NAMED;
  const shown = files.filter(({ path }) => !HISTORIES.some((history) => path.endsWith(`/${history}`)));
  return [
    ...shown.flatMap(({ path, removed, inserted }) => [
      path,
      ...signed("-", inserted),
      ...signed("+", removed),
    ]),
    ...(shown.length > 0
      ? []
      : files.flatMap(({ inserted }) => signed("-", historyInWords(label, inserted)))),
    ...(diff.length > 0
      ? documents.flatMap((document) => [documentSource(document), ...shortened(document, diff)])
      : documents.slice(0, MOST_NAMED).flatMap(documentLines)),
    ...(more > 0 ? [`and ${plural(more, "more document")}`] : []),
  ];
}

/**
 * A change that only the history has: a decision that two facts in doubt are both true, a fact's last day or tags, or a fact that a
 * known one had already replaced.
 */
function historyInWords(label: string, lines: string): string {
  return parseHistory(lines)
    .flatMap((entry) => {
      if (entry.kind === "removed" || entry.supersedes.length > 0) return [];
      const { text, until, source } = entry;
      if (label === REVIEW) return `both are true: ${text}`;
      if (until !== undefined) return `until ${until}: ${text}`;
      return source.tags.length > 0 ? `tags ${source.tags.join(", ")}: ${text}` : text;
    })
    .join("\n");
}

/** The undone state is now the previous version, so `diff` shows the same change. */
function shortened({ collection, id }: DocumentChange, diff: readonly string[]): string[] {
  const more = diff.length - MOST_LINES;
  if (more <= 0) return [...diff];
  const whole = command("diff", id, option("collection", collection));
  return [...diff.slice(0, MOST_LINES), `and ${plural(more, "more line")}: ${whole}`];
}

function documentLines(change: DocumentChange): string[] {
  const { before, after } = change;
  const name = documentSource(change);
  const isReplaced = before !== null && after !== null;
  const removed = isReplaced ? `${name} as it is now` : name;
  const restored = isReplaced ? `${name} as it was before` : name;
  return [...(after === null ? [] : [`- ${removed}`]), ...(before === null ? [] : [`+ ${restored}`])];
}

/** Throws `not_found` if there is nothing to undo, `conflict` if it is permanent or a file has changed too much since. */
export async function undoLast(
  workspaces: Pick<FactWorkspaces, "nearest" | "read">,
  { skip = false, number, origin }: UndoOptions,
): Promise<UndoableChange> {
  const ports = workspaces.read.find((one) => one.origin === origin) ?? changedLast(workspaces);
  let diff: readonly string[] = [];
  const undone = await ports.lock.exclusively(() => {
    syncFacts(ports);
    const [last] = ports.files.changes();
    if (last === undefined)
      throw new RetainError("not_found", "There is nothing to undo.", "Retain can undo the last 50 changes.");
    if (number !== undefined && last.number !== number)
      throw new RetainError(
        "conflict",
        "Nothing was undone: memory has changed in the meantime.",
        hint`Look at the last change again: ${command("undo")}`,
      );
    if (skip) ports.files.dropChange(last.number);
    else if (isPermanent(last)) throw permanent(last);
    else {
      // First, so that after a crash in between the next conversation doesn't compact them again.
      if (last.label === COMPACTION) ports.files.leaveUncompacted(logsIn(last));
      ports.files.undo(last.number, isoSeconds(ports.clock()), () => {
        diff = ports.documents.undo(last.documents);
      });
    }
    syncFacts(ports);
    return { ...last, origin: ports.origin, diff };
  });
  if (skip) return undone;
  await ports.purge();
  if (undone.documents.length > 0) await ports.documents.announce(undone.documents);
  return undone;
}

/** Below memories/. */
function logsIn({ files }: Change): string[] {
  return files
    .map(({ path }) => path.replace(/^memories\//, ""))
    .filter((path) => kindOfFile(path)?.kind === "log");
}
