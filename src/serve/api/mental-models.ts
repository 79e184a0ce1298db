/** Mental models. They are files of the bank; an answer that a model writes comes in the background. */
import type { MentalModelInfo } from "../../agent/mental-models/models.ts";
import { isNewName } from "../../core/documents/names.ts";
import { slugify } from "../../core/documents/slug.ts";
import { passesTags } from "../../core/tag-rule.ts";
import * as z from "../../util/zod.ts";
import type { Bank } from "../banks.ts";
import { orNull } from "../documents.ts";
import { ApiError, invalid, missing } from "./errors.ts";
import { paged } from "./query.ts";
import { type BankCall, bankRoute } from "./route.ts";

const size = () => z.nullish(z.int().check(z.minimum(256), z.maximum(8_192)));
const tags = () => z.nullish(z.array(z.string()));

const CREATE = z.object({
  id: z.nullish(z.string()),
  name: z.string().check(z.minLength(1)),
  source_query: z.string().check(z.minLength(1)),
  tags: tags(),
  max_tokens: size(),
});
const UPDATE = z.object({
  name: z.nullish(z.string()),
  source_query: z.nullish(z.string()),
  tags: tags(),
  max_tokens: size(),
});

const DETAILS = ["metadata", "content", "full"] as const;
const MAX_TOKENS = 2_048;

async function list({ bank, retain, query }: BankCall) {
  const rule = query.tagRule("any");
  const detail = query.oneOf("detail", DETAILS) ?? "full";
  const all = (await retain.mentalModels.list())
    .filter(({ state, tags }) => state !== "removed" && (rule === null || passesTags(tags, rule)))
    .map((model) => shown(bank, model, detail));
  return paged(all, query.page());
}

async function required({ retain, params }: BankCall<unknown>): Promise<MentalModelInfo> {
  const found = await orNull(() => retain.mentalModels.show(params.mental_model_id ?? ""));
  if (found === null) throw missing("Mental model");
  return found;
}

async function get(call: BankCall) {
  return shown(call.bank, await required(call), call.query.oneOf("detail", DETAILS) ?? "full");
}

async function create(call: BankCall<z.infer<typeof CREATE>>) {
  const { bank, retain, body } = call;
  const id = body.id || slugify(body.name) || crypto.randomUUID();
  if (!isNewName("id", id)) throw invalid(["body", "id"], "Use lower-case letters, digits and dashes.");
  const known = await orNull(() => retain.mentalModels.show(id));
  if (known !== null) throw new ApiError(409, `The mental model '${id}' already exists.`);
  const now = retain.now();
  // Without a model, which may take a minute; the refresh asks it.
  await retain.mentalModels.add(id, body.source_query, { tags: body.tags ?? [], model: null });
  bank.file.create(bank.id, now);
  note(bank, id, {
    name: body.name,
    max_tokens: body.max_tokens ?? MAX_TOKENS,
    created_at: now.toISOString(),
  });
  return { mental_model_id: id, operation_id: startRefresh(call, id).id };
}

function note(
  bank: Bank,
  id: string,
  fields: { name: string; max_tokens: number; created_at: string } | null,
): void {
  bank.file.change((before) => {
    const { [id]: _, ...others } = before.mental_models ?? {};
    return { ...before, mental_models: fields === null ? others : { ...others, [id]: fields } };
  });
}

function startRefresh({ bank, retain }: BankCall<unknown>, name: string) {
  return bank.operations.start(
    "refresh_mental_model",
    () => retain.now(),
    async () => {
      const [done] = await retain.mentalModels.refresh({ name, force: true });
      if (done?.outcome === "failed") throw new Error(done.notice ?? "The refresh failed.");
    },
  );
}

async function refresh(call: BankCall) {
  const { name } = await required(call);
  return { operation_id: startRefresh(call, name).id, status: "queued" };
}

/** A new question or new tags need a new answer. */
async function update(call: BankCall<z.infer<typeof UPDATE>>) {
  const { bank, retain, body } = call;
  const before = await required(call);
  const known = noted(bank, before);
  const question = body.source_query ?? before.question;
  const tags = body.tags ?? before.tags;
  if (question !== before.question || tags.join("\n") !== before.tags.join("\n")) {
    await retain.mentalModels.remove(before.name);
    await retain.mentalModels.add(before.name, question, { tags, model: null });
    startRefresh(call, before.name);
  }
  note(bank, before.name, {
    name: body.name ?? known.name,
    max_tokens: body.max_tokens ?? known.max_tokens,
    created_at: known.created_at ?? retain.now().toISOString(),
  });
  return shown(bank, await required(call), "full");
}

async function remove(call: BankCall) {
  const { name } = await required(call);
  await call.retain.mentalModels.remove(name);
  note(call.bank, name, null);
  return { success: true };
}

function noted({ file }: Bank, { name }: MentalModelInfo) {
  return file.read().mental_models?.[name] ?? { name, max_tokens: MAX_TOKENS, created_at: null };
}

function shown(bank: Bank, model: MentalModelInfo, detail: (typeof DETAILS)[number]) {
  const { name, max_tokens, created_at } = noted(bank, model);
  return {
    id: model.name,
    bank_id: bank.id,
    name,
    source_query: model.question,
    tags: model.tags,
    max_tokens,
    created_at,
    last_refreshed_at: model.refreshed_at,
    ...(detail !== "metadata" && { content: model.answer }),
  };
}

export const MENTAL_MODEL_ROUTES = [
  bankRoute("GET", "/mental-models", list),
  bankRoute("POST", "/mental-models", create, CREATE),
  bankRoute("GET", "/mental-models/{mental_model_id}", get),
  bankRoute("PATCH", "/mental-models/{mental_model_id}", update, UPDATE),
  bankRoute("DELETE", "/mental-models/{mental_model_id}", remove),
  bankRoute("POST", "/mental-models/{mental_model_id}/refresh", refresh),
];
