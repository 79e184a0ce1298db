/** Stores a document: creates it, or replaces it and keeps the fields that weren't given. */
import { type Document, type DocumentRef, fieldText } from "../core/documents/document.ts";
import { contentOf, type MarkdownFile, printMarkdown, withFields } from "../core/documents/frontmatter.ts";
import { checkNewName, DEFAULT_COLLECTION } from "../core/documents/names.ts";
import { requireOwn } from "../core/documents/read-only.ts";
import type { Fields } from "../core/documents/read-yaml.ts";
import { headingOf, idFor, titleOf } from "../core/documents/slug.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import type { DocumentChange } from "../core/ports/documents.ts";
import { isRecord } from "../util/json.ts";
import { nearest } from "../util/text.ts";
import {
  broughtFields,
  checkInput,
  type DocumentFieldsInput,
  differing,
  mergedTags,
  parseInput,
  requestedFields,
  requireStorable,
  saying,
  titleAfter,
} from "./input.ts";
import { type ByClient, type DocumentPorts, signer, timestamp } from "./ports.ts";
import { type OpenDocument, parseFile, refFor } from "./read.ts";
import { refuseSecrets, secretsIn, warnOfSecrets } from "./secrets.ts";
import {
  keepMode,
  type PlannedWrite,
  recordChange,
  refuseUnreadable,
  unchanged,
  type WrittenDocument,
  writeAll,
} from "./write.ts";

export interface PutInput extends DocumentFieldsInput, ByClient {
  /** Markdown, with or without frontmatter of its own. */
  content: string;
  /** Default: from the frontmatter, the title, the first heading, or a hash of the content. */
  id?: string;
  /** Default: from the frontmatter, else "memory". */
  collection?: string;
  created_by?: string;
  /** Stored as `date`, unless the frontmatter has a date of its own. */
  date?: string;
  /** If the document exists, add to its content, its tags and the keys of its nested metadata, instead of replacing them. */
  append?: boolean;
  /** Fail with `exists` if the document already exists. */
  noOverwrite?: boolean;
  /** Keep the previous state as a version even if `auto_version` is off. */
  snapshot?: boolean;
  /** Fail with `secret` if the document contains one, instead of warning. */
  refuseSecrets?: boolean;
}

export interface PutResult extends WrittenDocument {
  readonly title: string;
  readonly action: "created" | "replaced" | "unchanged";
  /** For a new document: other collections that have the same id. */
  readonly also_in: readonly string[];
  /** Where it contains secrets: "line 4 contains a password". Omitted if there are none. */
  readonly secrets?: readonly string[];
}

/** The label of such a change. */
export const PUT = "put";

/** Creates or replaces a document; durable on return. Putting the same content again changes nothing. */
export async function putDocument(ports: DocumentPorts, input: PutInput): Promise<PutResult> {
  const incoming = readIncoming(ports, input);
  const { id, secrets } = incoming;
  warnOfSecrets(ports, [{ name: id, secrets }]);
  const [outcome] = await ports.lock.exclusively(() => {
    const { outcomes, changes } = putAll(ports, [incoming]);
    recordChange(ports, PUT, changes);
    return outcomes;
  });
  if (outcome === undefined || "error" in outcome) throw outcome?.error;
  advise(ports, [outcome.result]);
  return secrets.length === 0 ? outcome.result : { ...outcome.result, secrets };
}

/** Throws what `putDocument` would throw for this input, and changes nothing. */
export function checkPut(ports: DocumentPorts, input: PutInput): void {
  planPut(ports, readIncoming(ports, input));
}

/** A parsed input with its collection and id. */
export interface Incoming extends DocumentRef {
  readonly input: PutInput;
  readonly markdown: MarkdownFile;
  readonly title: string | null;
  readonly secrets: readonly string[];
}

/** Throws `invalid_input`, `invalid_name`, `read_only`, `secret` or `usage` before anything changes. */
export function readIncoming(ports: DocumentPorts, input: PutInput): Incoming {
  checkInput("put", input);
  const markdown = parseInput(input.content, ports.settings.max_document_bytes);
  const { fields } = markdown;
  const requested = requestedFields(input);
  const title = fieldText(requested.title) ?? fieldText(fields.title);
  const id = idFor({ id: input.id ?? fieldText(fields.id), title, content: contentOf(markdown) });
  const named = input.collection ?? fieldText(fields.collection) ?? DEFAULT_COLLECTION;
  const collection = named.normalize("NFC");
  checkNewName("collection", collection);
  const ref = refFor(ports.files, { collection, id });
  requireOwn(ports.files, ref, "Choose another collection, or write into that folder yourself.");
  const secrets = secretsIn(input.content, requested);
  if (input.refuseSecrets) refuseSecrets(secrets);
  return { ...ref, input, markdown, title, secrets };
}

/** The outcome for one document of a batch. */
export type PutOutcome = { readonly result: PutResult } | { readonly error: unknown };

/** Times that a batch is planned again because somebody saved one of its documents at the same moment. */
const MOST_REPLANS = 5;

/**
 * Stores the batch and returns an outcome for each document. Call with the lock held; the caller records the changes. A disk failure
 * ends the batch: the document that hit it gets the error, and later documents have no outcome and are unchanged.
 */
export function putAll(
  ports: DocumentPorts,
  batch: readonly Incoming[],
  replans = MOST_REPLANS,
): { outcomes: PutOutcome[]; changes: DocumentChange[] } {
  const plans = batch.map((incoming) => attempt(() => planPut(ports, incoming)));
  const needed = plans.flatMap((plan) =>
    "result" in plan && plan.result.action !== "unchanged" ? [plan.result] : [],
  );
  const { written, failure, changes } = writeAll(ports, needed);
  const results = new Map(written.map((result, index) => [needed[index], result]));
  const failed = needed[written.length];
  const outcomes: PutOutcome[] = [];
  for (const plan of plans) {
    if ("error" in plan) outcomes.push(plan);
    else if (plan.result === failed) {
      const isJustSaved = failure instanceof RetainError && failure.code === "conflict";
      if (!isJustSaved || replans === 0) return { outcomes: [...outcomes, { error: failure }], changes };
      const rest = putAll(ports, batch.slice(outcomes.length), replans - 1);
      return { outcomes: [...outcomes, ...rest.outcomes], changes: [...changes, ...rest.changes] };
    } else outcomes.push({ result: describe(ports, plan.result, results.get(plan.result)) });
  }
  return { outcomes, changes };
}

function attempt<T>(work: () => T): { result: T } | { error: RetainError } {
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof RetainError) return { error };
    throw error;
  }
}

function describe(ports: DocumentPorts, plan: PlannedPut, written: WrittenDocument | undefined): PutResult {
  const { ref, action, title } = plan;
  const holding = action === "created" ? ports.files.holding(ref.id) : [];
  const also_in = holding.filter((other) => other !== ref.collection);
  return { ...(written ?? unchanged(plan.current as OpenDocument)), title, action, also_in };
}

interface PlannedPut extends PlannedWrite {
  readonly action: PutResult["action"];
  readonly title: string;
}

function planPut(ports: DocumentPorts, incoming: Incoming): PlannedPut {
  const { collection, id, input } = incoming;
  const ref = { collection, id };
  const file = ports.files.read(ref);
  if (file !== null && input.noOverwrite)
    throw new RetainError(
      "exists",
      `'${id}' already exists in collection '${collection}'.`,
      hint`Choose another ${option("id")}, or change it with: ${command("update", id)}`,
    );
  const common = { ref, by: input.created_by ?? signer(ports, input), keep: keepMode(input.snapshot) };
  if (file === null) {
    const wanted = newFields(ports, incoming);
    const { markdown } = incoming;
    const fields = differing(wanted, markdown.fields);
    return { ...common, current: null, markdown, fields, action: "created", title: String(wanted.title) };
  }
  const current = parseFile(file);
  refuseUnreadable(current);
  const given = contentOf(incoming.markdown);
  const content = input.append ? `${current.document.content.trimEnd()}\n\n${given}` : given;
  if (input.append) requireStorable(content, ports.settings.max_document_bytes);
  const fields = differing(replacingFields(incoming, current, content), current.markdown.fields);
  const markdown = saying(withFields(current.markdown, fields), content);
  const same = printMarkdown(markdown) === printMarkdown(current.markdown);
  return {
    ...common,
    current,
    markdown,
    action: same ? "unchanged" : "replaced",
    title: String(markdown.fields.title),
  };
}

/** In the order of a new frontmatter. Fields that the input file has keep their position. */
function newFields(ports: DocumentPorts, { input, markdown, collection, id, title }: Incoming): Fields {
  const own = markdown.fields;
  const { title: _, ...requested } = requestedFields(input);
  return {
    id,
    title: title ?? titleOf(contentOf(markdown)),
    collection,
    created_at: fieldText(own.created_at) ?? timestamp(ports.clock),
    created_by: input.created_by ?? fieldText(own.created_by) ?? signer(ports, input),
    version_history: undefined,
    ...dateOf(input, own),
    ...requested,
  };
}

function dateOf({ date }: PutInput, own: Fields): Fields {
  return date === undefined || own.date !== undefined || own.created !== undefined ? {} : { date };
}

function replacingFields(
  { input, markdown, collection, id, title }: Incoming,
  { document }: OpenDocument,
  content: string,
): Fields {
  const requested = {
    ...broughtFields(markdown),
    ...dateOf(input, markdown.fields),
    ...requestedFields(input),
  };
  return {
    ...requested,
    ...(input.append && { ...mergedMaps(document, requested), tags: mergedTags(document, requested) }),
    id,
    collection,
    title: title ?? headingOf(content) ?? titleAfter(document, content) ?? document.title,
  };
}

/** The requested fields with keys of their own, each with the document's keys that they don't replace. */
function mergedMaps({ metadata }: Document, requested: Fields): Fields {
  const merged: Fields = {};
  for (const [key, value] of Object.entries(requested)) {
    const before = metadata[key];
    if (isRecord(before) && isRecord(value)) merged[key] = { ...before, ...value };
  }
  return merged;
}

/** One warning each for new documents whose id is also in another collection, and for collections the config doesn't list. */
export function advise({ settings, warn }: DocumentPorts, results: readonly PutResult[]): void {
  const doubled = results.filter((result) => result.also_in.length > 0);
  const [first] = doubled;
  if (first !== undefined) {
    const others = [...new Set(doubled.flatMap((result) => result.also_in))].sort().join(", ");
    const ids = doubled.length === 1 ? `'${first.id}' is` : `${doubled.length} of these ids are`;
    warn(`${ids} also in ${others}; pass ${option("collection")} to read one.`);
  }
  if (settings.collections.length === 0) return;
  for (const collection of new Set(results.map((result) => result.collection))) {
    if (settings.collections.includes(collection)) continue;
    const guess = nearest(collection, settings.collections);
    const meant = guess === null ? "" : ` Did you mean '${guess}'?`;
    warn(`This workspace's config does not list the collection '${collection}'.${meant}`);
  }
}
