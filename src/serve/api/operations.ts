/** Operations of a bank. */
import type { Operation } from "../operations.ts";
import { ApiError, missing } from "./errors.ts";
import { paged } from "./query.ts";
import { type BankCall, bankRoute } from "./route.ts";

async function list({ bank, query }: BankCall) {
  const [status, type] = [query.text("status"), query.text("type")];
  const wanted = bank.operations
    .list()
    .filter((one) => (status === null || one.status === status) && (type === null || one.type === type));
  const { items, ...page } = paged(wanted, query.page());
  return {
    bank_id: bank.id,
    ...page,
    operations: items.map(
      ({ id, type: task_type, items: items_count, created_at, updated_at, status, error }) => ({
        ...{ id, task_type, items_count, created_at, updated_at, status, error_message: error },
      }),
    ),
  };
}

/** An unknown operation has a status of its own in the contract. */
async function get({ bank, params }: BankCall) {
  const operation_id = params.operation_id ?? "";
  const known = bank.operations.get(operation_id);
  if (known === undefined) return { operation_id, status: "not_found" };
  const { type: operation_type, created_at, updated_at, status, error: error_message } = known;
  const completed_at = status === "processing" ? null : updated_at;
  return { operation_id, status, operation_type, created_at, updated_at, completed_at, error_message };
}

function required({ bank, params }: BankCall): Operation {
  const found = bank.operations.get(params.operation_id ?? "");
  if (found === undefined) throw missing("Operation");
  return found;
}

async function cancel(call: BankCall) {
  const { status } = required(call);
  throw new ApiError(409, `The operation cannot be cancelled: it is ${status}.`);
}

async function retry(call: BankCall) {
  const { status } = required(call);
  throw new ApiError(409, `The operation cannot be retried: it is ${status}. Send the request again.`);
}

async function remove(call: BankCall) {
  const { id, status } = required(call);
  if (status === "processing") throw new ApiError(409, "The operation is still running.");
  call.bank.operations.remove(id);
  return { success: true, message: "Deleted the operation.", operation_id: id };
}

export const OPERATION_ROUTES = [
  bankRoute("GET", "/operations", list),
  bankRoute("GET", "/operations/{operation_id}", get),
  bankRoute("DELETE", "/operations/{operation_id}", cancel),
  bankRoute("POST", "/operations/{operation_id}/retry", retry),
  bankRoute("DELETE", "/operations/{operation_id}/delete", remove),
];
