/** A bank's document, in the same form whether it is on the server or still pending here. */

import { RetainError } from "../../core/errors.ts";
import type { BackendDocument, BackendDocumentRef, Turn } from "../../core/ports/backend.ts";
import { metadataOf, type WireDocument, type WireItem } from "./protocol.ts";
import { ownTags } from "./scope-tags.ts";
import { parseTranscript } from "./transcript.ts";

interface Held {
  readonly text: string;
  readonly context: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly updatedAt: string;
}

export function heldHere({ content, context, tags, metadata, timestamp }: WireItem): Held {
  return { text: content, context, tags, metadata, updatedAt: timestamp };
}

/** Throws `remote` if the server doesn't store texts. */
export function heldOnServer(document: WireDocument): Held {
  const { original_text: text, retain_params, tags, updated_at } = document;
  if (text === null || text === undefined)
    throw new RetainError(
      "remote",
      "Hindsight did not store the document's text.",
      "Enable the storing of document texts in the server's settings.",
    );
  return {
    text,
    context: retain_params?.context ?? null,
    tags: tags ?? [],
    metadata: metadataOf(document),
    updatedAt: updated_at ?? "",
  };
}

export function asDocument(ref: BackendDocumentRef, held: Held, scope: readonly string[]): BackendDocument {
  const { text, context, tags, metadata, updatedAt } = held;
  return {
    ...ref,
    title: metadata.title ?? context ?? ref.id,
    content: text,
    tags: ownTags(tags, scope),
    updated_at: metadata.updated_at ?? updatedAt,
  };
}

export interface Stretch {
  readonly from: number;
  readonly held: Held;
}

/** Joins turns by number; a later part overrides an earlier one. null if there are no turns. */
export function joined(stretches: readonly Stretch[]): { from: number; turns: Turn[] } | null {
  const turns = new Map<number, Turn>();
  for (const { from, held } of stretches)
    for (const [index, turn] of parseTranscript(held.text).entries()) turns.set(from + index, turn);
  const numbers = [...turns.keys()].sort((a, b) => a - b);
  const [from] = numbers;
  if (from === undefined) return null;
  return { from, turns: numbers.flatMap((number) => turns.get(number) ?? []) };
}
