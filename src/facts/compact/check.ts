/**
 * Checks a compaction before it is written, independently of how it was planned: compares the files as they are with the files as
 * they would be, and refuses the change if anything would be lost.
 */

import { RetainError } from "../../core/errors.ts";
import { bulletsOf } from "../../core/facts/bullets.ts";
import { parseLog } from "../../core/facts/daily-log.ts";
import { type Fact, replay } from "../../core/facts/fact.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { HISTORIES, kindOfFile, type MemoryFileKind } from "../../core/facts/memory-paths.ts";
import type { ChangedFile } from "../../core/ports/documents.ts";
import { entriesIn } from "../sync/history-file.ts";
import { bulletOfNote } from "./text.ts";

/** The outcome for a note, identified by the line of its heading. */
export interface Account {
  readonly log: string;
  readonly line: number;
  readonly outcome: "added" | "known" | "outdated" | "merged" | "empty";
  /** The fact that covers the note; null for an empty note. */
  readonly as: string | null;
}

export interface Compaction {
  /** Every file of facts, HISTORY.md, and the logs to remove, by path. */
  readonly before: ReadonlyMap<string, string>;
  readonly changes: readonly ChangedFile[];
  readonly accounts: readonly Account[];
}

/** Throws `conflict` if something would be lost. */
export function requireLossless(compaction: Compaction): void {
  const [loss, ...more] = lossesOf(compaction);
  if (loss === undefined) return;
  throw new RetainError(
    "conflict",
    `Nothing was compacted, because this would be lost: ${loss}${more.length === 0 ? "" : `, and ${more.length} more`}.`,
    "Look for an unclosed code block or comment in MEMORY.md.",
  );
}

/** Describes each loss; empty if nothing is lost. */
export function lossesOf(compaction: Compaction): string[] {
  const after = new Map<string, string>(compaction.before);
  for (const { path, after: content } of compaction.changes) {
    if (content === null) after.delete(path);
    else after.set(path, content);
  }
  const state = stateOf(after);
  return [
    ...foreignChanges(compaction),
    ...lostHistory(compaction.before, after),
    ...lostFacts(compaction.before, after, state),
    ...mismatches(stateOf(compaction.before), state),
    ...lostNotes(compaction, state),
  ];
}

interface State {
  /** Texts of bullets by id. */
  readonly bullets: ReadonlyMap<string, string>;
  readonly history: ReadonlyMap<string, Fact>;
}

function stateOf(files: ReadonlyMap<string, string>): State {
  const bullets = new Map<string, string>();
  for (const { path, content, kind } of listed(files))
    if (kind?.kind === "facts")
      for (const { text } of bulletsOf(content)) {
        const id = factId(text, kind.chat);
        if (bullets.has(id)) continue;
        bullets.set(id, `${path}: ${text}`);
      }
  return { bullets, history: replay(entriesIn((path) => files.get(path))) };
}

/** A compaction changes files of facts and HISTORY.md, and removes logs. */
function foreignChanges({ changes }: Compaction): string[] {
  return changes.flatMap(({ path, after }) => {
    const kind = kindOfFile(path)?.kind;
    const isKept = (kind === "facts" || kind === "history") && after !== null;
    return isKept || (kind === "log" && after === null) ? [] : `${path}, which compaction must not change`;
  });
}

function lostHistory(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return HISTORIES.flatMap((path) => {
    const [old, now] = [before.get(path) ?? "", after.get(path) ?? ""];
    return old.trim() === "" || now.startsWith(old) ? [] : `lines of ${path}`;
  });
}

/** Each bullet must still exist or be superseded in HISTORY.md, and all other lines of the file must stay. */
function lostFacts(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  { bullets, history }: State,
): string[] {
  return listed(before).flatMap(({ path, content, kind }) => {
    if (kind?.kind !== "facts") return [];
    const found = bulletsOf(content);
    const gone = found.filter(({ text }) => !bullets.has(factId(text, kind.chat)));
    const lost = gone.filter(({ text }) => {
      const fact = history.get(factId(text, kind.chat));
      return fact === undefined || !leadsTo(fact, bullets, history);
    });
    const isGone = new Set(gone.flatMap(({ start, end }) => linesOf(content.slice(start, end))));
    const rest = linesOf(content).filter((line) => !isGone.has(line));
    return [
      ...lost.map(({ text }) => `"${text}" of ${path}`),
      ...(isSubsequence(rest, linesOf(after.get(path) ?? "")) ? [] : [`a line of ${path}`]),
    ];
  });
}

function linesOf(content: string): string[] {
  return content
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
}

/** Whether the fact that replaced it, directly or through others, is in a file. */
function leadsTo(fact: Fact, bullets: State["bullets"], history: State["history"]): boolean {
  const seen = new Set<string>();
  for (let next: Fact | undefined = fact; next !== undefined && !seen.has(next.id); ) {
    seen.add(next.id);
    const by: string | null = next.ended_at === null ? null : next.superseded_by;
    if (by === null) return false;
    if (bullets.has(by)) return true;
    next = history.get(by);
  }
  return false;
}

/** If a bullet and HISTORY.md disagree, the next sync would take it for a person's edit. */
function mismatches(before: State, after: State): string[] {
  const holds = ({ history }: State, id: string) => history.get(id)?.ended_at === null;
  const untold = [...after.bullets].filter(([id]) => !before.bullets.has(id) && !holds(after, id));
  const hidden = [...after.history.values()].filter(
    ({ id }) => holds(after, id) && !after.bullets.has(id) && (!holds(before, id) || before.bullets.has(id)),
  );
  return [
    ...untold.map(([, note]) => `the source of ${note}`),
    ...hidden.map(({ text, file }) => `"${text}", which would not be a bullet of ${file}`),
  ];
}

function lostNotes({ changes, accounts }: Compaction, state: State): string[] {
  const byPlace = new Map(accounts.map((account) => [`${account.log}:${account.line}`, account]));
  return changes.flatMap(({ path, before, after }) => {
    const kind = kindOfFile(path);
    if (kind?.kind !== "log" || after !== null || before === null) return [];
    const { notes, strays } = parseLog(before);
    const unread = strays.map((line) => `line ${line} of ${path}`);
    const unaccounted = notes.flatMap((note) => {
      const text = bulletOfNote(note);
      const account = byPlace.get(`${path}:${note.line}`);
      return isAccounted(text, factId(text, kind.chat), account, state) ? [] : `"${text}" of ${path}`;
    });
    return [...unread, ...unaccounted];
  });
}

function isAccounted(text: string, id: string, account: Account | undefined, state: State): boolean {
  if (account === undefined) return false;
  const { outcome, as } = account;
  if (outcome === "empty" || text === "") return outcome === "empty" && text === "";
  const exists = as !== null && (state.bullets.has(as) || state.history.has(as));
  // HISTORY.md keeps the exact words of a note that a newer fact or a model's fact covers.
  const isRecorded = state.bullets.has(id) || state.history.has(id);
  return exists && (outcome === "known" || (isRecorded && (outcome === "merged" || as === id)));
}

function listed(files: ReadonlyMap<string, string>): {
  readonly path: string;
  readonly content: string;
  readonly kind: MemoryFileKind | null;
}[] {
  return [...files].map(([path, content]) => ({ path, content, kind: kindOfFile(path) }));
}

/** Whether the lines contain all of these, in this order. */
function isSubsequence(wanted: readonly string[], lines: readonly string[]): boolean {
  let at = 0;
  for (const line of lines) if (line === wanted[at]) at++;
  return at === wanted.length;
}
