/** Checks input before anything is changed. */
import { type Document, MANAGED_KEYS, textList } from "../core/documents/document.ts";
import { contentOf, type MarkdownFile, parseMarkdown, withContent } from "../core/documents/frontmatter.ts";
import { excessOf, type Fields } from "../core/documents/read-yaml.ts";
import { headingOf, titleOf } from "../core/documents/slug.ts";
import { RetainError, requireText } from "../core/errors.ts";
import { command, type Hint, hint, option, slot } from "../core/hint.ts";
import { ORIGINS } from "../core/memory.ts";
import { problemWith } from "../util/invalid-input.ts";
import { sameJson } from "../util/json.ts";
import * as z from "../util/zod.ts";
import { SORT_KEYS } from "./sort.ts";

/** Fields that both `put` and `update` accept. undefined leaves a field alone; null removes it. */
export interface DocumentFieldsInput {
  title?: string | null;
  tags?: readonly string[] | null;
  category?: string | null;
  context?: string | null;
  related_to?: readonly string[] | null;
  project?: string | null;
  priority?: string | null;
  status?: string | null;
  /** Other frontmatter keys; may include known fields. null removes a key. */
  metadata?: Fields;
}

/** Parses Markdown with or without frontmatter. Throws `invalid_input`. */
export function parseInput(text: string, maxBytes: number): MarkdownFile {
  requireStorable(text, maxBytes);
  const markdown = parseMarkdown(text);
  if (markdown.problem !== null)
    throw new RetainError(
      "invalid_input",
      `The frontmatter cannot be read: line ${markdown.problem.line}: ${markdown.problem.message}`,
      "Fix the lines between the two '---', or remove them.",
    );
  requireStorable(contentOf(markdown), maxBytes);
  return markdown;
}

/** Throws `invalid_input`, or `usage` if it isn't a string. */
export function requireStorable(text: string, maxBytes: number): void {
  requireText(text, "Content");
  if (Buffer.byteLength(text) > maxBytes) throw tooLarge(maxBytes);
  if (text.includes("\0"))
    throw new RetainError("invalid_input", "This is binary data, not Markdown.", "Pass a text file.");
  if (text.trim() === "")
    throw new RetainError(
      "invalid_input",
      "There is no content to store.",
      "Pass a file, or '-' to read from a pipe.",
    );
}

export function tooLarge(maxBytes: number, what = "That"): RetainError {
  const megabytes = (maxBytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 });
  return new RetainError(
    "invalid_input",
    `${what} is larger than the limit for a document (${megabytes} MB).`,
    hint`Split it, or raise the limit: ${command("config set", option("global"), "max_document_bytes", slot("bytes"))}`,
  );
}

/** A record of values that frontmatter can hold. */
export function frontmatterShape() {
  const error = ({ input }: { input?: unknown }) => excessOf(input);
  const bounded = z.unknown().check(z.refine((value) => excessOf(value) === null, { error }));
  return z.pipe(bounded, z.record(z.string(), z.json()));
}

function fieldsShape() {
  const text = z.nullish(z.string());
  const texts = z.nullish(z.array(z.string()));
  return {
    title: text,
    tags: texts,
    category: text,
    context: text,
    related_to: texts,
    project: text,
    priority: text,
    status: text,
    metadata: z.optional(frontmatterShape()),
  };
}

function searchShape() {
  return {
    mode: z.optional(z.enum(["both", "text", "semantic"])),
    collection: word(),
    filters: z.optional(z.array(z.string())),
    kinds: z.optional(z.array(z.string())),
    tags: z.optional(z.array(z.string())),
    tagRule: z.optional(z.unknown()),
    askedAt: z.optional(z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))))),
    since: word(),
    until: word(),
    origin: z.optional(z.enum(ORIGINS)),
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(1_000))),
    minScore: z.optional(z.number()),
  };
}

const word = () => z.optional(z.string());
const flag = () => z.optional(z.boolean());
/** "3" and 3 mean the same version. */
const version = () => z.optional(z.union([z.string(), z.number()]));
const instance = (kind: "function" | "object") => {
  const isOne = (value: unknown) => value !== null && typeof value === kind;
  return z.optional(z.unknown().check(z.refine(isOne, { error: `must be a ${kind}` })));
};

/**
 * Schemas for callers without type checking. A misspelt key is an error. Each schema is built on first use, since a command
 * needs only one.
 */
const INPUTS = {
  openRetain: () =>
    z.strictObject({
      cwd: word(),
      scope: z.optional(z.enum(["auto", "local", "global"])),
      bank: word(),
      settings: z.optional(z.record(z.string(), z.unknown())),
      env: z.optional(z.record(z.string(), word())),
      homeDirectory: word(),
      clock: instance("function"),
      backend: instance("object"),
      asker: z.optional(z.enum(["person", "machine"])),
      responsive: flag(),
      onWarning: instance("function"),
    }),
  put: () =>
    z.strictObject({
      content: z.string(),
      id: word(),
      collection: word(),
      created_by: word(),
      date: word(),
      client: word(),
      append: flag(),
      noOverwrite: flag(),
      snapshot: flag(),
      refuseSecrets: flag(),
      ...fieldsShape(),
    }),
  update: () =>
    z.strictObject({
      content: word(),
      replace: z.optional(z.strictObject({ old: z.string(), new: z.string() })),
      collection: word(),
      mergeTags: flag(),
      updated_by: word(),
      client: word(),
      ifVersion: version(),
      snapshot: flag(),
      refuseSecrets: flag(),
      ...fieldsShape(),
    }),
  list: () =>
    z.strictObject({
      collection: word(),
      filters: z.optional(z.array(z.string())),
      sort: z.optional(z.enum(SORT_KEYS)),
      reverse: flag(),
      limit: z.optional(z.int().check(z.minimum(1))),
    }),
  search: () => z.strictObject(searchShape()),
  recall: () => z.strictObject({ ...searchShape(), budget: z.optional(z.int().check(z.minimum(1))) }),
  context: () =>
    z.strictObject({
      query: word(),
      chat: word(),
      session: word(),
      incognito: flag(),
      marks: flag(),
      compactedTo: z.optional(z.int().check(z.minimum(0))),
      budget: z.optional(z.int().check(z.minimum(1))),
    }),
  rewrite: () =>
    z.strictObject({ collection: word(), updated_by: word(), ifVersion: version(), snapshot: flag() }),
  restore: () =>
    z.strictObject({ collection: word(), version: version(), commit: flag(), updated_by: word() }),
  get: () => z.strictObject({ collection: word(), version: version() }),
  diff: () => z.strictObject({ collection: word(), from: version(), to: version() }),
  collection: () => z.strictObject({ collection: word() }),
  folder: () =>
    z.strictObject({
      name: word(),
      include: z.optional(z.array(z.string())),
      exclude: z.optional(z.array(z.string())),
    }),
  endpoint: () => z.strictObject({ name: z.string(), url: z.string(), key_env: word() }),
} satisfies Record<string, () => z.ZodMiniType>;

export type InputKind = keyof typeof INPUTS;

const made = new Map<InputKind, z.ZodMiniType>();

/** Throws `usage` and names the invalid key. */
export function checkInput(kind: InputKind, value: unknown): void {
  const schema = made.get(kind) ?? INPUTS[kind]();
  made.set(kind, schema);
  const parsed = schema.safeParse(value);
  if (parsed.success) return;
  throw new RetainError("usage", `Invalid input for ${kind}: ${problemWith(value, parsed.error.issues)}.`);
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

/** The requested frontmatter changes; undefined removes a key. Throws `usage` for keys that Retain maintains. */
export function requestedFields(input: DocumentFieldsInput): Fields {
  const metadata = input.metadata ?? {};
  const reserved = MANAGED_KEYS.find((key) => Object.hasOwn(metadata, key));
  if (reserved !== undefined)
    throw new RetainError(
      "usage",
      `'${reserved}' cannot be set as metadata: Retain maintains it.`,
      optionFor(reserved),
    );
  for (const key of ["created_at", "updated_at"]) {
    const value = metadata[key];
    if (typeof value === "string" && Number.isNaN(Date.parse(value)))
      throw new RetainError("usage", `'${key}' is not a date: ${value}`, "For example: 2026-11-15T20:17:47Z");
  }
  const named = NAMED.filter((key) => input[key] !== undefined).map((key) => [key, input[key]] as const);
  const entries = [...named, ...Object.entries(metadata)];
  return Object.fromEntries(entries.map(([key, value]) => [key, isEmpty(value) ? undefined : value]));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function optionFor(key: string): Hint | undefined {
  return key === "id" || key === "collection" ? hint`Use ${option(key)}.` : undefined;
}

/** Replacing a document with a file keeps the document's own history, not the file's. */
const OWN_HISTORY = new Set<string>([
  ...MANAGED_KEYS,
  "created_at",
  "created_by",
  "updated_at",
  "updated_by",
]);

/** The fields of an input file that apply to an existing document. */
export function broughtFields(markdown: MarkdownFile): Fields {
  return Object.fromEntries(Object.entries(markdown.fields).filter(([key]) => !OWN_HISTORY.has(key)));
}

/** Sets the content. If it is the same, the file stays as it is, including whether a blank line follows the frontmatter. */
export function saying(markdown: MarkdownFile, content: string): MarkdownFile {
  return contentOf(markdown) === content ? markdown : withContent(markdown, content);
}

/**
 * The title after a change of content; null if it stays. A title that was set explicitly stays, one that came from a heading
 * changes with the heading, and one that came from the text follows the text.
 */
export function titleAfter(current: Pick<Document, "title" | "content">, content: string): string | null {
  if (titleOf(current.content) !== current.title) return null;
  return headingOf(current.content) === null ? titleOf(content) : headingOf(content);
}

/** The document's tags and the requested ones; undefined if there are none. */
export function mergedTags({ tags }: Pick<Document, "tags">, requested: Fields): string[] | undefined {
  const merged = [...new Set([...tags, ...textList(requested.tags)])];
  return merged.length > 0 ? merged : undefined;
}

/** Drops changes that equal the current value. */
export function differing(changes: Fields, current: Fields): Fields {
  return Object.fromEntries(Object.entries(changes).filter(([key, value]) => !sameJson(current[key], value)));
}
