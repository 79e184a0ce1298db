/** Separates errors that a person can fix from bugs. */
import { type ErrorCode, RetainError, toldToModel } from "../core/errors.ts";

export interface Refusal {
  readonly code: ErrorCode;
  /** What happened, and what to do next. */
  readonly text: string;
}

export function refusalOf(error: unknown): Refusal | null {
  return error instanceof RetainError ? { code: error.code, text: toldToModel(error) } : null;
}
