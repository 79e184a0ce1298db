/**
 * Spool entries for the server. They contain the complete request, since a process of another project may send them. Spool files
 * are validated like any external input.
 */

import { documentSource } from "../../core/memory.ts";
import type { BackendDocument, BackendItem, Episode } from "../../core/ports/backend.ts";
import { isRecord } from "../../util/json.ts";
import { squeezed, truncate } from "../../util/text.ts";
import * as z from "../../util/zod.ts";
import type { NewEntry, SpoolEntry } from "../spool/entry.ts";
import { type DocumentIds, statementId } from "./document-ids.ts";
import type { WireItem } from "./protocol.ts";
import { sentTags } from "./scope-tags.ts";
import { printTranscript } from "./transcript.ts";

const ITEM = z.object({
  content: z.string(),
  timestamp: z.string(),
  context: z.string(),
  metadata: z.record(z.string(), z.string()),
  document_id: z.string(),
  tags: z.array(z.string()),
  update_mode: z.literal("replace"),
});

const QUEUED = z.union([
  z.object({ kind: z.literal("send"), item: ITEM }),
  z.object({ kind: z.literal("remove"), document_id: z.string() }),
  z.object({ kind: z.literal("remove-session"), document_id: z.string() }),
]);

export type Queued =
  | { readonly kind: "send"; readonly item: WireItem }
  /** That document; for "remove-session" also all parts of the conversation. */
  | { readonly kind: "remove" | "remove-session"; readonly document_id: string };

/** null if Retain didn't write it. */
export function readQueued({ kind, body }: SpoolEntry): Queued | null {
  const read = QUEUED.safeParse({ ...(isRecord(body) ? body : {}), kind });
  return read.success ? read.data : null;
}

export interface QueueSettings {
  readonly ids: DocumentIds;
  /** The scope's tags; items that apply everywhere don't get them. */
  readonly tags: readonly string[];
  /** Items with one of these tags, or with no tags, are in scope; includes `tags`. */
  readonly read: readonly string[];
  /** The default source of an item. */
  readonly context: string;
}

export function queuedItem(
  { content, context, tags, at, session, trust, everywhere = false }: BackendItem,
  settings: QueueSettings,
): NewEntry {
  const all = sentTags(tags, everywhere ? [] : settings.tags);
  const key = statementId([content, context, [...all].sort(), session]);
  const item: WireItem = {
    content,
    timestamp: timestampOf(at),
    context: context ?? settings.context,
    metadata: { source: "retain", trust, ...(session === null ? {} : { session_id: session }) },
    document_id: key,
    tags: all,
    update_mode: "replace",
  };
  return entry(key, { kind: "send", item }, content);
}

/** A statement with another text, which makes it another document. */
export function reworded(item: WireItem, content: string): NewEntry {
  const { context, tags, metadata } = item;
  const key = statementId([content, context, [...tags].sort(), metadata.session_id ?? null]);
  return entry(key, { kind: "send", item: { ...item, content, document_id: key } }, content);
}

export function queuedDocument(document: BackendDocument, { ids, tags }: QueueSettings): NewEntry {
  const { title, content, updated_at } = document;
  const item: WireItem = {
    content,
    timestamp: timestampOf(updated_at),
    context: title,
    metadata: { source: "retain", trust: "stated", title, updated_at },
    document_id: ids.document(document),
    tags: sentTags(document.tags, tags),
    update_mode: "replace",
  };
  return entry(item.document_id, { kind: "send", item }, documentSource(document));
}

export function queuedEpisode(
  { session, chat, title, from, turns }: Episode,
  { ids, tags, context }: QueueSettings,
): NewEntry {
  const about = { source: "retain", trust: "inferred", session_id: session, chat };
  const item: WireItem = {
    content: printTranscript(turns),
    timestamp: timestampOf(turns.at(-1)?.at ?? ""),
    context,
    metadata: title === null ? about : { ...about, title },
    document_id: ids.session(session, from),
    tags: [...tags],
    update_mode: "replace",
  };
  return entry(item.document_id, { kind: "send", item }, `conversation ${session}`);
}

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** The server rejects an invalid time, and a document's frontmatter may contain anything. */
function timestampOf(said: string): string {
  return TIME.test(said) && !Number.isNaN(Date.parse(said)) ? said : "unset";
}

/** Replaces a pending upload of that id. */
export function queuedRemoval(document_id: string): NewEntry {
  return entry(document_id, { kind: "remove", document_id }, "pending removal");
}

export function queuedSessionRemoval(session: string, { ids }: QueueSettings): NewEntry {
  const document_id = ids.session(session, 0);
  return entry(`remove:${document_id}`, { kind: "remove-session", document_id }, `removal of ${session}`);
}

function entry(key: string, { kind, ...body }: Queued, summary: string): NewEntry {
  return {
    key: sendable(key),
    kind,
    body: eachText(body, sendable),
    summary: truncate(squeezed(summary), 80),
  };
}

/** Removes characters that text databases reject: sending them would fail forever. */
function sendable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

function eachText(value: unknown, edit: (text: string) => string): unknown {
  if (typeof value === "string") return edit(value);
  if (Array.isArray(value)) return value.map((one) => eachText(one, edit));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, eachText(one, edit)]));
}
