/**
 * Stores what a client retains. One statement becomes a fact in MEMORY.md, if a fact can hold everything that came with it; any
 * other item becomes a document. Items of one document in a request are stored together.
 */
import type { Retain } from "../app.ts";
import { DEFAULT_COLLECTION } from "../core/documents/names.ts";
import { RetainError } from "../core/errors.ts";
import { TRUSTS, type Trust } from "../core/memory.ts";
import { findSecrets, redactSecrets } from "../core/secrets/secrets.ts";
import type { PutInput } from "../documents/put.ts";
import { sha256 } from "../util/hash.ts";
import { invalid } from "./api/errors.ts";
import { Batches } from "./batches.ts";
import { fieldsOf, findDocument, refOf } from "./documents.ts";

export interface Item {
  readonly content: string;
  readonly context: string | null;
  readonly tags: readonly string[];
  /** ISO 8601; null if unknown. */
  readonly at: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly documentId: string | null;
  readonly isAppended: boolean;
}

export class Retaining {
  readonly #documents: Batches<readonly Item[]>;

  constructor(private readonly memory: Retain) {
    this.#documents = new Batches(
      (requests) => putDocuments(memory, requests),
      (items) => items.map(idOf),
    );
  }

  /** Everything is durable on return. Throws 422, with nothing stored, if an item cannot be stored. */
  async retain(items: readonly Item[]): Promise<void> {
    for (const [index, item] of items.entries()) check(item, index);
    const facts = items.filter(isFact);
    const documents = items.filter((item) => !isFact(item));
    for (const [session, said] of Map.groupBy(facts, sessionOf))
      await retainFacts(this.memory, said, session);
    if (documents.length > 0) await this.#documents.add(documents);
  }
}

function check(item: Item, index: number): void {
  const loc = ["body", "items", index, "content"];
  if (item.content.trim() === "") throw invalid(loc, "The content is empty.");
  if (item.content.includes("\0")) throw invalid(loc, "The content is binary data.");
  const said = [item.content, item.context ?? "", ...item.tags].join("\n");
  const [secret] = isFact(item) ? findSecrets(said) : [];
  if (secret !== undefined) throw invalid(loc, `Not stored: it contains ${secret.what}.`, "secret");
}

/** In characters; a longer text is not one statement. */
const LONGEST_FACT = 500;
const LONGEST_TAG = 80;
const SESSION = /^[\w-]{1,100}$/;
const FACT_METADATA = new Set(["source", "trust", "session_id"]);

/** Whether a fact can hold all of it. */
function isFact({ content, documentId, metadata, tags, context }: Item): boolean {
  const session = metadata.session_id;
  return (
    documentId === null &&
    content.trim().length <= LONGEST_FACT &&
    !/[\r\n]/.test(content.trim()) &&
    Object.keys(metadata).every((key) => FACT_METADATA.has(key)) &&
    (session === undefined || SESSION.test(session)) &&
    [...tags, context ?? ""].every((text) => text.length <= LONGEST_TAG && !/[,\r\n]/.test(text))
  );
}

function sessionOf({ metadata }: Item): string | null {
  return metadata.session_id ?? null;
}

async function retainFacts(retain: Retain, items: readonly Item[], session: string | null): Promise<void> {
  const said = items.map(({ content, context, tags, at, metadata }) => ({
    content,
    tags,
    sameTags: true,
    trust: trustOf(metadata.trust),
    ...(context !== null && { category: context }),
    ...(at !== null && { at }),
  }));
  const { refused, failed } = await retain.facts.retain(said, { session, message: null, by: "api" });
  const [problem] = [...refused, ...failed];
  if (problem !== undefined) throw new RetainError("invalid_input", `Not stored: ${problem.why}.`);
}

function trustOf(said: string | undefined): Trust {
  return TRUSTS.find((trust) => trust === said) ?? "inferred";
}

/** Returns an outcome for each request. */
async function putDocuments(
  retain: Retain,
  requests: readonly (readonly Item[])[],
): Promise<(RetainError | null)[]> {
  const sources: { name: string; request: number; read(): Promise<PutInput> }[] = [];
  for (const [request, items] of requests.entries())
    for (const [documentId, parts] of Map.groupBy(items, idOf))
      sources.push({ name: documentId, request, read: () => documentOf(retain, documentId, parts) });
  const { stored, failed } = await retain.documents.putMany(sources);
  const ids = new Set(stored.map(({ id }) => id));
  const [failure] = failed;
  return requests.map((_, request) => {
    const missing = sources.find((one) => one.request === request && !ids.has(refOf(one.name).id));
    if (missing === undefined) return null;
    return (failed.find(({ name }) => name === missing.name) ?? failure)?.error ?? NOT_STORED;
  });
}

/** After a disk failure, the rest is not tried. */
const NOT_STORED = new RetainError("io", "Not stored.", "Try again.");

/** An item without an id gets one from its content, so that retaining it again changes nothing. */
function idOf({ documentId, content, context, tags, metadata }: Item): string {
  return documentId ?? `item-${sha256(JSON.stringify([content, context, tags, metadata])).slice(0, 16)}`;
}

async function documentOf(retain: Retain, documentId: string, parts: readonly Item[]): Promise<PutInput> {
  const before = parts.some(({ isAppended }) => isAppended) ? await findDocument(retain, documentId) : null;
  const texts = [...(before === null ? [] : [before.content]), ...parts.map(({ content }) => content)];
  const tags = new Set([...(before?.tags ?? []), ...parts.flatMap((part) => part.tags)]);
  const metadata = Object.assign({}, ...parts.map((part) => part.metadata));
  const content = redactSecrets(texts.join("\n\n"), true);
  return {
    // A first line of dashes would be read as frontmatter.
    content: content.startsWith("---") ? `\n${content}` : content,
    id: refOf(documentId).id,
    collection: DEFAULT_COLLECTION,
    title: null,
    context: parts.findLast(({ context }) => context !== null)?.context ?? null,
    tags: [...tags],
    metadata: fieldsOf(documentId, metadata, parts.findLast(({ at }) => at !== null)?.at ?? null),
    client: "api",
  };
}
