/** Finds where a text to forget is and, afterwards, where it still is. Changes nothing. */
import { messageOf, RetainError } from "../../core/errors.ts";
import type { PastCommit } from "../../core/ports/traces.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { type FilePlan, isDatabase, isIn, type Left, planFiles, type Target } from "./files.ts";
import { isAllOfMemory, memoriesOf } from "./find.ts";
import { hasOwnLine, ownRows, withoutOwnMarks } from "./short.ts";
import type { ForgottenText } from "./text.ts";

export interface Trace {
  /** "fact", "note", "history", "document", "version", "undo", "table messages" ... */
  readonly what: string;
  /** Below the workspace. */
  readonly path: string;
  readonly line?: number;
  /** The number of rows in a table. */
  readonly count?: number;
}

export interface Elsewhere {
  readonly workspace: FactWorkspace["origin"];
  /** null if it is only in other files or conversations. */
  readonly id: string | null;
}

/** One trace for each changed line. */
export function fileLines({ changes, undo }: FilePlan): Trace[] {
  const changed = changes.flatMap(({ what, path, lines }) =>
    lines.length === 0 ? { what, path } : lines.map((line) => ({ what, path, line })),
  );
  return [...changed, ...undo.map((path) => ({ what: "undo", path }))];
}

/** The files of conversations that contain it. */
export function conversationsHolding({ sessions }: FactWorkspace, target: Target): Trace[] {
  const holds = target.isShort ? (said: string) => withoutOwnMarks(said, target) !== said : target.text.holds;
  return sessions.holding(holds).map((path) => ({ what: "conversation", path }));
}

export function rowCounts(workspace: FactWorkspace, target: Target): Trace[] {
  const { scrub } = workspace.traces;
  const counts = target.isShort
    ? ownRows(workspace, target)
    : scrub.rows(target.text.holds).map(({ table, count }) => [table, count] as const);
  return counts.map(([table, count]) => ({ what: `table ${table}`, path: scrub.name, count }));
}

export function commitsHolding({ traces: { past }, warn }: FactWorkspace, target: Target): PastCommit[] {
  const { text, own, ids, isShort } = target;
  const words = isShort ? [...own.words, ...ids] : text.words;
  if (past === null || words.length === 0) return [];
  try {
    return past.holding(words, isShort ? (state) => hasOwnLine(state, target) : text.holds);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    warn(`Could not search git's history for it: ${messageOf(error)}`);
    return [];
  }
}

/** Other workspaces that contain it. */
export function elsewhere(
  { read, home }: FactWorkspaces,
  workspace: FactWorkspace,
  target: Target,
): Elsewhere[] {
  const others = [...read, home].filter(
    (other, index, all) =>
      other.origin !== workspace.origin && all.findIndex(({ origin }) => origin === other.origin) === index,
  );
  return others.flatMap((other) => {
    const named = memoriesOf(other).find((memory) => isAllOfMemory(target, memory));
    if (named !== undefined) return { workspace: other.origin, id: named.id };
    return isSaidIn(other, target) ? { workspace: other.origin, id: null } : [];
  });
}

function isSaidIn(workspace: FactWorkspace, target: Target): boolean {
  const strange = { ...target, ids: new Set<string>(), last: "" };
  const { changes } = planFiles(workspace.traces, strange);
  return changes.some(({ lines }) => lines.length > 0) || rowCounts(workspace, strange).length > 0;
}

/** What still contains a text that is too short to search for in every file. */
export function stillNamed(workspace: FactWorkspace, target: Target): Left[] {
  const { traces } = workspace;
  const { changes, undo } = planFiles(traces, target);
  const files = [...changes.map(({ path }) => path), ...undo];
  return [
    ...files.map((path) => ({ what: "file", path, why: "it still contains the text" })),
    ...ownRows(workspace, target).map(([table]) => ({
      what: `table ${table}`,
      path: traces.scrub.name,
      why: "it was written again",
    })),
  ];
}

/** Searches every byte. `isClean`: the database's file has just been rewritten. */
export function stillHolding(
  { traces: { tree, scrub }, sessions }: FactWorkspace,
  text: ForgottenText,
  isClean: boolean,
): Left[] {
  const left: Left[] = sessions
    .holding(text.holds)
    .map((path) => ({ what: "file", path, why: "it still contains the text" }));
  for (const path of tree.paths()) {
    if (path.split("/").some((name) => text.isName(name.replace(/\.md$/, "")) || text.holds(name)))
      left.push({ what: "name", path, why: "its name contains the text; rename or remove it" });
    if (isDatabase(path, scrub)) continue;
    try {
      if (tree.some(path, (piece) => isIn(piece, text)))
        left.push({ what: "file", path, why: "it still contains the text" });
    } catch (error) {
      left.push({ what: "file", path, why: messageOf(error) });
    }
  }
  return [...left, ...stillInDatabase(scrub, text, isClean)];
}

function stillInDatabase(
  scrub: FactWorkspace["traces"]["scrub"],
  text: ForgottenText,
  isClean: boolean,
): Left[] {
  const rows = scrub.rows(text.holds);
  const documents = [...new Set(rows.flatMap((found) => found.documents))];
  const tables = rows.filter((found) => found.documents.length === 0);
  if (rows.length > 0)
    return [
      ...documents.map((path) => ({
        what: "document",
        path,
        why: "it is in a read-only folder; edit it there",
      })),
      ...tables.map(({ table }) => ({
        what: `table ${table}`,
        path: scrub.name,
        why: "it was written again",
      })),
    ];
  // Other rows may contain it inside longer words; then finding its bytes proves nothing.
  const isProof = isClean && scrub.rows(text.holdsAnywhere).length === 0;
  const isThere = isProof && scrub.some((piece) => text.holdsAnywhere(new TextDecoder().decode(piece)));
  return isThere ? [{ what: "database", path: scrub.name, why: "its bytes still contain the text" }] : [];
}
