/** Calls that find memories: by a search, or in a list. */
import { LISTED_KINDS, MEMORY_STATES } from "../../app/memory-list.ts";
import { KINDS, ORIGINS } from "../../core/memory.ts";
import { MENTAL_MODEL_STATES } from "../../core/mental-model.ts";
import { reasonsFor } from "../../recall/explain.ts";
import { snippetOf } from "../../recall/snippet.ts";
import * as z from "../../util/zod.ts";
import { call } from "./call.ts";

const MOST_HITS = 200;
const MOST_ROWS = 500;
const SNIPPET_LENGTH = 240;

const FILTERS = {
  collection: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  /** A day, a month, or words: "last week". */
  since: z.optional(z.string()),
  until: z.optional(z.string()),
};

/** The revision that the page has. */
const SEEN = z.optional(z.string());

const count = (most: number) => z.int().check(z.minimum(1), z.maximum(most));

export const memoriesCalls = {
  search: call(
    z.strictObject({
      query: z.string(),
      kinds: z.optional(z.array(z.enum(KINDS))),
      ...FILTERS,
      origin: z.optional(z.enum(ORIGINS)),
      limit: count(MOST_HITS),
    }),
    async ({ retain }, { query, ...options }) => {
      const { hits, by, words, warnings } = await retain.search(query, options);
      return {
        by,
        words,
        warnings,
        hits: hits.map(({ parts, text, ...hit }) => ({
          ...hit,
          text: snippetOf(text, words, SNIPPET_LENGTH),
          reasons: reasonsFor(parts),
        })),
      };
    },
  ),
  memories: call(
    z.strictObject({
      kinds: z.optional(z.array(z.enum(LISTED_KINDS))),
      ...FILTERS,
      origin: z.optional(z.enum(["project", "home"])),
      status: z.optional(z.enum(MEMORY_STATES)),
      words: z.optional(z.string()),
      seen: SEEN,
      offset: z.int().check(z.minimum(0)),
      limit: count(MOST_ROWS),
    }),
    async ({ retain }, options) => retain.memories.page(options),
  ),
  /** Their states in words. */
  "mental-models": call(z.strictObject({}), async ({ retain }) =>
    (await retain.mentalModels.list())
      .filter(({ state }) => state !== "removed")
      .map((model) => ({ ...model, state: MENTAL_MODEL_STATES[model.state] })),
  ),
  "memory-filters": call(z.strictObject({ seen: SEEN }), async ({ retain }, { seen }) => ({
    ...(await retain.memories.filters({ seen })),
    hasProject: retain.routes.reads.length > 1,
  })),
};
