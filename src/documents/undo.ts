/**
 * Reverts a change of documents with their versions: the exact bytes come back, and the undone state takes their place among the
 * versions, so undoing step by step loses none of them.
 */

import type { DocumentRef } from "../core/documents/document.ts";
import { parseMarkdown } from "../core/documents/frontmatter.ts";
import { versionNumber } from "../core/documents/versions.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import { documentSource } from "../core/memory.ts";
import type { DocumentChange, DocumentFile } from "../core/ports/documents.ts";
import { decodeUtf8 } from "../util/text.ts";
import { hunksBetween } from "./history.ts";
import type { DocumentPorts } from "./ports.ts";
import { refFor } from "./read.ts";
import { removeDocument } from "./remove.ts";
import { undelete } from "./restore.ts";
import { outgoingState, stateHash, storeBytes, tidyVersions } from "./write.ts";

/**
 * Needs the lock. Throws `conflict`, with nothing changed, if a document has changed since or its old state isn't kept. If it changed
 * the text of one document, returns the lines that this removed ("- text") and brought back ("+ text").
 */
export function undoChanges(ports: DocumentPorts, changes: readonly DocumentChange[]): string[] {
  const [only, second] = changes;
  const textNow = () => {
    const file = only && second === undefined ? ports.files.read(refFor(ports.files, only)) : null;
    return file === null ? null : decodeUtf8(file.bytes);
  };
  const steps = changes.map((change) => stepFor(ports, change));
  const undone = textNow();
  for (const step of steps) step();
  const restored = textNow();
  if (undone === null || restored === null) return [];
  return hunksBetween(undone, restored)
    .flatMap(({ lines }) => lines)
    .flatMap((line) => (/^[-+]/.test(line) ? `${line.charAt(0)} ${line.slice(1)}` : []));
}

/** Checks everything first, and returns the work. */
function stepFor(ports: DocumentPorts, { before, after, ...named }: DocumentChange): () => void {
  const ref = refFor(ports.files, named);
  const file = ports.files.read(ref);
  // A killed undo is repeated: what it has reverted stays.
  if (hashOf(file) === before) return () => {};
  if (hashOf(file) !== after) throw conflict(ref, "it has changed since");
  if (file !== null && before === null) return () => removeDocument(ports, file);
  if (file === null && hashOf(ports.versions.lastState(ref)) === before) return () => undelete(ports, ref);
  for (const { version, current } of ports.versions.list(ref, file).slice(0, MOST_READ)) {
    if (current) continue;
    const bytes = ports.versions.read(ref, version, file);
    if (hashOf({ bytes }) === before) return () => bringBack(ports, ref, file, { version, bytes });
  }
  throw conflict(ref, "its earlier text was not kept");
}

function bringBack(
  ports: DocumentPorts,
  ref: DocumentRef,
  file: DocumentFile | null,
  { version, bytes }: { readonly version: string; readonly bytes: Uint8Array },
): void {
  if (file !== null) ports.versions.keep([outgoingState(file)], false);
  storeBytes(ports, ref, bytes, file);
  ports.files.flush();
  const kept = versionNumber(version);
  if (kept !== null) tidyVersions(ports, ref, (versions) => versions.drop(ref, kept));
}

/** The wanted one is among the newest; git's history may be long. */
const MOST_READ = 50;

function hashOf(state: { readonly bytes: Uint8Array } | null): string | null {
  return state === null ? null : stateHash(parseMarkdown(new TextDecoder().decode(state.bytes)));
}

function conflict(ref: DocumentRef, why: string): RetainError {
  return new RetainError(
    "conflict",
    `Cannot undo the last change of ${documentSource(ref)}: ${why}.`,
    hint`Look at its versions: ${command("versions", ref.id)}. To undo the change before this one, skip it first: ${command("undo", option("skip"))}`,
  );
}
