/** A document's versions, and the diff between two of them. */
import { structuredPatch } from "diff";
import type { DocumentRef } from "../core/documents/document.ts";
import { type MarkdownFile, parseMarkdown, printMarkdown } from "../core/documents/frontmatter.ts";
import type { Version } from "../core/documents/versions.ts";
import { RetainError } from "../core/errors.ts";
import type { DocumentPorts } from "./ports.ts";
import { lastSaved, readVersion, textOf } from "./read.ts";

export interface VersionsResult extends DocumentRef {
  readonly kind: "git" | "numbered";
  readonly deleted: boolean;
  /** When the last state of a deleted document was saved; null if it isn't deleted. */
  readonly saved_at: string | null;
  readonly versions: Version[];
}

/** Newest first. Works for deleted documents too. Throws `git`. */
export function listVersions(ports: DocumentPorts, ref: DocumentRef): VersionsResult {
  const current = ports.files.read(ref);
  return {
    ...ref,
    kind: ports.versions.kind,
    deleted: current === null,
    saved_at: current === null ? lastSaved(ports, ref) : null,
    versions: ports.versions.list(ref, current),
  };
}

export interface Hunk {
  readonly old_start: number;
  readonly old_lines: number;
  readonly new_start: number;
  readonly new_lines: number;
  /** Each starts with " ", "-" or "+". */
  readonly lines: string[];
}

export interface DiffOptions {
  collection?: string;
  /** Default: the version before the current one. */
  from?: string | number;
  /** Default: the current text. */
  to?: string | number;
}

export interface DiffResult extends DocumentRef {
  readonly from: string;
  readonly to: string;
  readonly hunks: Hunk[];
}

/**
 * By default, compares the previous version with the current text. Leaves out the keys that Retain maintains (version, times),
 * so that the diff shows only what somebody changed.
 */
export function diffVersions(ports: DocumentPorts, ref: DocumentRef, options: DiffOptions = {}): DiffResult {
  const to = String(options.to ?? "current");
  const from = String(options.from ?? previousVersion(ports, ref).version);
  const [before = "", after = ""] = [from, to].map((version) =>
    textOf(readVersion(ports, ref, version), `Version '${version}'`),
  );
  return { ...ref, from, to, hunks: hunksBetween(before, after) };
}

/** Between two states of a document, without the keys that Retain maintains. */
export function hunksBetween(before: string, after: string): Hunk[] {
  const [old, now] = [before, after].map((text) => comparable(parseMarkdown(text))) as [string, string];
  const { hunks } = structuredPatch("", "", old, now, undefined, undefined, { context: 3 });
  return hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    old_start: oldStart,
    old_lines: oldLines,
    new_start: newStart,
    new_lines: newLines,
    lines,
  }));
}

/** The lines of the keys that record each write. A value continues on lines that are indented or start with "-". */
const BOOKKEEPING =
  /^(["']?)(?:version|version_history|updated_at|updated_by)\1[ \t]*:[^\n]*\n(?:\s*?^[ \t-][^\n]*\n)*/gm;

/** The text without the keys that record each write. Reads lines, because each put needs this and parsing is slow. */
export function comparable(markdown: MarkdownFile): string {
  if (markdown.yaml === null || markdown.problem !== null) return printMarkdown(markdown);
  return printMarkdown({ ...markdown, yaml: markdown.yaml.replace(BOOKKEEPING, "") });
}

/** The newest version that isn't the current one. */
export function previousVersion(ports: DocumentPorts, ref: DocumentRef): Version {
  const version = ports.versions.list(ref, ports.files.read(ref)).find((candidate) => !candidate.current);
  if (version !== undefined) return version;
  throw new RetainError(
    "not_found",
    `'${ref.id}' has no earlier version.`,
    "Retain keeps a version each time a document changes.",
  );
}
