/** Banks: creating, listing, describing and deleting them. */
import { RetainError } from "../../core/errors.ts";
import * as z from "../../util/zod.ts";
import { type BankFields, DISPOSITION } from "../bank-file.ts";
import { type Bank, isThere } from "../banks.ts";
import { units } from "../units.ts";
import { missing } from "./errors.ts";
import { paged } from "./query.ts";
import { type BankCall, bankRoute, type ServerCall, serverRoute } from "./route.ts";

const text = () => z.nullish(z.string());

/** Settings of Hindsight's own extraction are accepted and have no effect. */
const BANK = z.object({
  name: text(),
  mission: text(),
  reflect_mission: text(),
  background: text(),
  disposition: z.nullish(DISPOSITION),
});

const EVEN = { skepticism: 3, literalism: 3, empathy: 3 };

/** Creates the bank if it is new; otherwise changes only what is given. */
async function put({ bank, retain, body }: BankCall<z.infer<typeof BANK>>) {
  const { name, disposition } = body;
  const mission = body.reflect_mission ?? body.mission ?? body.background;
  const now = retain.now().toISOString();
  const fields = bank.file.change((before) => ({
    ...before,
    bank_id: bank.id,
    ...(typeof name === "string" && { name }),
    ...(typeof mission === "string" && { mission }),
    ...(disposition && { disposition }),
    created_at: before.created_at ?? now,
    updated_at: now,
  }));
  return profileOf(bank.id, fields);
}

function profileOf(bank_id: string, { name = bank_id, disposition = EVEN, mission = "" }: BankFields) {
  return { bank_id, name, disposition, mission, background: mission };
}

async function profile({ bank }: BankCall) {
  if (!isThere(bank)) throw missing("Bank");
  return profileOf(bank.id, bank.file.read());
}

async function update(call: BankCall<z.infer<typeof BANK>>) {
  if (!isThere(call.bank)) throw missing("Bank");
  return put(call);
}

/** A backup of everything stays in the bank's directory. */
async function remove({ bank, retain }: BankCall) {
  if (!isThere(bank)) throw missing("Bank");
  const deleted_count = (await units(retain)).filter(({ state }) => state === "valid").length;
  await retain.clearWorkspace();
  bank.file.remove();
  return { success: true, message: `Deleted the bank '${bank.id}'.`, deleted_count };
}

async function list({ banks, query }: ServerCall) {
  const words = query.text("q")?.toLowerCase() ?? "";
  const ids = (await banks.list()).filter((id) => id.toLowerCase().includes(words));
  const { items, ...page } = paged(ids, query.page());
  const listed = [];
  for (const id of items) listed.push(await banks.use(id, listedBank).catch(orDamaged(id)));
  return { banks: listed, ...page };
}

/** A bank whose file can't be read has only its name. */
function orDamaged(bank_id: string) {
  return (error: unknown) => {
    if (!(error instanceof RetainError) || error.code !== "invalid_config") throw error;
    return { bank_id, name: bank_id, disposition: EVEN };
  };
}

async function listedBank({ id, retain, file }: Bank) {
  const fields = file.read();
  const valid = (await units(retain)).filter(({ state }) => state === "valid");
  const { name, mission, disposition } = profileOf(id, fields);
  return {
    ...{ bank_id: id, name, mission, disposition },
    created_at: fields.created_at ?? null,
    updated_at: fields.updated_at ?? null,
    fact_count: valid.length,
    last_write_at: valid[0]?.mentioned_at ?? null,
  };
}

async function stats({ bank, retain }: BankCall) {
  const valid = (await units(retain)).filter(({ state }) => state === "valid");
  const count = (type: string) => valid.filter((unit) => unit.type === type).length;
  const failed_operations = bank.operations.list().filter(({ status }) => status === "failed").length;
  return {
    bank_id: bank.id,
    total_nodes: valid.length,
    total_links: 0,
    total_documents: valid.filter(({ document_id }) => document_id !== null).length,
    nodes_by_fact_type: {
      world: count("world"),
      experience: count("experience"),
      observation: count("observation"),
    },
    ...{ links_by_link_type: {}, links_by_fact_type: {}, links_breakdown: {} },
    pending_operations: bank.operations.list().filter(({ status }) => status === "processing").length,
    failed_operations,
    last_memory_write_at: valid[0]?.mentioned_at ?? null,
    total_observations: count("observation"),
  };
}

/** Wildcards are `*`; case doesn't matter. */
async function tags({ retain, query }: BankCall) {
  const isOfModels = query.oneOf("source", ["memories", "mental_models"]) === "mental_models";
  const tagged = isOfModels
    ? await retain.mentalModels.list()
    : (await units(retain)).filter(({ state }) => state === "valid");
  const counts = new Map<string, number>();
  for (const tag of tagged.flatMap((one) => one.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const wanted = query.text("q");
  const pattern =
    wanted === null ? null : new RegExp(`^${wanted.split("*").map(RegExp.escape).join(".*")}$`, "is");
  const all = [...counts]
    .filter(([tag]) => pattern === null || pattern.test(tag))
    .sort(([one, many], [other, few]) => few - many || (one < other ? -1 : 1))
    .map(([tag, count]) => ({ tag, count }));
  return paged(all, query.page());
}

/** Retain extracts no entities. */
async function entities({ query }: BankCall) {
  return paged([], query.page());
}

export const BANK_ROUTES = [
  serverRoute("GET", "/v1/default/banks", list),
  bankRoute("PUT", "", put, BANK),
  bankRoute("PATCH", "", update, BANK),
  bankRoute("DELETE", "", remove),
  bankRoute("GET", "/profile", profile),
  bankRoute("GET", "/stats", stats),
  bankRoute("GET", "/tags", tags),
  bankRoute("GET", "/entities", entities),
];
