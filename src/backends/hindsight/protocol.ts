/**
 * The part of Hindsight's protocol (OpenAPI 0.9.1) that Retain uses: requests, and schemas of responses. Unknown response fields are
 * ignored, so that newer servers work.
 */
import * as z from "../../util/zod.ts";

/** One item to send. It replaces the document with the same id, and everything learned from it. */
export interface WireItem {
  readonly content: string;
  readonly timestamp: string;
  readonly context: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly document_id: string;
  readonly tags: readonly string[];
  readonly update_mode: "replace";
}

const strings = () => z.nullish(z.array(z.string()));
/** Retain writes only strings; other values come from other programs. */
const metadata = () => z.nullish(z.record(z.string(), z.json()));
const text = () => z.nullish(z.string());

export const RETAINED = z.object({ success: z.boolean(), items_count: z.int(), operation_id: text() });

/** `status` is "pending", "processing", "completed", "failed", "cancelled" or "not_found". */
export const OPERATION = z.object({ status: z.string(), error_message: text() });

const RESULT = z.object({
  id: z.string(),
  text: z.string(),
  type: text(),
  mentioned_at: text(),
  occurred_start: text(),
  document_id: text(),
  metadata: metadata(),
  tags: strings(),
  scores: z.nullish(z.object({ semantic: z.nullish(z.number()), keyword: z.nullish(z.number()) })),
});
export type WireResult = z.infer<typeof RESULT>;

export const RECALLED = z.object({ results: z.array(RESULT) });

/** A single memory; the protocol doesn't define its fields. */
export const MEMORY = z.object({
  id: text(),
  text: text(),
  document_id: text(),
  state: text(),
  tags: strings(),
});

/** `based_on` is there only if `include.facts` was requested. */
export const REFLECTED = z.object({
  text: z.string(),
  based_on: z.nullish(
    z.object({
      memories: z.nullish(z.array(z.object({ id: text(), text: z.string(), occurred_start: text() }))),
    }),
  ),
});

export const DOCUMENT = z.object({
  id: z.string(),
  original_text: text(),
  updated_at: text(),
  tags: strings(),
  document_metadata: metadata(),
  retain_params: z.nullish(z.object({ context: text(), metadata: metadata() })),
});
export type WireDocument = z.infer<typeof DOCUMENT>;

export const DOCUMENTS = z.object({ items: z.array(z.object({ id: z.string() })), total: z.int() });

const MODEL = z.object({
  id: z.string(),
  name: z.string(),
  source_query: text(),
  content: text(),
  tags: strings(),
  last_refreshed_at: text(),
  is_stale: z.nullish(z.boolean()),
});

export const MODELS = z.object({ items: z.array(MODEL) });
export const MODEL_CREATED = z.object({ mental_model_id: text() });

/** For calls where only the status matters. */
export const ANYTHING = z.json();

/** A document's metadata, as strings; servers store it in different fields. */
export function metadataOf({ document_metadata, retain_params }: WireDocument): Record<string, string> {
  return stringsOf({ ...retain_params?.metadata, ...document_metadata });
}

export function stringsOf(metadata: Readonly<Record<string, unknown>> | null | undefined) {
  const entries = Object.entries(metadata ?? {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
