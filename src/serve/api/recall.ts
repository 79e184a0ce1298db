/** Recall and reflect. */

import type { Retain } from "../../app.ts";
import { doubtOf } from "../../context/recalled.ts";
import { endOfDay } from "../../core/facts/until.ts";
import type { SearchHit } from "../../recall/search.ts";
import * as z from "../../util/zod.ts";
import { hitUnit, UNIT_TYPES, type Unit, type UnitType } from "../units.ts";
import { activeDirectives } from "./directives.ts";
import { invalid, unsupported } from "./errors.ts";
import { type BankCall, bankRoute } from "./route.ts";
import { TAG_FIELDS, tagRuleIn } from "./tags.ts";

const text = () => z.nullish(z.string());
const options = () => z.nullish(z.record(z.string(), z.unknown()));
const score = () => z.nullish(z.number());
const tokens = () => z.nullish(z.int().check(z.minimum(1)));
const QUERY = z.string().check(z.refine((query) => query.trim() !== "", { error: "The query is empty." }));
const BUDGET = z.nullish(z.enum(["low", "mid", "high"]));

const RECALL = z.object({
  query: QUERY,
  types: z.nullish(z.array(z.enum(UNIT_TYPES))),
  budget: BUDGET,
  max_tokens: tokens(),
  trace: z.nullish(z.boolean()),
  query_timestamp: text(),
  include: z.nullish(z.object({ entities: options(), chunks: options(), source_facts: options() })),
  min_scores: z.nullish(z.object({ semantic: score(), keyword: score(), reranker: score(), final: score() })),
  temporal_window: z.nullish(z.object({ start: z.string(), end: z.string() })),
  ...TAG_FIELDS,
});

const REFLECT = z.object({
  query: QUERY,
  budget: BUDGET,
  context: text(),
  include: z.nullish(z.object({ facts: options(), tool_calls: options() })),
  response_schema: options(),
  ...TAG_FIELDS,
});

/** How many hits to choose from. */
const HITS = { low: 20, mid: 50, high: 100 } as const;
/** How often the model may search. */
const ROUNDS = { low: 1, mid: 2, high: 3 } as const;
const MOST_TOKENS = 4_096;

async function recall({ retain, body }: BankCall<z.infer<typeof RECALL>>) {
  const { query, types, temporal_window, query_timestamp, include, min_scores } = body;
  const tagRule = tagRuleIn(body);
  const recalled = await retain.recall(query, {
    limit: HITS[body.budget ?? "mid"],
    budget: body.max_tokens ?? MOST_TOKENS,
    ...(tagRule !== undefined && { tagRule }),
    ...(query_timestamp && { askedAt: moment(query_timestamp, "query_timestamp") }),
    ...(temporal_window && {
      since: moment(temporal_window.start, "temporal_window"),
      until: moment(temporal_window.end, "temporal_window"),
    }),
  });
  const hits = recalled.hits.filter(({ score }) => score >= (min_scores?.final ?? Number.NEGATIVE_INFINITY));
  const results = (await unitsOf(retain, hits))
    .map(({ state: _, ...unit }, at) => {
      const hit = hits[at] as SearchHit;
      const occurred_end = hit.until === undefined ? null : endOfDay(hit.until).toISOString();
      return {
        ...unit,
        ...{ occurred_start: null, occurred_end, entities: null, chunk_id: unit.id },
        scores: scoresOf(hit),
      };
    })
    .filter(({ type }) => !types || types.includes(type));
  return {
    results,
    ...(body.trace === true && { trace: { query, hits: recalled.hits.length, left_out: recalled.left } }),
    ...(include?.chunks && { chunks: chunksOf(results) }),
    ...(include?.source_facts && { source_facts: {} }),
  };
}

async function unitsOf(retain: Retain, hits: readonly SearchHit[]): Promise<Unit[]> {
  const refs = hits.flatMap(({ collection, id }) => (collection === null ? [] : { collection, id }));
  const documents = (await retain.documents.indexed(refs)).values();
  return hits.map((hit) => hitUnit(hit, hit.collection === null ? null : (documents.next().value ?? null)));
}

function scoresOf({ score, parts }: SearchHit) {
  const part = (name: string) => parts.find((one) => one.name === name)?.value ?? null;
  return { final: score, semantic: null, keyword: part("words") };
}

function chunksOf(results: readonly { readonly chunk_id: string; readonly text: string }[]) {
  return Object.fromEntries(
    results.map(({ chunk_id: id, text }, chunk_index) => [id, { id, text, chunk_index, truncated: false }]),
  );
}

/** Throws 422. */
function moment(said: string, field: string): string {
  const time = new Date(said);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw invalid(["body", field], "Input should be a date and time in ISO 8601.", "datetime_parsing");
}

async function reflect({ bank, retain, body, signal }: BankCall<z.infer<typeof REFLECT>>) {
  if (body.response_schema) throw unsupported("response_schema");
  const tagRule = tagRuleIn(body);
  const directives = activeDirectives(bank, body.tags ?? []);
  const { answer, citations, notices } = await retain.reflect(body.query, {
    signal,
    maxRounds: ROUNDS[body.budget ?? "low"],
    ...(tagRule !== undefined && { tagRule }),
    instructions: instructionsFor(bank.file.read().mission, body.context, directives),
  });
  const memories = citations.map(({ id, text, date, unconfirmed, mayBeOutdatedBy }) => {
    const type: UnitType = unconfirmed ? "observation" : "world";
    const [context = null] = doubtOf(mayBeOutdatedBy);
    return { id, text, type, context, occurred_start: date, occurred_end: null };
  });
  const used = directives.map(({ id, name, content }) => ({ id, name, content }));
  return {
    text: [answer, ...notices].join("\n\n"),
    based_on: body.include?.facts ? { memories, mental_models: [], directives: used } : null,
  };
}

function instructionsFor(
  mission: string | undefined,
  context: string | null | undefined,
  directives: readonly { readonly content: string }[],
): string {
  return [
    ...(mission ? [`Your mission: ${mission}`] : []),
    ...(context ? [`Context of the question: ${context}`] : []),
    ...directives.map(({ content }) => `Rule: ${content}`),
  ].join("\n");
}

export const RECALL_ROUTES = [
  bankRoute("POST", "/memories/recall", recall, RECALL),
  bankRoute("POST", "/reflect", reflect, REFLECT),
];
