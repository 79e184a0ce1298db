/** Errors of the API, in the form of Hindsight's contract: `detail` is a sentence, or a list that names each invalid field. */
import { type ErrorCode, RetainError } from "../../core/errors.ts";

type Location = readonly (string | number)[];

interface InvalidField {
  readonly loc: Location;
  readonly msg: string;
  readonly type: string;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string | readonly InvalidField[],
  ) {
    super(typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join(" "));
  }
}

export function invalid(loc: Location, msg: string, type = "value_error"): ApiError {
  return new ApiError(422, [{ loc, msg, type }]);
}

export function missing(what: string): ApiError {
  return new ApiError(404, `${what} not found.`);
}

export function unsupported(what: string): ApiError {
  return new ApiError(501, `Retain does not support ${what}.`);
}

/** Every other code is a failure of the server or its surroundings. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  not_found: 404,
  usage: 422,
  invalid_input: 422,
  invalid_name: 422,
  ambiguous: 422,
  secret: 422,
  exists: 409,
  conflict: 409,
  read_only: 409,
  locked: 503,
  interrupted: 503,
  remote: 502,
  model: 502,
  embedding: 502,
};

/** null for a bug. */
export function asResponse(error: unknown): Response | null {
  if (error instanceof ApiError) return Response.json({ detail: error.detail }, { status: error.status });
  if (!(error instanceof RetainError)) return null;
  return Response.json({ detail: error.message }, { status: statusOf(error) });
}

export function statusOf({ code }: RetainError): number {
  return STATUS[code] ?? 500;
}
