/** Memories: retaining, listing, reading, changing and clearing them. */
import { passesTags } from "../../core/tag-rule.ts";
import * as z from "../../util/zod.ts";
import type { Bank } from "../banks.ts";
import type { Item } from "../retain.ts";
import { documentIn, findUnit, UNIT_TYPES, type Unit, units } from "../units.ts";
import { invalid, missing, unsupported } from "./errors.ts";
import { paged } from "./query.ts";
import { type BankCall, bankRoute } from "./route.ts";

const text = () => z.nullish(z.string());
const texts = () => z.nullish(z.array(z.string()));

const ITEM = z.object({
  content: z.string(),
  timestamp: text(),
  context: text(),
  metadata: z.nullish(z.record(z.string(), z.string())),
  document_id: text(),
  tags: texts(),
  update_mode: z.nullish(z.enum(["replace", "append"])),
});

const RETAIN = z.object({
  items: z.array(ITEM).check(z.minLength(1)),
  async: z.nullish(z.boolean()),
  document_tags: texts(),
  operation_id: text(),
});

const UPDATE = z.object({
  text: text(),
  state: z.nullish(z.enum(["valid", "invalidated"])),
  reason: text(),
  context: text(),
  occurred_start: text(),
  occurred_end: text(),
  fact_type: text(),
  entities: texts(),
});

async function retain({ bank, retain, body }: BankCall<z.infer<typeof RETAIN>>) {
  const { items, document_tags, operation_id } = body;
  const said = items.map((item, index) => itemOf(item, document_tags ?? [], index));
  await bank.retaining.retain(said);
  bank.wrote();
  const operation = bank.operations.completed(
    "retain",
    items.length,
    retain.now(),
    operation_id ?? undefined,
  );
  const isAsync = body.async === true;
  return {
    success: true,
    bank_id: bank.id,
    items_count: items.length,
    async: isAsync,
    ...(isAsync && { operation_id: operation.id, operation_ids: [operation.id] }),
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  };
}

function itemOf(item: z.infer<typeof ITEM>, shared: readonly string[], index: number): Item {
  const { content, context, tags, timestamp, metadata, document_id, update_mode } = item;
  return {
    content,
    context: context || null,
    tags: [...new Set([...(tags ?? []), ...shared])].filter((tag) => tag.trim() !== ""),
    at: timeOf(timestamp ?? null, ["body", "items", index, "timestamp"]),
    metadata: metadata ?? {},
    documentId: document_id || null,
    isAppended: update_mode === "append",
  };
}

/** "unset" says that the time is unknown. Throws 422. */
function timeOf(said: string | null, loc: readonly (string | number)[]): string | null {
  if (said === null || said === "unset") return null;
  const time = new Date(said);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw invalid(loc, "Input should be a date and time in ISO 8601.", "datetime_parsing");
}

/** Newest first. */
async function list({ retain, query }: BankCall) {
  const type = query.oneOf("type", UNIT_TYPES);
  const state = query.oneOf("state", ["valid", "invalidated"]) ?? "valid";
  const rule = query.tagRule("any");
  const documentId = query.text("document_id");
  const words = query.text("q");
  const found = words === null ? null : await idsOf(retain, words);
  const all = (await units(retain)).filter(
    (unit) =>
      (type === null || unit.type === type) &&
      unit.state === state &&
      (rule === null || passesTags(unit.tags, rule)) &&
      (documentId === null || unit.document_id === documentId) &&
      (found === null || found.has(unit.id)),
  );
  const page = paged(all, query.page());
  const items = [];
  for (const unit of page.items)
    items.push(shown(documentIn(unit.id) === null ? unit : await read(retain, unit)));
  return { ...page, items };
}

const MOST_FOUND = 1_000;

async function idsOf(retain: BankCall["retain"], words: string): Promise<Set<string>> {
  const { hits } = await retain.search(words, { mode: "text", limit: MOST_FOUND, minScore: 0 });
  return new Set(hits.map(({ collection, id }) => (collection === null ? id : `${collection}/${id}`)));
}

async function read(retain: BankCall["retain"], unit: Unit): Promise<Unit> {
  return (await findUnit(retain, unit.id))?.unit ?? unit;
}

/** The contract leaves the fields of a unit open; these are the ones that Hindsight's own server has. */
function shown(unit: Unit) {
  const { mentioned_at } = unit;
  return {
    ...unit,
    date: mentioned_at,
    occurred_start: null,
    occurred_end: null,
    entities: "",
    chunk_id: null,
  };
}

async function required({ retain, params }: BankCall<unknown>) {
  const found = await findUnit(retain, params.memory_id ?? "");
  if (found === null) throw missing("Memory");
  return found;
}

async function get(call: BankCall) {
  return { ...shown((await required(call)).unit), entities: [], history: [] };
}

async function update(call: BankCall<z.infer<typeof UPDATE>>) {
  const { body, bank } = call;
  const { text: said, state, reason: _, ...others } = body;
  const other = Object.entries(others).find(([, value]) => value !== undefined && value !== null)?.[0];
  if (other !== undefined) throw unsupported(`changing a memory's ${other}`);
  const { unit } = await required(call);
  try {
    return shown(await changed(bank, unit, state, said));
  } finally {
    // Of several changes, the last may fail.
    bank.wrote();
  }
}

async function changed(
  bank: Bank,
  unit: Unit,
  state: "valid" | "invalidated" | null | undefined,
  said: string | null | undefined,
): Promise<Unit> {
  const { retain } = bank;
  if (state === "valid" && unit.state === "invalidated") await retain.facts.withdraw(unit.id);
  const edited = said === null || said === undefined ? unit.id : await reword(retain, unit.id, said);
  if (state === "invalidated") return end(bank, unit.id === edited ? unit : { ...unit, id: edited });
  return (await findUnit(retain, edited))?.unit ?? unit;
}

/** A fact's id comes from its text, so the new text has another id. */
async function reword(retain: BankCall["retain"], id: string, said: string): Promise<string> {
  const document = documentIn(id);
  if (document === null) return (await retain.facts.edit(id, said, { by: "api" })).after.id;
  await retain.documents.update(document.id, { collection: document.collection, content: said });
  return id;
}

/** A fact stays in the history; a document can be restored from its versions. */
async function end({ retain }: Bank, unit: Unit): Promise<Unit> {
  const document = documentIn(unit.id);
  if (document !== null) await retain.documents.delete(document.id, { collection: document.collection });
  else if (unit.state === "valid") await retain.facts.end(unit.id);
  return { ...unit, state: "invalidated" };
}

async function history(call: BankCall) {
  const { found } = await required(call);
  if (found.kind === "fact")
    return found.provenance.before.map(({ id, text, created_at, ended_at }) => ({
      ...{ id, previous_text: text, created_at, changed_at: ended_at },
    }));
  if (found.kind !== "document") return [];
  const { id, collection } = found.document;
  const { versions } = await call.retain.documents.versions(id, { collection });
  return versions.map(({ version, timestamp, author }) => ({ id: version, changed_at: timestamp, author }));
}

/** A backup of everything stays in the bank's directory. */
async function clear({ retain, query }: BankCall) {
  if (query.text("type") !== null) throw unsupported("clearing the memories of one type");
  const deleted_count = (await units(retain)).filter(({ state }) => state === "valid").length;
  await retain.clearWorkspace();
  return { success: true, message: `Deleted ${deleted_count} memories.`, deleted_count };
}

export const MEMORY_ROUTES = [
  bankRoute("POST", "/memories", retain, RETAIN),
  bankRoute("DELETE", "/memories", clear),
  bankRoute("GET", "/memories/list", list),
  bankRoute("GET", "/memories/{memory_id}", get),
  bankRoute("PATCH", "/memories/{memory_id}", update, UPDATE),
  bankRoute("GET", "/memories/{memory_id}/history", history),
];
