/** What people hand in, checked before anything is touched. */
import { MANAGED_KEYS } from "../core/document.ts";
import { RetainError } from "../core/errors.ts";
import { contentOf, type MarkdownFile, parseMarkdown } from "../core/frontmatter.ts";
import type { Fields } from "../core/yaml-fields.ts";

/** The fields that `put` and `update` share. undefined leaves a field alone; null removes it. */
export interface DocumentFieldsInput {
  title?: string | null;
  tags?: readonly string[] | null;
  category?: string | null;
  context?: string | null;
  related_to?: readonly string[] | null;
  project?: string | null;
  priority?: string | null;
  status?: string | null;
  /** Any other frontmatter keys, known fields included; null removes a key. */
  metadata?: Fields;
}

/** Markdown as it was handed in, with or without frontmatter. Throws `invalid_input`. */
export function parseInput(text: string, maxBytes: number): MarkdownFile {
  if (Buffer.byteLength(text) > maxBytes) throw tooLarge(maxBytes);
  if (text.includes("\0"))
    throw new RetainError("invalid_input", "This is binary data, not Markdown.", "Give it a text file.");
  const markdown = parseMarkdown(text);
  if (markdown.problem !== null)
    throw new RetainError(
      "invalid_input",
      `The frontmatter cannot be read: line ${markdown.problem.line}: ${markdown.problem.message}`,
      "Mend the lines between the two '---', or remove them.",
    );
  if (contentOf(markdown).trim() === "")
    throw new RetainError(
      "invalid_input",
      "There is no content to keep.",
      "Give it some text: a file, or '-' and a pipe.",
    );
  return markdown;
}

export function tooLarge(maxBytes: number): RetainError {
  const megabytes = (maxBytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 });
  return new RetainError(
    "invalid_input",
    `That is larger than a document may be (${megabytes} MB).`,
    "Split it, or raise the limit: retain config set --global max_document_bytes <bytes>",
  );
}

const NAMED = [
  "title",
  "tags",
  "category",
  "context",
  "related_to",
  "project",
  "priority",
  "status",
] as const;

/** The frontmatter changes that were asked for; undefined removes a key. Throws `usage` for keys that Retain keeps. */
export function requestedFields(input: DocumentFieldsInput): Fields {
  const metadata = plainValues(input.metadata ?? {});
  const reserved = MANAGED_KEYS.find((key) => Object.hasOwn(metadata, key));
  if (reserved !== undefined)
    throw new RetainError(
      "usage",
      `'${reserved}' cannot be set as metadata: Retain keeps it.`,
      optionFor(reserved),
    );
  const named = NAMED.filter((key) => input[key] !== undefined).map((key) => [key, input[key]] as const);
  const entries = [...named, ...Object.entries(metadata)];
  return Object.fromEntries(entries.map(([key, value]) => [key, isEmpty(value) ? undefined : value]));
}

/** As JSON would carry them: what a frontmatter cannot hold (a Date, a class) becomes what it can. */
function plainValues(metadata: Fields): Fields {
  try {
    return JSON.parse(JSON.stringify(metadata)) as Fields;
  } catch {
    throw new RetainError("invalid_input", "The metadata cannot be written as JSON.");
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function optionFor(key: string): string | undefined {
  return key === "id" || key === "collection" ? `Use --${key}.` : undefined;
}

/** A document's history is its own: a file that is put over it does not bring another one along. */
const OWN_HISTORY = new Set<string>([
  ...MANAGED_KEYS,
  "created_at",
  "created_by",
  "updated_at",
  "updated_by",
]);

/** The fields that a handed-in file may give to a document that exists. */
export function broughtFields(markdown: MarkdownFile): Fields {
  return Object.fromEntries(Object.entries(markdown.fields).filter(([key]) => !OWN_HISTORY.has(key)));
}

/** The changes that are any, against what is there. */
export function differing(changes: Fields, current: Fields): Fields {
  return Object.fromEntries(
    Object.entries(changes).filter(([key, value]) => !Bun.deepEquals(current[key], value)),
  );
}
