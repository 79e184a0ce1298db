/**
 * Versions from git, for a project inside a repository. Git is only read: a document's versions are its commits. States that git
 * has not committed are saved as numbered files before they are replaced, and so is every deleted document, so that restoring it
 * does not depend on git.
 */
import { relative } from "node:path";
import type { DocumentRef } from "../../core/documents/document.ts";
import { parseLoosely } from "../../core/documents/frontmatter.ts";
import { type Version, versionNumber } from "../../core/documents/versions.ts";
import { RetainError } from "../../core/errors.ts";
import { command, hint, option } from "../../core/hint.ts";
import type {
  Committer,
  DocumentFile,
  DocumentFiles,
  OutgoingState,
  VersionStore,
} from "../../core/ports/documents.ts";
import { isGitBlob } from "../../util/hash.ts";
import type { NumberedVersions } from "../numbered-versions.ts";
import type { GitRepository } from "./git.ts";
import { type Commit, documentLog } from "./log.ts";

const UNCOMMITTED = "uncommitted";

export class GitVersions implements VersionStore {
  readonly kind = "git";
  readonly committer: Committer = {
    require: (ref) => this.#requireCommit(ref),
    commit: (file, message) => this.#commit(file, message),
  };

  constructor(
    private readonly git: GitRepository,
    private readonly files: Pick<DocumentFiles, "pathOf" | "root">,
    /** States that git doesn't have. */
    private readonly aside: NumberedVersions,
    private readonly warn: (message: string) => void,
  ) {}

  /** Without a working git, every state is saved as a file. */
  keep(states: readonly OutgoingState[], evenIfSafe: boolean): (number | null)[] {
    if (evenIfSafe || !this.git.isUsable()) return this.aside.keep(states);
    const blobs = this.#headBlobs(states.map((state) => this.#path(state.file.ref)));
    return states.map((state) => {
      const blob = blobs.get(this.#path(state.file.ref));
      return blob !== undefined && isGitBlob(blob, state.file.bytes) ? null : this.aside.keepOne(state);
    });
  }

  prune(ref: DocumentRef, count: number): void {
    this.aside.prune(ref, count);
  }

  highest(ref: DocumentRef): number {
    return this.aside.highest(ref);
  }

  /** In git's order, which survives rebases and wrong clocks; saved files by version number. */
  list(ref: DocumentRef, current: DocumentFile | null): Version[] {
    const kept = this.aside.list(ref, null).map((version) => ({ ...version, message: "kept aside" }));
    if (kept.length > 0 && !this.git.isUsable()) return this.#withoutGit(current, kept);
    this.git.require();
    const committed = current !== null && this.#isCommitted(current);
    const commits = documentLog(this.git, this.#path(ref));
    const recorded = commits.map(
      (commit, index): Version => ({
        version: commit.hash.slice(0, 7),
        timestamp: commit.time,
        author: commit.author,
        message: commit.subject,
        git_ref: commit.hash,
        current: committed && index === 0,
      }),
    );
    const working = current === null || committed ? [] : [uncommitted(current)];
    const versions = [...working, ...this.#interleave(commits, recorded, kept)];
    if (this.git.lacksObjects) this.warn("This repository is a partial clone, so versions may be missing.");
    return versions;
  }

  #withoutGit(current: DocumentFile | null, kept: Version[]): Version[] {
    this.warn("git does not work here, so only versions that Retain saved are shown.");
    return current === null ? kept : [uncommitted(current), ...kept];
  }

  #interleave(commits: readonly Commit[], recorded: readonly Version[], kept: Version[]): Version[] {
    if (kept.length === 0) return [...recorded];
    const numbers = commits.map(({ hash, path }) =>
      versionOf(this.git.fileAt(hash, path) ?? new Uint8Array()),
    );
    const waiting = [...kept];
    const merged = recorded.flatMap((version, index) => {
      const later = waiting.filter(
        (candidate) => (versionNumber(candidate.version) ?? 0) >= (numbers[index] ?? 0),
      );
      waiting.splice(0, later.length);
      return [...later, version];
    });
    return [...merged, ...waiting];
  }

  read(ref: DocumentRef, version: string): Uint8Array {
    const number = versionNumber(version);
    const kept = number === null ? null : this.aside.readNumber(ref, number);
    if (kept !== null) return kept;
    this.git.require();
    const commit = this.git.resolveCommit(version);
    const bytes = this.git.fileAt(commit, this.#path(ref)) ?? this.#beforeRename(ref, commit);
    if (bytes !== null) return bytes;
    this.git.requireObjects();
    throw new RetainError(
      "not_found",
      `'${ref.id}' does not exist at ${version}.`,
      hint`List its versions: ${command("versions", ref.id)}`,
    );
  }

  /** A delete saves the last state; git's counts only if it was committed later. */
  lastState(ref: DocumentRef): { bytes: Uint8Array; kept: number | null; keptAt: number } | null {
    const aside = this.aside.lastState(ref);
    const recorded = this.git.isUsable() ? this.#lastRecorded(ref) : null;
    if (recorded === null || (aside !== null && aside.keptAt >= recorded.time)) return aside;
    return { bytes: recorded.bytes, kept: null, keptAt: recorded.time };
  }

  holding(id: string): string[] {
    if (!this.git.isUsable()) return this.aside.holding(id);
    const recorded = this.#documentsAt(this.#everRecorded())
      .filter((ref) => ref.id === id)
      .map(({ collection }) => collection);
    return [...new Set([...this.aside.holding(id), ...recorded])].sort();
  }

  /** Without the history of commits, which can be long: every document that Retain deleted has a saved version. */
  known(): DocumentRef[] {
    return [...this.aside.known(), ...(this.git.isUsable() ? this.#documentsAt(this.#inHead()) : [])];
  }

  #documentsAt(paths: readonly string[]): DocumentRef[] {
    const prefix = `${this.#root()}/`;
    return paths
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length).split("/"))
      .flatMap(([collection = "", file, ...deeper]) =>
        file?.endsWith(".md") && deeper.length === 0 ? { collection, id: file.slice(0, -3) } : [],
      );
  }

  drop(ref: DocumentRef, number: number): void {
    this.aside.drop(ref, number);
  }

  #requireCommit(ref: DocumentRef): void {
    this.git.require();
    this.git.requireBranch();
    const programs = this.git.commitPrograms();
    if (programs.length > 0)
      throw new RetainError(
        "git",
        `A commit here would run programs that Retain doesn't run: ${programs.join(", ")}.`,
        hint`Omit ${option("commit")}, then commit the document with git.`,
      );
    if (this.git.try("check-ignore", "--quiet", "--", this.files.pathOf(ref)).ok)
      throw new RetainError(
        "git",
        `git ignores ${this.files.pathOf(ref)}, so it cannot be committed.`,
        "See .gitignore.",
      );
  }

  #commit(file: DocumentFile, message: string): string {
    this.git.run("add", "--", file.path);
    if (!this.#isCommitted(file)) this.git.run("commit", "--quiet", "--message", message, "--", file.path);
    return this.git.run("rev-parse", "HEAD").trim();
  }

  #root(): string {
    return this.git.pathFromTop(this.files.root);
  }

  #path(ref: DocumentRef): string {
    return `${this.#root()}/${relative(this.files.root, this.files.pathOf(ref))}`;
  }

  /** Ignores line endings that git converts. `git diff` would work too, but runs a repository's filters. */
  #isCommitted({ ref, bytes }: DocumentFile): boolean {
    const path = this.#path(ref);
    const blob = this.#headBlobs([path]).get(path);
    if (blob === undefined) return false;
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return isGitBlob(blob, bytes) || isGitBlob(blob, new TextEncoder().encode(text.replaceAll("\r\n", "\n")));
  }

  /** The blobs of these paths in HEAD; empty before the first commit. */
  #headBlobs(paths: readonly string[]): Map<string, string> {
    const listing = this.git.try("ls-tree", "-z", "--full-tree", "HEAD", "--", ...paths).stdout.toString();
    const rows = listing.split("\0").map((row) => /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(row));
    return new Map(rows.flatMap((row) => (row?.[1] && row[2] ? [[row[2], row[1]] as const] : [])));
  }

  /** The document at a commit before its rename. */
  #beforeRename(ref: DocumentRef, commit: string): Uint8Array | null {
    const last = documentLog(this.git, this.#path(ref)).find(
      ({ hash }) => this.git.try("merge-base", "--is-ancestor", hash, commit).ok,
    );
    return last === undefined ? null : this.git.fileAt(commit, last.path);
  }

  #lastRecorded(ref: DocumentRef): { bytes: Uint8Array; time: number } | null {
    const [last] = documentLog(this.git, this.#path(ref));
    const bytes = last === undefined ? null : this.git.fileAt(last.hash, last.path);
    return last === undefined || bytes === null ? null : { bytes, time: Date.parse(last.time) };
  }

  /** Every path below the collections that is in HEAD or that a commit removed. */
  #everRecorded(): string[] {
    const removed = this.git.try(
      "log",
      "--format=",
      "--name-only",
      "-z",
      "--diff-filter=D",
      "--",
      this.files.root,
    );
    return [...this.#inHead(), ...removed.stdout.toString().split("\0")];
  }

  #inHead(): string[] {
    const args = ["ls-tree", "-r", "-z", "--full-tree", "--name-only", "HEAD", "--", this.#root()];
    return this.git
      .try(...args)
      .stdout.toString()
      .split("\0");
  }
}

function uncommitted(current: DocumentFile): Version {
  return {
    version: UNCOMMITTED,
    timestamp: new Date(current.stamp.mtime).toISOString(),
    author: null,
    message: "not yet committed",
    git_ref: null,
    current: true,
  };
}

function versionOf(bytes: Uint8Array): number {
  const { version } = parseLoosely(bytes).fields;
  return typeof version === "number" ? version : 0;
}
