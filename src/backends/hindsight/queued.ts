/**
 * What waits for a server, as it is kept in the spool: just as it will be sent, since another project's process may be the one
 * that sends it. A file of the spool is read like anything from outside.
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
  /** That document; or that and all stretches of the conversation beside it. */
  | { readonly kind: "remove" | "remove-session"; readonly document_id: string };

/** null where it is not what was written here. */
export function readQueued({ kind, body }: SpoolEntry): Queued | null {
  const read = QUEUED.safeParse({ ...(isRecord(body) ? body : {}), kind });
  return read.success ? read.data : null;
}

export interface QueueSettings {
  readonly ids: DocumentIds;
  /** Of the scope: what is said of everywhere has none of them. */
  readonly tags: readonly string[];
  /** What has one of these, or none at all, is of the scope; `tags` are among them. */
  readonly read: readonly string[];
  /** What is told as the source where nothing else is. */
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

/** A server refuses what has a time that is none: a person may have written anything into a document's frontmatter. */
function timestampOf(said: string): string {
  return TIME.test(said) && !Number.isNaN(Date.parse(said)) ? said : "unset";
}

/** Takes the place of what waits under that id. */
export function queuedRemoval(document_id: string): NewEntry {
  return entry(document_id, { kind: "remove", document_id }, "pending removal");
}

export function queuedSessionRemoval(session: string, { ids }: QueueSettings): NewEntry {
  const document_id = ids.session(session, 0);
  return entry(removalKey(session, ids), { kind: "remove-session", document_id }, `removal of ${session}`);
}

export function removalKey(session: string, ids: DocumentIds): string {
  return `remove:${ids.session(session, 0)}`;
}

function entry(key: string, { kind, ...body }: Queued, summary: string): NewEntry {
  return {
    key: sendable(key),
    kind,
    body: eachText(body, sendable),
    summary: truncate(squeezed(summary), 80),
  };
}

/** Without what no database of text takes: a server that fails on it would fail for ever. */
function sendable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

function eachText(value: unknown, edit: (text: string) => string): unknown {
  if (typeof value === "string") return edit(value);
  if (Array.isArray(value)) return value.map((one) => eachText(one, edit));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, eachText(one, edit)]));
}
