/**
 * What a person can mend, told from a bug. By its shape: this bundle's own RetainError is not the class that the rest of the
 * program throws.
 */

export interface Refusal {
  readonly code: string;
  /** What happened, and what to do next. */
  readonly text: string;
}

export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error) || error.name !== "RetainError") return null;
  const { code, hint } = error as Error & { code?: unknown; hint?: unknown };
  return {
    code: typeof code === "string" ? code : "",
    text: typeof hint === "string" ? `${error.message} ${hint}` : error.message,
  };
}
