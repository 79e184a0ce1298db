/**
 * A tool's input. The JSON Schema for the model and the check come from the same fields, so they cannot differ.
 */
import { RetainError } from "../../core/errors.ts";
import type { ObjectSchema } from "../../core/model.ts";
import { problemWith } from "../../util/invalid-input.ts";
import * as z from "../../util/zod.ts";

export interface Field<T> {
  readonly json: Readonly<Record<string, unknown>>;
  readonly check: () => z.ZodMiniType<T>;
  readonly required: boolean;
}

/** A required text. */
export function text(description: string, least = 1): Field<string> {
  return {
    json: { type: "string", minLength: least, description },
    check: () => z.string().check(z.minLength(least)),
    required: true,
  };
}

/** A field that may be absent. Some models send null for it, so null is accepted, but the schema doesn't offer it. */
export function optional<T>(json: Field<T>["json"], check: () => z.ZodMiniType<T>): Field<T | undefined> {
  return {
    json,
    check: () =>
      z.pipe(
        z.nullish(check()),
        z.transform((value) => value ?? undefined),
      ),
    required: false,
  };
}

/** An optional integer. */
export function count(description: string, least: number, most: number): Field<number | undefined> {
  return optional({ type: "integer", minimum: least, maximum: most, description }, () =>
    z.int().check(z.minimum(least), z.maximum(most)),
  );
}

export type Values<F> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

interface ToolInput<F> {
  readonly schema: ObjectSchema;
  /** Throws `invalid_input`, with a text for the model. */
  read(input: unknown): Values<F>;
}

export function toolInput<F extends Readonly<Record<string, Field<unknown>>>>(
  tool: string,
  fields: F,
): ToolInput<F> {
  const { json, check } = objectOf(fields);
  return {
    schema: json,
    read(input) {
      const parsed = check().safeParse(input);
      if (parsed.success) return parsed.data;
      const takes = Object.entries(fields).map(([name, { required }]) =>
        required ? name : `${name} (optional)`,
      );
      throw new RetainError(
        "invalid_input",
        `Invalid input for ${tool}: ${problemWith(input, parsed.error.issues)}.`,
        `Fields: ${takes.join(", ")}.`,
      );
    },
  };
}

/** An object with these fields and no others. */
export function objectOf<F extends Readonly<Record<string, Field<unknown>>>>(
  fields: F,
): Pick<Field<Values<F>>, "check"> & { readonly json: ObjectSchema } {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  return {
    json: {
      type: "object",
      properties: Object.fromEntries(entries.map(([name, { json }]) => [name, json])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    check: () =>
      // zod cannot infer that the shape was built from these fields.
      z.strictObject(
        Object.fromEntries(entries.map(([name, { check }]) => [name, check()])),
      ) as unknown as z.ZodMiniType<Values<F>>,
  };
}
