/** More field types for a tool's input, each as JSON Schema and as an equivalent check: see tools/input.ts. */
import { frontmatterShape } from "../../documents/input.ts";
import * as z from "../../util/zod.ts";
import { type Field, objectOf, optional, type Values } from "../tools/input.ts";

/** Required, with a maximum length. */
export function sentence(description: string, most: number, least = 1): Field<string> {
  return {
    json: { type: "string", minLength: least, maxLength: most, description },
    check: () => z.string().check(z.minLength(least), z.maxLength(most)),
    required: true,
  };
}

/** A field whose name says enough needs no description: every request contains it. */
function described(description: string | undefined) {
  return description === undefined ? {} : { description };
}

export function mayText(description?: string): Field<string | undefined> {
  return optional({ type: "string", ...described(description) }, () => z.string());
}

export function mayFlag(description: string): Field<boolean | undefined> {
  return optional({ type: "boolean", description }, () => z.boolean());
}

export function mayTexts(description?: string): Field<string[] | undefined> {
  return optional({ type: "array", items: { type: "string" }, ...described(description) }, () =>
    z.array(z.string()),
  );
}

/** null removes the value, like an empty one, which the schema offers. */
export function clearable<T>({ json, check }: Field<T | undefined>): Field<T | null | undefined> {
  return { json, check: () => z.union([z.literal(null), check()]), required: false };
}

export function mayChoice<const T extends string>(
  description: string,
  values: readonly [T, ...T[]],
): Field<T | undefined> {
  return optional({ type: "string", enum: values, description }, () => z.enum(values));
}

export function mayChoices<const T extends string>(values: readonly [T, ...T[]]): Field<T[] | undefined> {
  return optional({ type: "array", items: { type: "string", enum: values } }, () => z.array(z.enum(values)));
}

/** "v3" and "3" name the same version. Some models send 3, which the schema doesn't offer: several types confuse some clients. */
export function mayVersion(description: string): Field<string | number | undefined> {
  return optional({ type: "string", description }, () => z.union([z.string(), z.int()]));
}

/** Any JSON that frontmatter can contain, under any names. */
export function mayRecord(description: string): Field<Record<string, unknown> | undefined> {
  return optional({ type: "object", additionalProperties: true, description }, frontmatterShape);
}

export function listOf<F extends Readonly<Record<string, Field<unknown>>>>(
  fields: F,
  most: number,
): Field<Values<F>[]> {
  const { json, check } = objectOf(fields);
  return {
    json: { type: "array", minItems: 1, maxItems: most, items: json },
    check: () => z.array(check()).check(z.minLength(1), z.maxLength(most)),
    required: true,
  };
}
