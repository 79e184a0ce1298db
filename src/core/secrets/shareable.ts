/**
 * The parts of a document that may be shared with models, clients, servers and the index. Private parts are blanked and secrets
 * replaced; line numbers stay the same. The file itself keeps both.
 */
import type { Document } from "../documents/document.ts";
import type { Fields } from "../documents/read-yaml.ts";
import { withPrivateBlanked } from "./private.ts";
import { REMOVED } from "./secret.ts";
import { redactSecrets } from "./secrets.ts";

export function shareableText(text: string): string {
  return redactSecrets(withPrivateBlanked(text), true);
}

/** Keeps the id and collection, which identify the document. */
export function shareableDocument<D extends Document>(document: D): D {
  const { id, collection, content, ...fields } = document;
  return { ...document, ...shareableFields(fields), content: shareableText(content) };
}

/** For frontmatter. A key may be what makes its value a secret: `password: ...`. */
export function shareableFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, shareableValue(key, value)]));
}

function shareableValue(key: string, value: unknown): Fields[string] {
  if (Array.isArray(value)) return value.map((one) => shareableValue(key, one));
  if (typeof value === "object" && value !== null) return shareableFields(value as Fields);
  if (typeof value !== "string" && typeof value !== "number") return value as Fields[string];
  const open = typeof value === "string" ? withPrivateBlanked(value).trim() : String(value);
  const named = `${key}: ${open}`;
  const redacted = redactSecrets(named);
  if (redacted === named) return typeof value === "string" && open !== value.trim() ? open : value;
  return redacted.startsWith(`${key}: `) ? redacted.slice(key.length + 2) : REMOVED;
}
