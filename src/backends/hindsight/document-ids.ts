/**
 * Ids in a bank. Every statement, document and part of a conversation is a Hindsight document with a stable id, so that sending it
 * again replaces it. Ids contain no slash, which some servers treat as a path separator. Projects that share a bank have separate
 * ids: a document of the same name in two projects is two documents.
 */
import type { BackendDocumentRef } from "../../core/ports/backend.ts";
import { sha256 } from "../../util/hash.ts";

type Named =
  | { readonly kind: "fact"; readonly hash: string }
  | { readonly kind: "document"; readonly ref: BackendDocumentRef }
  | { readonly kind: "message"; readonly session: string; readonly from: number };

export class DocumentIds {
  /** "" without tags, else "1a2b3c4d:". */
  readonly #scope: string;

  readonly #machine: string;

  /** `machine` keeps conversations of several machines in one bank apart; "" if there is only one. */
  constructor(tags: readonly string[], machine = "") {
    this.#machine = machine === "" ? "" : `${escaped(machine)}:`;
    this.#scope = tags.length === 0 ? "" : `${sha256([...tags].sort().join("\n")).slice(0, 8)}:`;
  }

  document({ collection, id }: BackendDocumentRef): string {
    return `${this.#documents}${escaped(collection)}:${escaped(id)}`;
  }

  /** The whole conversation, or the part that starts at turn `from`. */
  session(session: string, from: number): string {
    const whole = `${this.#sessions}${escaped(session)}`;
    return from === 0 ? whole : `${whole}#${from}`;
  }

  get #documents(): string {
    return `${this.#scope}doc:`;
  }

  get #sessions(): string {
    return `${this.#scope}session:${this.#machine}`;
  }

  /** null for an id of another project or another program. */
  read(documentId: string): Named | null {
    if (documentId.startsWith(this.#documents)) {
      const [collection, id, more] = documentId.slice(this.#documents.length).split(":").map(unescaped);
      return collection && id && more === undefined ? { kind: "document", ref: { collection, id } } : null;
    }
    if (documentId.startsWith(this.#sessions)) {
      const [name = "", from = "0"] = documentId.slice(this.#sessions.length).split("#");
      const session = unescaped(name);
      return session && /^\d{1,9}$/.test(from) ? { kind: "message", session, from: Number(from) } : null;
    }
    return isStatement(documentId) ? { kind: "fact", hash: documentId } : null;
  }
}

/** The id of the conversation that a part belongs to. */
export function conversationOf(documentId: string): string {
  return documentId.replace(/#\d+$/, "");
}

/** Stable for the same text, context, tags and session. */
export function statementId(parts: readonly unknown[]): string {
  return `retain:${sha256(JSON.stringify(parts)).slice(0, 32)}`;
}

export function isStatement(id: string): boolean {
  return /^retain:[0-9a-f]{32}$/.test(id);
}

/** A UUID derived from the parts. */
export function uuidOf(parts: readonly unknown[]): string {
  const hash = sha256(JSON.stringify(parts));
  const variant = "89ab"[Number.parseInt(hash.charAt(16), 16) % 4];
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}

function escaped(name: string): string {
  return name
    .toWellFormed()
    .replace(
      /[%/\\:#?\u0000-\u001f\u007f]/g,
      (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
    );
}

/** null if it is not validly escaped. */
function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
