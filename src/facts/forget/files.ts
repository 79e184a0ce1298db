/**
 * Plans the change of each file in a workspace so that none contains the text: removes bullets and notes that say nothing else,
 * replaces the text with "[forgotten]" anywhere else, and removes mere copies (damaged databases, unfinished writes).
 */

import { parseMarkdown, printMarkdown } from "../../core/documents/frontmatter.ts";
import { isLayoutName } from "../../core/documents/names.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { bulletsOf, withoutBullet } from "../../core/facts/bullets.ts";
import { parseLog } from "../../core/facts/daily-log.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { kindOfFile, type MemoryFileKind } from "../../core/facts/memory-paths.ts";
import type { DatabaseScrub, WorkspaceTraces, WorkspaceTree } from "../../core/ports/traces.ts";
import { isTemporaryName } from "../../util/fs.ts";
import { decodeUtf8 } from "../../util/text.ts";
import { noteId } from "../note-memory.ts";
import { withoutFact } from "./history.ts";
import { type ForgottenText, forgottenText } from "./text.ts";

export interface Target {
  /** Of facts and notes. */
  readonly ids: ReadonlySet<string>;
  /** Searched in every text; empty if it is too short for that. */
  readonly text: ForgottenText;
  /** The text of its own bullets, notes and marks. */
  readonly own: ForgottenText;
  /** Too short to search for in other texts. */
  readonly isShort: boolean;
  /** The file that identifies it, below memories/. Written after all others. */
  readonly last: string;
}

/** These texts, whatever fact or note says them; none: only what a removal left in the database's file. */
export function textTarget(texts: readonly string[], ids: ReadonlySet<string> = new Set()): Target {
  const text = forgottenText(texts);
  return { ids, text, own: text, isShort: false, last: "" };
}

interface FileChange {
  /** Below the workspace. */
  readonly path: string;
  readonly what: string;
  /** From 1. */
  readonly lines: readonly number[];
  /** What it was planned from; missing if the file goes whatever it contains. */
  readonly before?: Uint8Array;
  /** null removes the file. */
  readonly after: string | null;
}

/** Something that still contains the text, or may. */
export interface Left {
  readonly what: string;
  readonly path: string;
  readonly why: string;
}

export interface FilePlan {
  /** In the order of writing. */
  readonly changes: FileChange[];
  /** Undo records that contain it. */
  readonly undo: string[];
  readonly left: Left[];
}

const MEMORIES = "memories/";
const UNDO = /^\.undo\/[^/]+\.json$/;
const VERSIONS = /(?:^|\/)\.versions\//;
const CONFIG = "config.yaml";

export function isVersion(path: string): boolean {
  return VERSIONS.test(path);
}

export function planFiles({ tree, scrub }: WorkspaceTraces, target: Target): FilePlan {
  const plan: FilePlan = { changes: [], undo: [], left: [] };
  for (const path of tree.paths()) {
    const name = path.split("/").at(-1) ?? "";
    if (isDatabase(path, scrub)) continue;
    if (isCopy(path, scrub)) plan.changes.push(removal(path, "damaged database"));
    else if (isTemporaryName(name)) plan.changes.push(removal(path, "unfinished write"));
    else lookInto(path, tree, target, plan);
  }
  const isLast = ({ path }: FileChange) => Number(path === MEMORIES + target.last);
  plan.changes.sort((a, b) => isLast(a) - isLast(b));
  return plan;
}

/** Attempts while somebody keeps saving the file. Afterwards, the final search reports it. */
const MOST_TRIES = 5;

/** Plans the file again if somebody has saved it since, so that their text stays. Call with the lock held. */
export function makeChange(tree: WorkspaceTree, change: FileChange, target: Target): void {
  let next: FileChange | undefined = change;
  for (let tries = 0; next !== undefined && tries < MOST_TRIES; tries++) {
    if (tree.write(next.path, next.after, next.before)) return;
    const again: FilePlan = { changes: [], undo: [], left: [] };
    lookInto(next.path, tree, target, again);
    [next] = again.changes;
  }
}

/** Only SQLite may open these. */
export function isDatabase(path: string, { name }: DatabaseScrub): boolean {
  return ["", "-wal", "-shm", "-journal", ".lock"].some((suffix) => path === name + suffix);
}

/** A damaged database that was set aside, or a leftover of a process that died while repairing one. */
function isCopy(path: string, { name }: DatabaseScrub): boolean {
  return path.startsWith(name) && /^\.(?:damaged-\d+|new|scratch)(?:-[a-z]+)?$/.test(path.slice(name.length));
}

function removal(path: string, what: string): FileChange {
  return { path, what, lines: [], after: null };
}

function lookInto(
  path: string,
  tree: WorkspaceTree,
  target: Target,
  { changes, undo, left }: FilePlan,
): void {
  const { text } = target;
  try {
    const isMemory = path.startsWith(MEMORIES) || UNDO.test(path);
    if (!isMemory && !tree.some(path, (piece) => isIn(piece, text))) return;
    const bytes = tree.read(path);
    if (bytes === null) return;
    const content = decodeUtf8(bytes);
    if (content === null || content.includes("\0")) {
      if (isIn(bytes, text))
        left.push({ what: "file", path, why: "it is not a text file, so it was not changed" });
    } else if (UNDO.test(path)) {
      if (isInChange(content, target)) undo.push(path);
    } else if (path === CONFIG) {
      if (text.holds(content)) left.push({ what: "config", path, why: "forget does not change settings" });
    } else {
      const change = changeOf(path, content, target);
      if (change !== null) changes.push({ ...change, before: bytes });
    }
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    left.push({ what: "file", path, why: messageOf(error) });
  }
}

/** Whether the bytes contain it; in binary data, also inside longer words. */
export function isIn(bytes: Uint8Array, text: ForgottenText): boolean {
  const said = new TextDecoder().decode(bytes);
  return bytes.includes(0) ? text.holdsAnywhere(said) : text.holds(said);
}

/**
 * Whether an undo record contains the text or a piece of it; for a short text, a line of its own. True for an unreadable record,
 * which is useless anyway.
 */
export function isInChange(record: string, target: Target): boolean {
  const { text, isShort } = target;
  try {
    const { files } = JSON.parse(record) as { files: { path: string; removed?: string; inserted: string }[] };
    return files.some(({ path, removed = "", inserted }) =>
      [removed, inserted].some((piece) =>
        isShort ? changeOf(path, piece, target) !== null : text.holdsPiece(piece),
      ),
    );
  } catch {
    return true;
  }
}

function changeOf(path: string, content: string, target: Target): FileChange | null {
  const inMemories = path.startsWith(MEMORIES) ? path.slice(MEMORIES.length) : null;
  const kind = inMemories === null ? null : kindOfFile(inMemories);
  const edited = kind === null ? null : editedMemory(inMemories ?? "", kind, content, target);
  const after = edited?.content ?? withoutText(content, target.text);
  if (after === content) return null;
  const lines = new Set([...(edited?.lines ?? []), ...target.text.lines(content)]);
  const what = edited?.what ?? (isVersion(path) ? "version" : isDocument(path) ? "document" : "file");
  return { path, what, lines: [...lines].sort((a, b) => a - b), after: after.trim() === "" ? null : after };
}

/** Collections are below `collections`, or directly in the workspace. */
export function isDocument(path: string): boolean {
  const [first = ""] = path.split("/");
  return path.endsWith(".md") && path.includes("/") && (first === "collections" || !isLayoutName(first));
}

interface Edited {
  readonly what: string;
  readonly content: string;
  readonly lines: readonly number[];
}

function editedMemory(path: string, kind: MemoryFileKind, content: string, target: Target): Edited | null {
  const { text, ids } = target;
  if (kind.kind === "history")
    return { what: "history", content: withoutFact(content, ids, text), lines: linesNaming(content, target) };
  if (kind.kind === "facts") return withoutBullets(content, kind.chat, target);
  if (kind.kind === "log") return withoutNotes(path, content, target);
  if (kind.kind === "working")
    return { what: "working memory", content: text.isAllOf(content) ? "" : text.without(content), lines: [] };
  return { what: "mental model", content: withoutText(content, text), lines: [] };
}

function linesNaming(content: string, { ids }: Target): number[] {
  const names = [...ids];
  return content
    .split("\n")
    .flatMap((line, index) => (names.some((id) => line.includes(` ${id}`)) ? index + 1 : []));
}

function withoutBullets(content: string, chat: string | null, { ids, own, text }: Target): Edited {
  const gone = bulletsOf(content).filter(
    (bullet) => own.isAllOf(bullet.text) || ids.has(factId(bullet.text, chat)),
  );
  const rest = gone.reduceRight((edited, bullet) => withoutBullet(edited, bullet), content);
  return { what: "fact", content: text.without(rest), lines: gone.map(({ line }) => line) };
}

function withoutNotes(path: string, content: string, target: Target): Edited {
  const { ids, text } = target;
  const gone = parseLog(content).notes.filter(
    (note) => ids.has(noteId(path, note)) || isAllOfNote(target, note),
  );
  const rest = gone.reduceRight(
    (edited, { start, end }) => edited.slice(0, start) + edited.slice(end),
    content,
  );
  return { what: "note", content: text.without(rest), lines: gone.map(({ line }) => line) };
}

/** A title alone is only a label, so a note whose text goes is removed. For a short text, the title must match too. */
export function isAllOfNote(
  { own, isShort }: Pick<Target, "own" | "isShort">,
  { title, text }: { title: string; text: string },
): boolean {
  if (text === "") return own.isAllOf(title);
  return own.isAllOf(`${title}: ${text}`) || (!isShort && own.isAllOf(text));
}

const HOLE = "\u0001";

/** Keeps frontmatter valid: "[forgotten]" would be a YAML list, and the forgotten text may be a key with its value. */
function withoutText(content: string, text: ForgottenText): string {
  if (!text.holds(content)) return content;
  const file = parseMarkdown(content);
  if (file.yaml === null || file.problem !== null) return text.without(content);
  const marked = text.without(file.yaml, "(forgotten)");
  const lines = text.without(file.yaml, HOLE).split(/(?<=\n)/);
  const yaml = isReadable(marked, file.fields)
    ? marked
    : lines.filter((line) => !line.includes(HOLE)).join("");
  return text.without(printMarkdown({ ...file, yaml, body: text.without(file.body) }));
}

/** Whether all fields still exist with values of the same type. */
function isReadable(yaml: string, fields: Readonly<Record<string, unknown>>): boolean {
  const { problem, fields: now } = parseMarkdown(`---\n${yaml}---\n`);
  return problem === null && Object.keys(fields).every((key) => typeof now[key] === typeof fields[key]);
}
