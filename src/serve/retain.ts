/**
 * Stores what a client retains. One statement becomes a fact in MEMORY.md, if a fact can hold everything that came with it; any
 * other item becomes a document. Items of one document in a request are stored together.
 */
import type { Retain } from "../app.ts";
import { fieldText } from "../core/documents/document.ts";
import { RetainError } from "../core/errors.ts";
import { TRUSTS, type Trust } from "../core/memory.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import type { PutInput } from "../documents/put.ts";
import type { GotDocument } from "../documents/read.ts";
import { type RetainItem, refusalOf } from "../facts/write/retain.ts";
import { sha256 } from "../util/hash.ts";
import { invalid } from "./api/errors.ts";
import { Batches } from "./batches.ts";
import { fieldsOf, findDocument, metadataIn, refOf } from "./documents.ts";

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
  readonly #documents: Batches<readonly ToPut[]>;

  constructor(
    private readonly memory: Retain,
    /** Called before anything is stored. */
    private readonly createBank: () => void,
  ) {
    this.#documents = new Batches(
      (requests) => putDocuments(memory, requests),
      (documents) => documents.map(({ id }) => id),
    );
  }

  /** Everything is durable on return. Throws 422, with nothing stored, if an item cannot be stored. */
  async retain(items: readonly Item[]): Promise<void> {
    for (const [index, item] of items.entries()) check(item, index);
    const facts = items.filter(isFact);
    const parts = items.filter((item) => !isFact(item));
    const documents: ToPut[] = [];
    for (const [id, own] of Map.groupBy(parts, idOf)) documents.push(await documentOf(this.memory, id, own));
    for (const document of documents) await this.memory.documents.checkPut(document);
    this.createBank();
    for (const [session, said] of Map.groupBy(facts, sessionOf))
      await retainFacts(this.memory, said, session);
    if (documents.length > 0) await this.#documents.add(documents);
  }
}

type ToPut = PutInput & { readonly id: string };

function check(item: Item, index: number): void {
  const loc = ["body", "items", index, "content"];
  if (item.content.trim() === "") throw invalid(loc, "The content is empty.");
  if (item.content.includes("\0")) throw invalid(loc, "The content is binary data.");
  const refusal = isFact(item) ? refusalOf(factOf(item)) : null;
  if (refusal !== null) throw invalid(loc, `Not stored: ${refusal}.`);
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
  const source = { session, message: null, by: "api" };
  const { refused, failed } = await retain.facts.retain(items.map(factOf), source);
  const [problem] = [...refused, ...failed];
  if (problem !== undefined) throw new RetainError("io", `Not stored: ${problem.why}.`);
}

function factOf({ content, context, tags, at, metadata }: Item): RetainItem {
  return {
    content,
    tags,
    sameTags: true,
    trust: trustOf(metadata.trust),
    ...(context !== null && { category: context }),
    ...(at !== null && { at }),
  };
}

function trustOf(said: string | undefined): Trust {
  return TRUSTS.find((trust) => trust === said) ?? "inferred";
}

/** Returns an outcome for each request. */
async function putDocuments(
  retain: Retain,
  requests: readonly (readonly ToPut[])[],
): Promise<(RetainError | null)[]> {
  const sources = requests.flat().map((input) => ({ name: input.id, read: () => input }));
  const { stored, failed } = await retain.documents.putMany(sources);
  const ids = new Set(stored.map(({ id }) => id));
  const [failure] = failed;
  return requests.map((documents) => {
    const missing = documents.find(({ id }) => !ids.has(id));
    if (missing === undefined) return null;
    return (failed.find(({ name }) => name === missing.id) ?? failure)?.error ?? NOT_STORED;
  });
}

/** After a disk failure, the rest is not tried. */
const NOT_STORED = new RetainError("io", "Not stored.", "Try again.");

/** An item without an id gets one from its content, so that retaining it again changes nothing. */
function idOf({ documentId, content, context, tags, metadata }: Item): string {
  return documentId ?? `item-${sha256(JSON.stringify([content, context, tags, metadata])).slice(0, 16)}`;
}

async function documentOf(retain: Retain, documentId: string, parts: readonly Item[]): Promise<ToPut> {
  const { id, collection } = refOf(documentId);
  const append = parts.some(({ isAppended }) => isAppended);
  const known = append ? await findDocument(retain, documentId) : null;
  // Another writer's document stays as it is: the client appends to a copy.
  const all = [...(known === null || known.id === id ? [] : [asItem(known)]), ...parts];
  const metadata = Object.assign({}, ...all.map((part) => part.metadata));
  const content = redactSecrets(all.map((part) => part.content).join("\n\n"), true);
  const context = all.findLast((part) => part.context !== null)?.context ?? null;
  const fields = fieldsOf(documentId, metadata, all.findLast(({ at }) => at !== null)?.at ?? null);
  const stated = Object.entries(fields).filter(([, value]) => value !== null);
  return {
    // A first line of dashes would be read as frontmatter.
    content: content.startsWith("---") ? `\n${content}` : content,
    ...{ id, collection, append },
    title: null,
    tags: [...new Set(all.flatMap(({ tags }) => tags))],
    // What an append doesn't name stays; null removes it.
    ...(append && context === null ? {} : { context }),
    metadata: append ? Object.fromEntries(stated) : fields,
    client: "api",
  };
}

function asItem(document: GotDocument): Pick<Item, "content" | "tags" | "context" | "metadata" | "at"> {
  const { content, tags, context, metadata } = document;
  return { content, tags, context, metadata: metadataIn(document), at: fieldText(metadata.date) };
}
