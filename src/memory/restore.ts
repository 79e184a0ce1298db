/** The way back: a deleted document, or an earlier version. */
import type { DocumentRef } from "../core/document.ts";
import { RetainError } from "../core/errors.ts";
import { parseMarkdown, withFields } from "../core/frontmatter.ts";
import type { DocumentFile, IndexChanges } from "../core/ports.ts";
import { sha256 } from "../util/hash.ts";
import { comparable, previousVersion } from "./history.ts";
import { rowOf } from "./index-sync.ts";
import { differing } from "./input.ts";
import type { DocumentPorts } from "./ports.ts";
import { locateKept, parseFile, parseLoosely, readVersion, textOf } from "./read.ts";
import { asItStands, type WrittenDocument, writeSingle } from "./write.ts";

export interface RestoreOptions {
  collection?: string;
  /** By default: the last state of a deleted document, else the version before. */
  version?: string;
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
  if (options.commit) ports.versions.requireCommit(locateKept(ports, id, options.collection));
  const result = await ports.index().exclusively((changes) => {
    const ref = locateKept(ports, id, options.collection);
    const file = ports.files.read(ref);
    return (
      (file === null && options.version === undefined ? undelete(ports, changes, ref) : null) ??
      restoreVersion(ports, changes, ref, file, options)
    );
  });
  if (!options.commit) return { ...result, git_ref: null };
  return { ...result, git_ref: commitRestored(ports, result) };
}

/** A commit that fails (a hook, no identity) takes nothing back, and says so. */
function commitRestored(ports: DocumentPorts, { collection, id, restored_from }: Restored): string {
  const file = ports.files.read({ collection, id }) as DocumentFile;
  try {
    return ports.versions.commit(file, `Restore ${id} from ${restored_from}`);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    throw new RetainError(
      "git",
      `'${id}' is restored, but not committed: ${error.message}`,
      `Commit ${file.path} yourself.`,
    );
  }
}

/** null when nothing of the document is left. */
function undelete(ports: DocumentPorts, changes: IndexChanges, ref: DocumentRef): Restored | null {
  const last = ports.versions.lastState(ref);
  if (last === null) return null;
  const { bytes, kept } = last;
  const stamp = ports.files.write(ref, bytes);
  ports.files.flush();
  if (kept !== null) ports.versions.drop(ref, kept);
  const file = { ref, path: ports.files.pathOf(ref), bytes, stamp };
  const hash = sha256(bytes);
  changes.put(rowOf(file, hash, hash, Date.now()));
  const restored_from = kept === null ? "git" : `v${kept}`;
  return { ...asItStands(parseLoosely(file)), action: "undeleted", restored_from };
}

function restoreVersion(
  ports: DocumentPorts,
  changes: IndexChanges,
  ref: DocumentRef,
  file: DocumentFile | null,
  options: RestoreOptions,
): Restored {
  const version = options.version ?? previousVersion(ports, ref).version;
  const old = parseMarkdown(textOf(readVersion(ports, ref, version), `Version '${version}' of '${ref.id}'`));
  const current = file === null ? null : parseFile(file);
  const history = current?.markdown.fields.version_history;
  const markdown =
    old.yaml === null || old.problem !== null
      ? old
      : withFields(old, differing({ version_history: history }, old.fields));
  if (current !== null && comparable(current.markdown) === comparable(markdown))
    return { ...asItStands(current), action: "unchanged", restored_from: version };
  const by = options.updated_by ?? ports.settings.created_by;
  const written = writeSingle(ports, changes, { ref, current, markdown, by, keep: "always" });
  return { ...written, action: "restored", restored_from: version };
}
