/** A spool entry, and the server's verdict on it. */
import { FORMAT } from "../../core/format.ts";
import { isRecord, parseJson } from "../../util/json.ts";

export interface SpoolEntry {
  /** The stable name of the item: "retain:<hash>", "session:<id>". Only the newest entry of a key is sent. */
  readonly key: string;
  readonly kind: string;
  /** JSON. */
  readonly body: unknown;
  /** For people, in a few words. */
  readonly summary: string;
  /** ISO 8601. */
  readonly queuedAt: string;
  /** How often the server did not take or process it; missing if never. */
  readonly tries?: number;
}

/** `queuedAt` defaults to the current time. */
export type NewEntry = Omit<SpoolEntry, "queuedAt"> & { readonly queuedAt?: string };

/**
 * "refused": the server will never accept this entry; it is kept and shown. "again": the server did not take this entry, but took
 * or may take others; it is retried after a pause, and refused after several. "later": the server failed, so all entries wait. `why` is
 * a clause without a full stop, the same for the same kind of failure.
 */
export type Verdict =
  | { readonly kind: "done" }
  | { readonly kind: "refused" | "again"; readonly why: string }
  | { readonly kind: "later"; readonly why: string; readonly retryAfterMs?: number };

export interface Sender {
  /**
   * Returns one verdict per entry, in order; throwing means "later" for all. An entry may be sent twice, so sending must be idempotent
   * by `key`.
   */
  send(entries: readonly SpoolEntry[], signal: AbortSignal): Promise<readonly Verdict[]>;
}

/** Readable for people: the long body comes last. */
export function printEntry({ key, kind, summary, queuedAt, body }: SpoolEntry): string {
  return `${JSON.stringify({ format: FORMAT, key, kind, summary, queuedAt, body: body ?? null }, null, 2)}\n`;
}

/** null if it is not an entry; "newer" if a newer version of Retain wrote it. */
export function parseEntry(text: string): SpoolEntry | "newer" | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  if (Number(value.format ?? FORMAT) > FORMAT) return "newer";
  if (!("body" in value)) return null;
  const { key, kind, summary, queuedAt, body } = value;
  if (typeof key !== "string" || typeof kind !== "string") return null;
  if (typeof summary !== "string" || typeof queuedAt !== "string") return null;
  return { key, kind, summary, queuedAt, body };
}
