/** What waits to be sent, as data: one entry, and what a server said to it. */
import { FORMAT } from "../../core/format.ts";
import { isRecord, parseJson } from "../../util/json.ts";

export interface SpoolEntry {
  /** The stable name of what is sent: "retain:<hash>", "session:<id>". Of one name only the newest is sent. */
  readonly key: string;
  readonly kind: string;
  /** JSON. */
  readonly body: unknown;
  /** For people, in a few words. */
  readonly summary: string;
  /** ISO 8601. */
  readonly queuedAt: string;
}

/** When it was queued is what the clock says, unless it is told. */
export type NewEntry = Omit<SpoolEntry, "queuedAt"> & { readonly queuedAt?: string };

/**
 * "refused": this entry can never be taken as it is; it is kept, and shown. "later": the server is the trouble, not the entry,
 * and everything waits. `why` is a part of a sentence, without a full stop, and the same for the same kind of trouble.
 */
export type Verdict =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "later"; readonly why: string; readonly retryAfterMs?: number };

export interface Sender {
  /**
   * One verdict for each entry, in their order; throwing means "later" for all of them. What was sent before may come again, so
   * that sending must be idempotent by `key`.
   */
  send(entries: readonly SpoolEntry[], signal: AbortSignal): Promise<readonly Verdict[]>;
}

/** As a person can read it: what is long comes last. */
export function printEntry({ key, kind, summary, queuedAt, body }: SpoolEntry): string {
  return `${JSON.stringify({ format: FORMAT, key, kind, summary, queuedAt, body: body ?? null }, null, 2)}\n`;
}

/** null where it is none; "newer" where a newer version of Retain wrote it. */
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
