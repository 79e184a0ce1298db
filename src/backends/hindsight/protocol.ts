/**
 * What is used of Hindsight's protocol (OpenAPI 0.9.1): what is sent, and what an answer must be to be believed. What else an
 * answer holds is passed over, so that newer servers are understood.
 */
import * as z from "../../util/zod.ts";

/** One memory on its way. A document of the same id is replaced, and everything that was learned from it. */
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
/** The protocol has strings alone in it; what is none is somebody else's. */
const metadata = () => z.nullish(z.record(z.string(), z.json()));
const text = () => z.nullish(z.string());

export const RETAINED = z.object({ success: z.boolean(), items_count: z.int() });

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

/** A single memory; the protocol leaves its form open. */
export const MEMORY = z.object({ id: text(), document_id: text(), state: text() });

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

/** Where only the status matters. */
export const ANYTHING = z.json();

/** What was told with a document, as strings; where a server keeps it differs. */
export function metadataOf({ document_metadata, retain_params }: WireDocument): Record<string, string> {
  return stringsOf({ ...retain_params?.metadata, ...document_metadata });
}

export function stringsOf(metadata: Readonly<Record<string, unknown>> | null | undefined) {
  const entries = Object.entries(metadata ?? {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
