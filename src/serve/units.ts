/**
 * Memories as Hindsight's clients see them: memory units. A fact is a unit, and so is a document, whose id is
 * "collection/id"; a hit further down in a document has the line after it.
 */
import type { Identified } from "../app/find-by-id.ts";
import type { Retain } from "../app.ts";
import type { DocumentRef, DocumentSummary } from "../core/documents/document.ts";
import { fieldText } from "../core/documents/document.ts";
import { isInferredFile } from "../core/facts/memory-paths.ts";
import { documentOfSource, documentSource } from "../core/memory.ts";
import { shareableText } from "../core/secrets/shareable.ts";
import type { OwnedFact } from "../facts/list-facts.ts";
import type { SearchHit } from "../recall/search.ts";
import { documentIdOf, metadataIn, orNull } from "./documents.ts";

/** Of other people's words and general knowledge; of what was said and done; derived by a model. */
export const UNIT_TYPES = ["world", "experience", "observation"] as const;
export type UnitType = (typeof UNIT_TYPES)[number];

export interface Unit {
  readonly id: string;
  readonly text: string;
  readonly type: UnitType;
  readonly context: string | null;
  readonly mentioned_at: string | null;
  readonly document_id: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly state: "valid" | "invalidated";
}

/** The heading of facts that have none of their own. */
const GENERAL = "general";

function factUnit(fact: Omit<OwnedFact, "origin">): Unit {
  const { id, text, category, created_at, source, file, ended_at, may_be_outdated_by } = fact;
  return {
    id,
    text,
    type: isInferredFile(file) ? "observation" : "world",
    context: category.toLowerCase() === GENERAL ? null : category,
    mentioned_at: created_at,
    document_id: null,
    metadata: factMetadata(source, may_be_outdated_by),
    tags: source.tags,
    state: ended_at === null ? "valid" : "invalidated",
  };
}

/** `newer` is the id of the fact that may replace it. */
function factMetadata(
  { trust, session }: Pick<OwnedFact["source"], "trust" | "session">,
  newer: string | null,
): Record<string, string> {
  return {
    trust,
    ...(session !== null && { session_id: session }),
    ...(newer !== null && { may_be_outdated_by: newer }),
  };
}

function documentUnit(document: DocumentSummary, text: string): Unit {
  return {
    id: documentSource(document),
    text,
    type: "world",
    context: document.context,
    mentioned_at: dateOf(document),
    document_id: documentIdOf(document),
    metadata: metadataIn(document),
    tags: document.tags,
    state: "valid",
  };
}

function dateOf({ metadata, updated_at, created_at }: DocumentSummary): string | null {
  return fieldText(metadata.date) ?? updated_at ?? created_at;
}

/** A hit of a search; `document` is the one it is in. */
export function hitUnit(hit: SearchHit, document: DocumentSummary | null): Unit {
  const { kind, id, text, at, trust, session, tags, unconfirmed, line, mayBeOutdatedBy } = hit;
  if (document !== null) {
    const unit = documentUnit(document, text);
    return { ...unit, id: line > 1 ? `${unit.id}#${line}` : unit.id, mentioned_at: at };
  }
  return {
    id,
    text,
    type: unconfirmed ? "observation" : kind === "fact" ? "world" : "experience",
    context: null,
    mentioned_at: at,
    document_id: null,
    metadata: factMetadata({ trust, session }, mayBeOutdatedBy ?? null),
    tags,
    state: "valid",
  };
}

/** The document that a unit's id names; null if it names something else. */
export function documentIn(id: string): DocumentRef | null {
  const source = id.replace(/#\d+$/, "");
  return source.includes("/") && !source.includes("#") ? documentOfSource(source) : null;
}

/** null if no memory has this id. */
export async function findUnit(
  retain: Retain,
  id: string,
): Promise<{ unit: Unit; found: Identified } | null> {
  const ref = documentIn(id);
  const found =
    ref === null
      ? await orNull(() => retain.find(id))
      : await orNull(() => retain.find(ref.id, { collection: ref.collection }));
  if (found === null) return null;
  if (found.kind === "fact") {
    const { fact } = found.provenance;
    const pair = (await retain.facts.doubts()).find(({ older }) => older.id === fact.id);
    return { unit: factUnit({ ...fact, may_be_outdated_by: pair?.newer.id ?? null }), found };
  }
  if (found.kind === "document")
    return { unit: documentUnit(found.document, shareableText(found.document.content)), found };
  return null;
}

/** In ms; 0 if unknown: a document's date may be any text. */
function timeOf(at: string | null): number {
  return Date.parse(at ?? "") || 0;
}

/** All facts and documents, newest first, those of one time by id; without the documents' texts. */
export async function units(retain: Retain): Promise<Unit[]> {
  const facts = (await retain.facts.list({ which: "all" })).map(factUnit);
  const { documents } = await retain.documents.list({});
  const all = [...facts, ...documents.map((document) => documentUnit(document, ""))];
  const timed = all.map((unit) => ({ unit, at: timeOf(unit.mentioned_at) }));
  return timed.sort((a, b) => b.at - a.at || (a.unit.id < b.unit.id ? -1 : 1)).map(({ unit }) => unit);
}
