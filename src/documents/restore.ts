/** The way back: a deleted document, or an earlier version. */
import type { DocumentRef } from "../core/documents/document.ts";
import { parseMarkdown, withFields } from "../core/documents/frontmatter.ts";
import { RetainError } from "../core/errors.ts";
import type { Committer, DocumentFile } from "../core/ports/documents.ts";
import { comparable, previousVersion } from "./history.ts";
import { differing } from "./input.ts";
import { type DocumentPorts, signer } from "./ports.ts";
import { locateKept, openLoosely, parseFile, readFile, readVersion, textOf } from "./read.ts";
import { secretsIn, warnOfSecrets } from "./secrets.ts";
import { asItStands, storeBytes, tidyVersions, type WrittenDocument, writeSingle } from "./write.ts";

export interface RestoreOptions {
  collection?: string;
  /** By default: the last state of a deleted document, else the version before. */
  version?: string | number;
  /** Record the result in git, and nothing else. */
  commit?: boolean;
  updated_by?: string;
}

export interface RestoreResult extends WrittenDocument {
  readonly action: "undeleted" | "restored" | "unchanged";
  readonly restored_from: string;
  /** The commit that records it, where one was asked for. */
  readonly git_ref: string | null;
}

type Restored = Omit<RestoreResult, "git_ref">;

/** An undeleted document has the very bytes it had; an earlier version comes back as a new one on top. */
export async function restoreDocument(
  ports: DocumentPorts,
  id: string,
  options: RestoreOptions = {},
): Promise<RestoreResult> {
  const committer = options.commit ? requireCommitter(ports, id, options.collection) : null;
  const result = await ports.lock.exclusively(() => {
    const ref = locateKept(ports, id, options.collection);
    const file = ports.files.read(ref);
    return (
      (file === null && options.version === undefined ? undelete(ports, ref) : null) ??
      restoreVersion(ports, ref, file, options)
    );
  });
  return { ...result, git_ref: committer === null ? null : commitRestored(ports, committer, result) };
}

/** Throws `usage` where versions are not git's, `git` where a commit cannot work, before anything is changed. */
function requireCommitter(ports: DocumentPorts, id: string, collection?: string): Committer {
  const { committer } = ports.versions;
  if (committer === null)
    throw new RetainError(
      "usage",
      "There is nothing to commit to: this workspace keeps numbered versions, not git's.",
      "Leave out --commit.",
    );
  committer.require(locateKept(ports, id, collection));
  return committer;
}

/** A commit that fails (a hook, no identity) takes nothing back, and says so. */
function commitRestored(
  ports: DocumentPorts,
  committer: Committer,
  { collection, id, restored_from }: Restored,
): string {
  const file = readFile(ports.files, { collection, id });
  try {
    return committer.commit(file, `Restore ${id} from ${restored_from}`);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    const message = `'${id}' is restored, but not committed: ${error.message}`;
    throw new RetainError("git", message, `Commit ${file.path} yourself.`);
  }
}

/** null when nothing of the document is left. */
function undelete(ports: DocumentPorts, ref: DocumentRef): Restored | null {
  const last = ports.versions.lastState(ref);
  if (last === null) return null;
  warnOfSecrets(ports, [{ name: ref.id, secrets: secretsIn(new TextDecoder().decode(last.bytes)) }]);
  const file = storeBytes(ports, ref, last.bytes);
  ports.files.flush();
  const { kept } = last;
  if (kept !== null) tidyVersions(ports, ref, (versions) => versions.drop(ref, kept));
  const restored_from = last.kept === null ? "git" : `v${last.kept}`;
  return { ...asItStands(openLoosely(file)), action: "undeleted", restored_from };
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
      `Take what you need from: retain get ${ref.id} --version ${version} --format raw`,
    );
  const current = file === null ? null : parseFile(file);
  const history = current?.markdown.fields.version_history;
  const markdown =
    old.yaml === null ? old : withFields(old, differing({ version_history: history }, old.fields));
  if (current !== null && comparable(current.markdown) === comparable(markdown))
    return { ...asItStands(current), action: "unchanged", restored_from: version };
  warnOfSecrets(ports, [{ name: ref.id, secrets: secretsIn(text) }]);
  const by = options.updated_by ?? signer(ports, {});
  const written = writeSingle(ports, { ref, current, markdown, by, keep: "always" });
  return { ...written, action: "restored", restored_from: version };
}
