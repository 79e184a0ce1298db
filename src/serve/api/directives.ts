/** Directives: rules that every reflection of a bank follows. */
import { passesTags } from "../../core/tag-rule.ts";
import * as z from "../../util/zod.ts";
import type { Directive } from "../bank-file.ts";
import type { Bank } from "../banks.ts";
import { missing } from "./errors.ts";
import { paged } from "./query.ts";
import { type BankCall, bankRoute } from "./route.ts";

const FIELDS = {
  priority: z.nullish(z.int()),
  is_active: z.nullish(z.boolean()),
  tags: z.nullish(z.array(z.string())),
};
const CREATE = z.object({
  name: z.string().check(z.minLength(1)),
  content: z.string().check(z.minLength(1)),
  ...FIELDS,
});
const UPDATE = z.object({ name: z.nullish(z.string()), content: z.nullish(z.string()), ...FIELDS });

function all({ file }: Bank): readonly Directive[] {
  return file.read().directives ?? [];
}

/** Those that apply to a question with these tags, the most important first. */
export function activeDirectives(bank: Bank, tags: readonly string[]): Directive[] {
  return all(bank)
    .filter((one) => one.is_active && (one.tags.length === 0 || one.tags.some((tag) => tags.includes(tag))))
    .sort((a, b) => b.priority - a.priority);
}

function required({ bank, params }: BankCall<unknown>): Directive {
  const found = all(bank).find(({ id }) => id === params.directive_id);
  if (found === undefined) throw missing("Directive");
  return found;
}

function replace(bank: Bank, change: (directives: readonly Directive[]) => Directive[]): void {
  bank.file.change((before) => ({ ...before, directives: change(before.directives ?? []) }));
}

async function list({ bank, query }: BankCall) {
  const rule = query.tagRule("any");
  const isActiveOnly = query.flag("active_only", true);
  const found = all(bank).filter(
    ({ tags, is_active }) => (is_active || !isActiveOnly) && (rule === null || passesTags(tags, rule)),
  );
  return paged(
    found.map((one) => shown(bank, one)),
    query.page(),
  );
}

async function create({ bank, retain, body }: BankCall<z.infer<typeof CREATE>>) {
  const now = retain.now();
  const at = now.toISOString();
  const directive: Directive = {
    id: crypto.randomUUID(),
    name: body.name,
    content: body.content,
    priority: body.priority ?? 0,
    is_active: body.is_active ?? true,
    tags: body.tags ?? [],
    created_at: at,
    updated_at: at,
  };
  bank.file.create(bank.id, now);
  replace(bank, (before) => [...before, directive]);
  return shown(bank, directive);
}

async function get(call: BankCall) {
  return shown(call.bank, required(call));
}

async function update(call: BankCall<z.infer<typeof UPDATE>>) {
  const { bank, retain, body } = call;
  const before = required(call);
  const given = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  const after = { ...before, ...Object.fromEntries(given), updated_at: retain.now().toISOString() };
  replace(bank, (directives) => directives.map((one) => (one.id === before.id ? after : one)));
  return shown(bank, after);
}

async function remove(call: BankCall) {
  const { id } = required(call);
  replace(call.bank, (directives) => directives.filter((one) => one.id !== id));
  return { success: true };
}

function shown({ id: bank_id }: Bank, directive: Directive) {
  return { ...directive, bank_id };
}

export const DIRECTIVE_ROUTES = [
  bankRoute("GET", "/directives", list),
  bankRoute("POST", "/directives", create, CREATE),
  bankRoute("GET", "/directives/{directive_id}", get),
  bankRoute("PATCH", "/directives/{directive_id}", update, UPDATE),
  bankRoute("DELETE", "/directives/{directive_id}", remove),
];
