/**
 * The one way a document's file changes: under the workspace's lock, the old state kept first, the new one written
 * as a whole, the index last. Put, update, restore and edit all come through here.
 */
import type { DocumentRef } from "../core/document.ts";
import { RetainError } from "../core/errors.ts";
import { type MarkdownFile, printMarkdown, withFields } from "../core/frontmatter.ts";
import type { IndexChanges, OutgoingState } from "../core/ports.ts";
import type { Fields } from "../core/yaml-fields.ts";
import { sha256 } from "../util/hash.ts";
import { rowOf } from "./index-sync.ts";
import { type DocumentPorts, isoSeconds, timestamp } from "./ports.ts";
import type { OpenDocument } from "./read.ts";

export interface PlannedWrite {
  readonly ref: DocumentRef;
  /** What stands there now, read under the same lock; null for a new document. */
  readonly current: OpenDocument | null;
  readonly markdown: MarkdownFile;
  readonly by: string;
  /** Keep the old state even where `auto_version` is off. */
  readonly snapshot?: boolean;
}

export interface WrittenDocument extends DocumentRef {
  readonly file_path: string;
  readonly version: number;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  /** The version under which the state before is kept; null where there was none, or git holds it. */
  readonly kept_version: string | null;
}

/** Writes all plans; each is durable on return. Call it inside `index.exclusively`. */
export function writeAll(
  ports: DocumentPorts,
  changes: IndexChanges,
  plans: readonly PlannedWrite[],
): WrittenDocument[] {
  const outgoing = plans.filter((plan) => plan.current !== null && keepsOldState(ports, plan));
  const numbers = ports.versions.keep(outgoing.map((plan) => outgoingState(plan.current as OpenDocument)));
  const kept = new Map(outgoing.map((plan, index) => [plan, numbers[index] ?? null]));
  const written = plans.map((plan) => writeOne(ports, changes, plan, kept.get(plan) ?? null));
  ports.files.flush();
  for (const plan of outgoing) ports.versions.prune(plan.ref, Math.max(ports.settings.max_versions - 1, 0));
  return written;
}

function writeOne(
  ports: DocumentPorts,
  changes: IndexChanges,
  plan: PlannedWrite,
  kept: number | null,
): WrittenDocument {
  const { ref, current } = plan;
  const highest = Math.max(versionOf(current), ports.versions.highest(ref));
  const version = (kept ?? highest) + 1;
  const markdown = withFields(plan.markdown, bookkeeping(ports, plan, version));
  const bytes = new TextEncoder().encode(printMarkdown(markdown));
  const stamp = ports.files.write(ref, bytes);
  const path = ports.files.pathOf(ref);
  const hash = sha256(bytes);
  changes.put(rowOf({ ref, path, bytes, stamp }, hash, hash, Date.now()));
  return {
    ...ref,
    file_path: path,
    version,
    created_at: stringOrNull(markdown.fields.created_at),
    updated_at: stringOrNull(markdown.fields.updated_at),
    kept_version: kept === null ? null : `v${kept}`,
  };
}

/** The keys that record the write itself. */
function bookkeeping(
  { settings, versions, clock }: DocumentPorts,
  plan: PlannedWrite,
  version: number,
): Fields {
  const now = timestamp(clock);
  const { fields } = plan.markdown;
  const isNew = plan.current === null;
  const marks: Fields = { version };
  if (!isNew) Object.assign(marks, { updated_at: now, updated_by: plan.by });
  if (versions.kind === "numbered" && settings.history) {
    const past = Array.isArray(fields.version_history) ? fields.version_history : [];
    const entry = isNew
      ? { version, created_at: fields.created_at ?? now, created_by: fields.created_by ?? plan.by }
      : { version, updated_at: now, updated_by: plan.by };
    marks.version_history = [...past, entry].slice(-settings.max_versions);
  }
  return marks;
}

function keepsOldState({ settings }: DocumentPorts, plan: PlannedWrite): boolean {
  return settings.history && (settings.auto_version || plan.snapshot === true);
}

/** A document as `VersionStore.keep` takes it: under its own number, dated by what it says itself. */
export function outgoingState(current: OpenDocument): OutgoingState {
  const { file, document } = current;
  const said = Date.parse(document.updated_at ?? document.created_at ?? "");
  const time = isoSeconds(new Date(Number.isNaN(said) ? file.stamp.mtime : said));
  return { file, version: versionOf(current), time };
}

/** A file that a person made counts as its own first version. */
function versionOf(current: OpenDocument | null): number {
  return current === null ? 0 : (current.document.version ?? 1);
}

function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The result of a write that was not needed. */
export function asItStands({ file, document }: OpenDocument): WrittenDocument {
  return {
    ...file.ref,
    file_path: file.path,
    version: document.version ?? 1,
    created_at: document.created_at,
    updated_at: document.updated_at,
    kept_version: null,
  };
}

/** Frontmatter that cannot be read cannot be changed without losing something: refuse. */
export function refuseUnreadable({ file, markdown }: OpenDocument): void {
  if (markdown.problem === null) return;
  throw new RetainError(
    "invalid_input",
    `The frontmatter of ${file.path} cannot be read: line ${markdown.problem.line}: ${markdown.problem.message}`,
    `Mend it first: retain edit ${file.ref.id}`,
  );
}
