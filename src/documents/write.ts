/**
 * Every change of a document's file goes through here: put, update, restore, edit. Under the workspace's lock, it keeps the
 * old state, writes the new file as a whole, then updates the index.
 */
import { type DocumentRef, etagOf, fieldText } from "../core/documents/document.ts";
import { type MarkdownFile, printMarkdown, withFields } from "../core/documents/frontmatter.ts";
import type { Fields } from "../core/documents/read-yaml.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import type { DocumentChange, DocumentFile, OutgoingState } from "../core/ports/documents.ts";
import { isoSeconds } from "../util/days.ts";
import { sha256 } from "../util/hash.ts";
import { comparable } from "./history.ts";
import { indexDocument } from "./index-sync.ts";
import { type DocumentPorts, timestamp } from "./ports.ts";
import { type OpenDocument, openLoosely } from "./read.ts";

/** Versions listed in the frontmatter. More may be kept as files, but frontmatter has a size limit. */
const MOST_RECORDED = 1_000;

export interface PlannedWrite {
  readonly ref: DocumentRef;
  /** The current document, read under the same lock; null for a new document. */
  readonly current: OpenDocument | null;
  readonly markdown: MarkdownFile;
  /** Set together with the bookkeeping keys. */
  readonly fields?: Fields;
  readonly by: string;
  /** Whether to keep the previous state: as `auto_version` says, unless history is off, or always. */
  readonly keep: "as set" | "asked" | "always";
}

export interface WrittenDocument extends DocumentRef {
  readonly file_path: string;
  readonly version: number;
  /** Identifies the exact bytes. */
  readonly etag: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  /** The version that keeps the previous state; null if there was none, or git has it. */
  readonly kept_version: string | null;
}

interface WriteOutcome {
  /** Durable; in the order of the plans. */
  readonly written: WrittenDocument[];
  /** The error of the first plan that failed; it and later plans changed nothing. null if all were written. */
  readonly failure: unknown;
  /** One for each of `written`. */
  readonly changes: DocumentChange[];
}

/** Writes the plans in order. Call with the lock held. */
export function writeAll(ports: DocumentPorts, plans: readonly PlannedWrite[]): WriteOutcome {
  const kept = keepOldStates(ports, plans);
  const written: WrittenDocument[] = [];
  const changes: DocumentChange[] = [];
  let failure: unknown = null;
  for (const plan of plans) {
    try {
      const { document, markdown } = writeOne(ports, plan, kept.get(plan) ?? null);
      written.push(document);
      changes.push(changeFrom(plan.ref, plan.current?.markdown, markdown));
    } catch (error) {
      failure = error;
      break;
    }
  }
  ports.files.flush();
  for (const plan of plans.slice(0, written.length)) pruneAfter(ports, plan);
  return { written, failure, changes };
}

/** Writes one document durably. If it throws, nothing has changed. `label` names the change for `undo`. */
export function writeSingle(ports: DocumentPorts, plan: PlannedWrite, label: string): WrittenDocument {
  const { written, failure, changes } = writeAll(ports, [plan]);
  const [only] = written;
  if (only === undefined) throw failure;
  recordChange(ports, label, changes);
  return only;
}

/** Lets `undo` revert the changes. They are already made, so a failure is only a warning. */
export function recordChange(ports: DocumentPorts, label: string, changes: readonly DocumentChange[]): void {
  if (changes.length === 0) return;
  try {
    ports.recordChange(label, changes);
  } catch (error) {
    warnOfNoUndo(ports, error);
  }
}

export function warnOfNoUndo({ warn }: DocumentPorts, error: unknown): void {
  warn(`This change cannot be undone: ${messageOf(error)}`);
}

/** `undefined` if there was, or is, no such document. */
export function changeFrom(ref: DocumentRef, before?: MarkdownFile, after?: MarkdownFile): DocumentChange {
  return { ...ref, before: before ? stateHash(before) : null, after: after ? stateHash(after) : null };
}

/** Identifies what a document says. A restored one says the same, although its version and times differ. */
export function stateHash(markdown: MarkdownFile): string {
  return sha256(comparable(markdown));
}

function keepOldStates(
  ports: DocumentPorts,
  plans: readonly PlannedWrite[],
): Map<PlannedWrite, number | null> {
  const outgoing = plans.filter((plan) => plan.current !== null && keepsOldState(ports, plan));
  const states = outgoing.map((plan) => outgoingState((plan.current as OpenDocument).file));
  const numbers = outgoing.length === 0 ? [] : ports.versions.keep(states, false);
  return new Map(outgoing.map((plan, index) => [plan, numbers[index] ?? null]));
}

function writeOne(
  ports: DocumentPorts,
  plan: PlannedWrite,
  kept: number | null,
): { document: WrittenDocument; markdown: MarkdownFile } {
  const { ref, current } = plan;
  const highest = Math.max(versionOf(current), ports.versions.highest(ref));
  const version = (kept ?? highest) + 1;
  const markdown = withFields(plan.markdown, { ...plan.fields, ...bookkeeping(ports, plan, version) });
  const file = storeBytes(
    ports,
    ref,
    new TextEncoder().encode(printMarkdown(markdown)),
    current?.file ?? null,
  );
  const document = {
    ...ref,
    file_path: file.path,
    version,
    etag: etagOf(version, file.bytes),
    created_at: fieldText(markdown.fields.created_at),
    updated_at: fieldText(markdown.fields.updated_at),
    kept_version: kept === null ? null : `v${kept}`,
  };
  return { document, markdown };
}

/** Writes the file and its row; durable after `files.flush`. Throws `conflict` if the file is not `current` any more. */
export function storeBytes(
  ports: DocumentPorts,
  ref: DocumentRef,
  bytes: Uint8Array,
  current: DocumentFile | null,
): DocumentFile {
  const file = ports.files.write(ref, bytes, current?.bytes ?? null);
  indexDocument(ports, file, sha256(bytes));
  return file;
}

/** The keys that record the write. */
function bookkeeping(
  { settings, versions, clock }: DocumentPorts,
  plan: PlannedWrite,
  version: number,
): Fields {
  const now = timestamp(clock);
  const fields = { ...plan.markdown.fields, ...plan.fields };
  const isNew = plan.current === null;
  const marks: Fields = { ...pathFields(plan.ref, fields), version };
  if (!isNew) Object.assign(marks, { updated_at: now, updated_by: plan.by });
  if (versions.kind === "numbered" && settings.history) {
    const past = Array.isArray(fields.version_history) ? fields.version_history : [];
    const entry = isNew
      ? { version, created_at: fields.created_at ?? now, created_by: fields.created_by ?? plan.by }
      : { version, updated_at: now, updated_by: plan.by };
    marks.version_history = [...past, entry].slice(-Math.min(settings.max_versions, MOST_RECORDED));
  }
  return marks;
}

/** The path decides: after a file was renamed or moved by hand, the next write corrects its frontmatter. */
function pathFields(ref: DocumentRef, { id, collection }: Fields): Fields {
  const said = { id, collection };
  const wrong = (["id", "collection"] as const).filter(
    (key) => said[key] !== undefined && said[key] !== ref[key],
  );
  return Object.fromEntries(wrong.map((key) => [key, ref[key]]));
}

export function keepMode(snapshot: boolean | undefined): PlannedWrite["keep"] {
  return snapshot ? "asked" : "as set";
}

function keepsOldState({ settings }: DocumentPorts, { keep }: PlannedWrite): boolean {
  if (keep === "always") return true;
  return settings.history && settings.max_versions > 1 && (settings.auto_version || keep === "asked");
}

/** The current state counts as one of `max_versions`, but a version that had to be kept stays. */
function pruneAfter(ports: DocumentPorts, { ref, keep }: PlannedWrite): void {
  pruneVersions(ports, ref, Math.max(ports.settings.max_versions - 1, keep === "always" ? 1 : 0));
}

/** The document is already stored, so failing to remove an old version is only a warning. */
export function pruneVersions(ports: DocumentPorts, ref: DocumentRef, count: number): void {
  tidyVersions(ports, ref, (versions) => versions.prune(ref, count));
}

/** Like `pruneVersions`, for any removal of old versions. */
export function tidyVersions(
  { versions, warn }: DocumentPorts,
  ref: DocumentRef,
  remove: (from: DocumentPorts["versions"]) => void,
): void {
  try {
    remove(versions);
  } catch (error) {
    warn(`Old versions of '${ref.id}' could not be removed: ${messageOf(error)}`);
  }
}

/** A file for `VersionStore.keep`, with the number and date from its frontmatter. Works for unreadable files too. */
export function outgoingState(file: DocumentFile): OutgoingState {
  const { document } = openLoosely(file);
  const said = Date.parse(document.updated_at ?? document.created_at ?? "");
  const time = isoSeconds(new Date(Number.isNaN(said) ? file.stamp.mtime : said));
  return { file, version: document.version ?? 1, time };
}

/** A file that Retain has never written counts as version 1. */
function versionOf(current: OpenDocument | null): number {
  return current === null ? 0 : (current.document.version ?? 1);
}

/** The result if nothing had to be written. */
export function unchanged({ file, document }: OpenDocument): WrittenDocument {
  return {
    ...file.ref,
    file_path: file.path,
    version: document.version ?? 1,
    etag: etagOf(document.version, file.bytes),
    created_at: document.created_at,
    updated_at: document.updated_at,
    kept_version: null,
  };
}

/** Changing unreadable frontmatter would lose part of it. */
export function refuseUnreadable({ file, markdown }: OpenDocument): void {
  if (markdown.problem === null) return;
  throw new RetainError(
    "invalid_input",
    `The frontmatter of ${file.path} cannot be read: line ${markdown.problem.line}: ${markdown.problem.message}`,
    hint`Fix it first: ${command("edit", file.ref.id)}`,
  );
}
