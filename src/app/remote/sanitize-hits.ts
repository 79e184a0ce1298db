/**
 * Sanitises hits from a server or a program's backend: ids are one line, a document's id is a valid name, and numbers are numbers.
 * Drops invalid hits and duplicates.
 */

import { isComponent, isPath } from "../../core/documents/names.ts";
import { documentOfSource, KINDS, TRUSTS } from "../../core/memory.ts";
import type { BackendHit, BackendStatement } from "../../core/ports/backend.ts";
import { isRecord } from "../../util/json.ts";
import { oneLine, withoutControls } from "../../util/text.ts";

/** The largest valid Date. */
const LAST_MS = 8.64e15;

export function sanitizeHits(hits: unknown): BackendHit[] {
  const sound = Array.isArray(hits) ? hits.flatMap((hit) => sanitizeHit(hit) ?? []) : [];
  return [...Map.groupBy(sound, saying).values()].flatMap(([best]) => best ?? []);
}

/** Equal for duplicates: a server may learn a fact twice from overlapping parts of a conversation. */
function saying({ kind, id, text, tags }: BackendHit): string {
  return JSON.stringify([kind, kind === "document" ? id : null, text.trim(), tags]);
}

export function sanitizeStatement({ id, text }: BackendStatement): BackendStatement {
  return { id: oneLine(id).trim(), text: withoutControls(text) };
}

function sanitizeHit(hit: unknown): BackendHit | null {
  if (!isRecord(hit) || typeof hit.id !== "string" || typeof hit.text !== "string") return null;
  const id = oneLine(hit.id).trim();
  const kind = KINDS.find((one) => one === hit.kind) ?? "fact";
  if (id === "" || hit.text.trim() === "") return null;
  return {
    id,
    kind: kind === "document" && !isDocument(id) ? "fact" : kind,
    text: withoutControls(hit.text),
    tags: (Array.isArray(hit.tags) ? hit.tags : []).flatMap((tag) =>
      typeof tag === "string" ? oneLine(tag) : [],
    ),
    session: typeof hit.session === "string" ? oneLine(hit.session) : null,
    at: typeof hit.at === "number" && Math.abs(hit.at) <= LAST_MS ? hit.at : null,
    trust: TRUSTS.find((one) => one === hit.trust) ?? "inferred",
    cosine: share(hit.cosine),
    words: share(hit.words),
  };
}

function isDocument(source: string): boolean {
  const { collection, id } = documentOfSource(source);
  return isComponent(collection) && isPath(id);
}

function share(score: unknown): number | null {
  return typeof score === "number" && !Number.isNaN(score) ? Math.min(1, Math.max(0, score)) : null;
}
