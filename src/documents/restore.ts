/** Restores a deleted document or an earlier version. */
import type { DocumentRef } from "../core/documents/document.ts";
import { parseMarkdown, withFields } from "../core/documents/frontmatter.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import type { Committer, DocumentFile } from "../core/ports/documents.ts";
import { comparable, previousVersion } from "./history.ts";
import { differing } from "./input.ts";
import { type DocumentPorts, signer } from "./ports.ts";
import { type OpenDocument, openLoosely, parseFile, readFile, readVersion, textOf } from "./read.ts";
import { secretsIn, warnOfSecrets } from "./secrets.ts";
import {
  changeFrom,
  recordChange,
  storeBytes,
  tidyVersions,
  unchanged,
  type WrittenDocument,
  writeSingle,
} from "./write.ts";

/** The label of such a change. */
const RESTORE = "restore";

export interface RestoreOptions {
  collection?: string;
  /** Default: the last state of a deleted document, else the previous version. */
  version?: string | number;
  /** Commit the restored file, and nothing else. */
  commit?: boolean;
  updated_by?: string;
}

export interface RestoreResult extends WrittenDocument {
  readonly action: "undeleted" | "restored" | "unchanged";
  readonly restored_from: string;
  /** The commit, if one was requested. */
  readonly git_ref: string | null;
}

type Restored = Omit<RestoreResult, "git_ref">;

/** Undeleting restores the exact bytes. Restoring an earlier version creates a new version with its text. */
export async function restoreDocument(
  ports: DocumentPorts,
  ref: DocumentRef,
  options: RestoreOptions = {},
): Promise<RestoreResult> {
  const committer = options.commit ? requireCommitter(ports, ref) : null;
  const result = await ports.lock.exclusively(() => {
    const file = ports.files.read(ref);
    return (
      (file === null && options.version === undefined ? undeleteAsked(ports, ref) : null) ??
      restoreVersion(ports, ref, file, options)
    );
  });
  return { ...result, git_ref: committer === null ? null : commitRestored(ports, committer, result) };
}

/** Throws before anything changes: `usage` if git doesn't keep the versions, `git` if a commit can't succeed. */
function requireCommitter({ versions: { committer } }: DocumentPorts, ref: DocumentRef): Committer {
  if (committer === null)
    throw new RetainError(
      "usage",
      "Cannot commit: this workspace keeps numbered versions, not git commits.",
      hint`Leave out ${option("commit")}.`,
    );
  committer.require(ref);
  return committer;
}

/** If the commit fails (a hook, no identity), the document stays restored, and the error says so. */
function commitRestored(
  ports: DocumentPorts,
  committer: Committer,
  { collection, id, restored_from }: Restored,
): string {
  const file = readFile(ports, { collection, id });
  try {
    return committer.commit(file, `Restore ${id} from ${restored_from}`);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    const message = `'${id}' is restored, but not committed: ${error.message}`;
    throw new RetainError("git", message, `Commit ${file.path} yourself.`);
  }
}

function undeleteAsked(ports: DocumentPorts, ref: DocumentRef): Restored | null {
  const undeleted = undelete(ports, ref);
  if (undeleted === null) return null;
  const { document, restored_from } = undeleted;
  recordChange(ports, RESTORE, [changeFrom(ref, undefined, document.markdown)]);
  return { ...unchanged(document), action: "undeleted", restored_from };
}

/** null if no state of the document is left. Needs the lock; the caller records the change. */
export function undelete(
  ports: DocumentPorts,
  ref: DocumentRef,
): { document: OpenDocument; restored_from: string } | null {
  const last = ports.versions.lastState(ref);
  if (last === null) return null;
  warnOfSecrets(ports, [{ name: ref.id, secrets: secretsIn(new TextDecoder().decode(last.bytes)) }]);
  const file = storeBytes(ports, ref, last.bytes, null);
  ports.files.flush();
  const { kept } = last;
  if (kept !== null) tidyVersions(ports, ref, (versions) => versions.drop(ref, kept));
  return { document: openLoosely(file), restored_from: kept === null ? "git" : `v${kept}` };
}

function restoreVersion(
  ports: DocumentPorts,
  ref: DocumentRef,
  file: DocumentFile | null,
  options: RestoreOptions,
): Restored {
  const version = String(options.version ?? previousVersion(ports, ref).version);
  const text = textOf(readVersion(ports, ref, version), `Version '${version}' of '${ref.id}'`);
  const old = parseMarkdown(text);
  if (old.problem !== null)
    throw new RetainError(
      "invalid_input",
      `The frontmatter of version '${version}' cannot be read: line ${old.problem.line}: ${old.problem.message}`,
      hint`Copy what you need from: ${command("get", ref.id, option("version", version), option("format", "raw"))}`,
    );
  const current = file === null ? null : parseFile(file);
  const history = current?.markdown.fields.version_history;
  const markdown =
    old.yaml === null ? old : withFields(old, differing({ version_history: history }, old.fields));
  if (current !== null && comparable(current.markdown) === comparable(markdown))
    return { ...unchanged(current), action: "unchanged", restored_from: version };
  warnOfSecrets(ports, [{ name: ref.id, secrets: secretsIn(text) }]);
  const by = options.updated_by ?? signer(ports, {});
  const written = writeSingle(ports, { ref, current, markdown, by, keep: "always" }, RESTORE);
  return { ...written, action: "restored", restored_from: version };
}
