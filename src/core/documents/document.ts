/**
 * A document: the content of a Markdown file in a collection. Fields have the same names in the frontmatter, in JSON and in the
 * library.
 */
import { sha256 } from "../../util/hash.ts";
import { contentOf, type MarkdownFile } from "./frontmatter.ts";
import type { Fields } from "./read-yaml.ts";
import { titleOf } from "./slug.ts";

/** Where a document is. The path decides, not the frontmatter: a renamed file has a new id. */
export interface DocumentRef {
  readonly collection: string;
  readonly id: string;
}

export interface Document extends DocumentRef {
  readonly title: string;
  readonly content: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly created_by: string | null;
  readonly updated_by: string | null;
  readonly context: string | null;
  readonly tags: readonly string[];
  readonly category: string | null;
  readonly related_to: readonly string[];
  readonly project: string | null;
  readonly priority: string | null;
  readonly status: string | null;
  /** Incremented by each write; null for a file that Retain has never written. */
  readonly version: number | null;
  /** Every other frontmatter key, as written. */
  readonly metadata: Fields;
}

/** A document without its content, as `list` shows it. */
export type DocumentSummary = Omit<Document, "content">;

/** Keys that Retain maintains; users can't set them as metadata. */
export const MANAGED_KEYS = ["id", "collection", "version", "version_history"] as const;

const FIELD_KEYS = new Set<string>([
  ...MANAGED_KEYS,
  "title",
  "created_at",
  "updated_at",
  "created_by",
  "updated_by",
  "context",
  "tags",
  "category",
  "related_to",
  "project",
  "priority",
  "status",
]);

/** Fields of every document, for filters; `version_history` is a list of objects. */
export const FILTER_FIELDS: readonly string[] = [...FIELD_KEYS].filter((key) => key !== "version_history");

export function documentOf(ref: DocumentRef, file: MarkdownFile): Document {
  const content = contentOf(file);
  return { ...summaryOf(ref, file.fields, () => titleOf(content)), content };
}

/** People write frontmatter by hand, so wrong types are converted if possible and never rejected. */
export function summaryOf(ref: DocumentRef, fields: Fields, fallbackTitle: () => string): DocumentSummary {
  return {
    id: ref.id,
    collection: ref.collection,
    title: fieldText(fields.title) ?? fallbackTitle(),
    created_at: fieldText(fields.created_at),
    updated_at: fieldText(fields.updated_at),
    created_by: fieldText(fields.created_by),
    updated_by: fieldText(fields.updated_by),
    context: fieldText(fields.context),
    tags: textList(fields.tags),
    category: fieldText(fields.category),
    related_to: textList(fields.related_to),
    project: fieldText(fields.project),
    priority: fieldText(fields.priority),
    status: fieldText(fields.status),
    version: positiveInteger(fields.version),
    metadata: freeFields(fields),
  };
}

function freeFields(fields: Fields): Fields {
  const keys = Object.keys(fields).filter((key) => !FIELD_KEYS.has(key));
  return Object.fromEntries(keys.map((key) => [key, fields[key]]));
}

/** Identifies the exact bytes of a document: "3-9f2a1c04b7d1". */
export function etagOf(version: number | null, data: string | Uint8Array): string {
  return `${version ?? 0}-${sha256(data).slice(0, 12)}`;
}

/** A field as text; null if it is empty or not a plain value. */
export function fieldText(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  return null;
}

/** From a YAML list or a comma-separated text. */
export function textList(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const items = Array.isArray(value) ? value.map(fieldText) : (fieldText(value)?.split(",") ?? []);
  return [...new Set(items.map((item) => item?.trim() ?? "").filter((item) => item !== ""))];
}

/** A version number within the range that `versionNumber` accepts. */
function positiveInteger(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < 1_000_000_000
    ? value
    : null;
}
