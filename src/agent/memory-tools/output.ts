/** JSON Schema of a tool's `data`: either all of its fields, or the error. */

export type Schema = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Schema>>;

export const STRING: Schema = { type: "string" };
export const NUMBER: Schema = { type: "number" };
export const COUNT: Schema = { type: "integer", minimum: 0 };
export const FLAG: Schema = { type: "boolean" };
export const MAY_STRING: Schema = { type: ["string", "null"] };
export const MAY_NUMBER: Schema = { type: ["number", "null"] };

export function listOfSchema(items: Schema): Schema {
  return { type: "array", items };
}

export function oneOf(values: readonly string[]): Schema {
  return { type: "string", enum: values };
}

/** Exactly these fields. */
export function record(fields: Fields): Schema {
  return { type: "object", properties: fields, required: Object.keys(fields), additionalProperties: false };
}

const ERROR = record({ code: STRING, message: STRING, hint: MAY_STRING });

export function dataSchema(fields: Fields): Schema {
  return {
    type: "object",
    properties: { ...fields, error: ERROR },
    anyOf: [{ required: Object.keys(fields) }, { required: ["error"] }],
    additionalProperties: false,
  };
}
