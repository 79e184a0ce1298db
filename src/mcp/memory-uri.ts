/**
 * The URIs of memories for MCP clients: `memory://<fact or note>`, `memory://<collection>/<document>`, `memory://context`.
 * Special characters are escaped, so that the first slash always separates collection and id.
 */

const SCHEME = "memory://";

export const CONTEXT_URI = `${SCHEME}context`;

/** RFC 6570: `+` lets the slash of a document through. */
export const MEMORY_TEMPLATE = `${SCHEME}{+id}`;

type MemoryName =
  | { readonly kind: "context" }
  | { readonly kind: "document"; readonly collection: string; readonly id: string }
  /** A fact or note. */
  | { readonly kind: "entry"; readonly id: string };

/** The id of a document in a folder may contain slashes. */
export function documentUri(collection: string, id: string): string {
  return `${SCHEME}${[collection, ...id.split("/")].map(encodeURIComponent).join("/")}`;
}

export function entryUri(id: string): string {
  return `${SCHEME}${encodeURIComponent(id)}`;
}

/** The value of `{+id}` in the template. */
export function nameInUri(uri: string): string {
  return uri.slice(SCHEME.length);
}

/** null if it is not the URI of a memory. */
export function readMemoryUri(uri: string): MemoryName | null {
  if (uri.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return null;
  const named = nameInUri(uri);
  if (named === nameInUri(CONTEXT_URI)) return { kind: "context" };
  const parts = named.split("/").map(decoded);
  if (!parts.every((part): part is string => part !== null && part !== "")) return null;
  const [first = "", ...rest] = parts;
  return rest.length === 0
    ? { kind: "entry", id: first }
    : { kind: "document", collection: first, id: rest.join("/") };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
