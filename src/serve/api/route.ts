/** A route of the API: its method and path as in Hindsight's contract, and the schema of its body. */
import type { Retain } from "../../app.ts";
import type * as z from "../../util/zod.ts";
import type { Bank, Banks } from "../banks.ts";
import { invalid } from "./errors.ts";
import type { Query } from "./query.ts";

export interface Call<B = unknown> {
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: B;
  readonly signal: AbortSignal;
}

/** A call below a bank's path. */
export interface BankCall<B = unknown> extends Call<B> {
  readonly bank: Bank;
  readonly retain: Retain;
}

export interface ServerCall extends Call {
  readonly banks: Banks;
  readonly version: string;
  /** Seconds since the start. */
  readonly uptime: number;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Route {
  readonly method: Method;
  /** "/v1/default/banks/{bank_id}/documents/{document_id}" */
  readonly path: string;
  readonly body: z.ZodMiniType | null;
  /** Returns the JSON of the answer. */
  run(call: ServerCall): Promise<unknown>;
}

const BANK = "/v1/default/banks/{bank_id}";

/** A route of the server itself. */
export function serverRoute(
  method: Method,
  path: string,
  run: (call: ServerCall) => Promise<unknown>,
): Route {
  return { method, path, body: null, run };
}

/** A route below a bank. `bank` is open while `run` runs. */
export function bankRoute<B = undefined>(
  method: Method,
  path: string,
  run: (call: BankCall<B>) => Promise<unknown>,
  body: z.ZodMiniType<B> | null = null,
): Route {
  return {
    method,
    path: `${BANK}${path}`,
    body,
    run: (call) =>
      call.banks.use(call.params.bank_id ?? "", (bank) =>
        run({ ...call, body: call.body as B, bank, retain: bank.retain }),
      ),
  };
}

/** The body as its schema describes it. Throws 422 with the place of each mistake. */
export function parsedBody(route: Route, text: string): unknown {
  if (route.body === null) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(["body"], "The request body is not valid JSON.", "json_invalid");
  }
  const parsed = route.body.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map((part) => (typeof part === "number" ? part : String(part)));
  throw invalid(["body", ...path], issue?.message ?? "Invalid input", issue?.code ?? "value_error");
}

/** The parameters if the path matches; null otherwise, also for a segment that isn't validly encoded. */
export function matched(path: string, segments: readonly string[]): Record<string, string> | null {
  const parts = path.split("/");
  if (parts.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? "";
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined) {
      if (part !== segment) return null;
      continue;
    }
    const value = decoded(segment);
    if (value === null || value === "") return null;
    params[name] = value;
  }
  return params;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
