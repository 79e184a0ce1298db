/** What JSON, or anything else from outside, turns out to be. */

/** A JSON object: no list, and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
