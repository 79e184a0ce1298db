/** More field types for a tool's input, each as JSON Schema and as an equivalent check: see tools/input.ts. */
import { frontmatterShape } from "../../documents/input.ts";
import * as z from "../../util/zod.ts";
import { type Field, objectOf, type Values } from "../tools/input.ts";

type Json = Readonly<Record<string, unknown>>;

function optional<T>(json: Json, check: () => z.ZodMiniType<T>): Field<T | undefined> {
  return { json, check: () => z.optional(check()), required: false };
}

/** Required, with a maximum length. */
export function sentence(description: string, most: number, least = 1): Field<string> {
  return {
    json: { type: "string", minLength: least, maxLength: most, description },
    check: () => z.string().check(z.minLength(least), z.maxLength(most)),
    required: true,
  };
}

export function mayText(description: string): Field<string | undefined> {
  return optional({ type: "string", description }, () => z.string());
}

export function mayFlag(description: string): Field<boolean | undefined> {
  return optional({ type: "boolean", description }, () => z.boolean());
}

export function mayTexts(description: string): Field<string[] | undefined> {
  return optional({ type: "array", items: { type: "string" }, description }, () => z.array(z.string()));
}

/** null removes the value. */
export function clearableText(description: string): Field<string | null | undefined> {
  return optional({ type: ["string", "null"], description }, () => z.nullable(z.string()));
}

export function clearableTexts(description: string): Field<string[] | null | undefined> {
  return optional({ type: ["array", "null"], items: { type: "string" }, description }, () =>
    z.nullable(z.array(z.string())),
  );
}

export function mayChoice<const T extends string>(
  description: string,
  values: readonly [T, ...T[]],
): Field<T | undefined> {
  return optional({ type: "string", enum: values, description }, () => z.enum(values));
}

export function mayChoices<const T extends string>(
  description: string,
  values: readonly [T, ...T[]],
): Field<T[] | undefined> {
  return optional({ type: "array", items: { type: "string", enum: values }, description }, () =>
    z.array(z.enum(values)),
  );
}

/** "v3", "3" and 3 name the same version. */
export function mayVersion(description: string): Field<string | number | undefined> {
  return optional({ type: ["string", "integer"], description }, () => z.union([z.string(), z.int()]));
}

/** Any JSON that frontmatter can contain, under any names. */
export function mayRecord(description: string): Field<Record<string, unknown> | undefined> {
  return optional({ type: "object", additionalProperties: true, description }, frontmatterShape);
}

export function listOf<F extends Readonly<Record<string, Field<unknown>>>>(
  description: string,
  fields: F,
  most: number,
): Field<Values<F>[]> {
  const { json, check } = objectOf(fields);
  return {
    json: { type: "array", minItems: 1, maxItems: most, items: json, description },
    check: () => z.array(check()).check(z.minLength(1), z.maxLength(most)),
    required: true,
  };
}
