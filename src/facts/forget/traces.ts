/** Where a text is that is to be forgotten, and, afterwards, where it still is. Nothing is changed here. */
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
  /** How many rows of a table. */
  readonly count?: number;
}

export interface Elsewhere {
  readonly workspace: FactWorkspace["origin"];
  /** null where no fact or note there says it: other files or conversations do. */
  readonly id: string | null;
}

/** A line for each that a file loses. */
export function fileLines({ changes, undo }: FilePlan): Trace[] {
  const changed = changes.flatMap(({ what, path, lines }) =>
    lines.length === 0 ? { what, path } : lines.map((line) => ({ what, path, line })),
  );
  return [...changed, ...undo.map((path) => ({ what: "undo", path }))];
}

/** The files of conversations that hold it. */
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
    warn(`Whether git's history holds it cannot be found out: ${messageOf(error)}`);
    return [];
  }
}

/** The workspaces beside this one that hold it too. */
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

/** What is left of a text that is too short for every byte to be looked at. */
export function stillNamed(workspace: FactWorkspace, target: Target): Left[] {
  const { traces } = workspace;
  const { changes, undo } = planFiles(traces, target);
  const files = [...changes.map(({ path }) => path), ...undo];
  return [
    ...files.map((path) => ({ what: "file", path, why: "it still says it" })),
    ...ownRows(workspace, target).map(([table]) => ({
      what: `table ${table}`,
      path: traces.scrub.name,
      why: "somebody wrote it anew",
    })),
  ];
}

/** Looks at every byte. `isClean`: the database's file has just been written anew. */
export function stillHolding(
  { traces: { tree, scrub }, sessions }: FactWorkspace,
  text: ForgottenText,
  isClean: boolean,
): Left[] {
  const left: Left[] = sessions
    .holding(text.holds)
    .map((path) => ({ what: "file", path, why: "it still says it" }));
  for (const path of tree.paths()) {
    if (path.split("/").some((name) => text.isName(name.replace(/\.md$/, "")) || text.holds(name)))
      left.push({ what: "name", path, why: "its name says it; rename or remove it" });
    if (isDatabase(path, scrub)) continue;
    try {
      if (tree.some(path, (piece) => isIn(piece, text)))
        left.push({ what: "file", path, why: "it still says it" });
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
        why: "it is in a folder that is only read; edit it there",
      })),
      ...tables.map(({ table }) => ({
        what: `table ${table}`,
        path: scrub.name,
        why: "somebody wrote it anew",
      })),
    ];
  // Inside longer words it may stand in rows that say something else: then its bytes prove nothing.
  const isProof = isClean && scrub.rows(text.holdsAnywhere).length === 0;
  const isThere = isProof && scrub.some((piece) => text.holdsAnywhere(new TextDecoder().decode(piece)));
  return isThere ? [{ what: "database", path: scrub.name, why: "its bytes still hold it" }] : [];
}
