/** Describes what is wrong with an input, for its author. */

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Of an `invalid_type`. */
  readonly expected?: string;
  /** Of `unrecognized_keys`. */
  readonly keys?: readonly string[];
}

/** "'limit' must be a number, not a string". A misspelled field explains a missing one, so unknown fields come first. */
export function problemWith(input: unknown, issues: readonly Issue[]): string {
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue === undefined) return "it does not match the schema";
  const { path, keys = [], expected, message } = issue;
  if (keys.length > 0) return `unknown field '${[...path, ...keys.slice(0, 1)].join(".")}'`;
  const name = path.length === 0 ? "the input" : `'${path.join(".")}'`;
  if (expected === undefined) return `${name}: ${message}`;
  const value = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown>)?.[key], input);
  if (value === undefined) return `${name} is missing`;
  return `${name} must be ${withArticle(expected)}, not ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return withArticle(Array.isArray(value) ? "array" : typeof value);
}

function withArticle(kind: string): string {
  if (kind === "int") return "a whole number";
  return `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
}
