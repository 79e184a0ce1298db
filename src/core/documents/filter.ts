/**
 * Filters on a document's fields: `tags=gpu,metal` (any of these), `priority!=low`, `created_at>=2026-01-01`,
 * `version>3`. All conditions must match. Any frontmatter key can be used.
 */
import { RetainError } from "../errors.ts";
import { nameKey } from "./names.ts";

type Operator = "=" | "!=" | ">=" | "<=" | ">" | "<";

export interface Condition {
  readonly key: string;
  readonly operator: Operator;
  /** Alternatives in lower case; empty means "has no value". */
  readonly values: readonly string[];
}

const CONDITION = /^\s*([\p{L}\p{N}_.-]+)\s*(!=|>=|<=|==?|>|<)(.*)$/su;
const DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;
const ALIASES = new Map([
  ["created", "created_at"],
  ["updated", "updated_at"],
  ["tag", "tags"],
  ["related", "related_to"],
]);

/** Each expression is one condition, or several joined by ";". Throws `usage` with an example for anything else. */
export function parseFilters(expressions: readonly string[]): Condition[] {
  return expressions.flatMap((expression) => {
    const parts = expression.split(";").filter((part) => part.trim() !== "");
    if (parts.length === 0) throw filterError("The filter is empty.");
    return parts.map(parseCondition);
  });
}

function parseCondition(expression: string): Condition {
  const [, name = "", sign, rest = ""] = CONDITION.exec(expression) ?? [];
  const operator = sign === "==" ? "=" : sign;
  if (operator === undefined) throw filterError(`'${expression.trim()}' is not a filter.`);
  const key = ALIASES.get(name) ?? name;
  const values = rest
    .split(",")
    .map((value) => nameKey(value.trim()))
    .filter((value) => value !== "");
  if (operator !== "=" && operator !== "!=") {
    const [value] = values;
    if (value === undefined || values.length > 1 || rangeOf(value) === null)
      throw filterError(`'${expression.trim()}' does not compare with a number or a date.`);
  }
  return { key, operator: operator as Operator, values };
}

/** Whether all conditions match. `fields` are those of a list row. */
export function matches(
  fields: Readonly<Record<string, unknown>>,
  conditions: readonly Condition[],
): boolean {
  return conditions.every((condition) => {
    const actual = Object.hasOwn(fields, condition.key) ? fields[condition.key] : null;
    const items = (Array.isArray(actual) ? actual : [actual]).filter((item) => item != null && item !== "");
    return holds(items, condition);
  });
}

function holds(items: readonly unknown[], { operator, values }: Condition): boolean {
  if (operator === "=")
    return values.length === 0 ? items.length === 0 : items.some((item) => isOneOf(item, values));
  if (operator === "!=") return !holds(items, { key: "", operator: "=", values });
  return items.some((item) => compares(item, operator, values[0] ?? ""));
}

function isOneOf(item: unknown, values: readonly string[]): boolean {
  const actual = textOf(item);
  return values.some((value) => {
    if (actual === value) return true;
    const day = dateRange(value);
    const moment = momentRange(actual);
    return day !== null && moment !== null && moment.first >= day.first && moment.first <= day.last;
  });
}

function compares(item: unknown, operator: Operator, value: string): boolean {
  const actual = typeof item === "number" ? numberRange(String(item)) : rangeOf(textOf(item));
  const wanted = typeof item === "number" ? numberRange(value) : rangeOf(value);
  if (actual === null || wanted === null) return false;
  switch (operator) {
    case ">=":
      return actual.first >= wanted.first;
    case ">":
      return actual.first > wanted.last;
    case "<":
      return actual.first < wanted.first;
    default:
      return actual.first <= wanted.last;
  }
}

/** The range of a value: a number or moment is itself, a date is its whole day, month or year. */
interface Range {
  first: number;
  last: number;
}

function rangeOf(value: string): Range | null {
  return dateRange(value) ?? momentRange(value) ?? numberRange(value);
}

/** Days are in the local time zone: `created_at<=2026-01-31` includes that day's evening. */
function dateRange(value: string): Range | null {
  if (!DATE.test(value)) return null;
  const [year = 0, month, day] = value.split("-").map(Number);
  const first = new Date(year, (month ?? 1) - 1, day ?? 1);
  if (first.getMonth() !== (month ?? 1) - 1 || first.getDate() !== (day ?? 1)) return null;
  const next =
    day !== undefined
      ? new Date(year, (month ?? 1) - 1, day + 1)
      : month !== undefined
        ? new Date(year, month, 1)
        : new Date(year + 1, 0, 1);
  return { first: first.getTime(), last: next.getTime() - 1 };
}

function momentRange(value: string): Range | null {
  const moment = /^\d{4}-\d{2}-\d{2}[t ]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? null : { first: moment, last: moment };
}

function numberRange(value: string): Range | null {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(value)) return null;
  return { first: Number(value), last: Number(value) };
}

function textOf(item: unknown): string {
  return nameKey(typeof item === "object" ? JSON.stringify(item) : String(item));
}

function filterError(message: string): RetainError {
  return new RetainError(
    "usage",
    message,
    "Filters look like tags=gpu,metal  priority!=low  created_at>=2026-01-01",
  );
}
