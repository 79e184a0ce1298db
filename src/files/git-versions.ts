/**
 * Versions from git, for a project inside a repository. Git is only read: a document's past is its commits. What git
 * has not recorded would be lost when it is replaced or deleted, so exactly that is kept aside as a numbered file.
 */
import { relative } from "node:path";
import type { DocumentRef } from "../core/document.ts";
import { RetainError } from "../core/errors.ts";
import { parseMarkdown } from "../core/frontmatter.ts";
import type { DocumentFile, DocumentFiles, OutgoingState, VersionStore } from "../core/ports.ts";
import { type Version, versionNumber } from "../core/versions.ts";
import { isGitBlob } from "../util/hash.ts";
import type { GitRepository } from "./git.ts";
import type { NumberedVersions } from "./numbered-versions.ts";

const UNCOMMITTED = "uncommitted";

interface Commit {
  hash: string;
  time: string;
  author: string;
  subject: string;
  /** The file's path at that commit, from the repository's root: it may have been renamed since. */
  path: string;
}

export class GitVersions implements VersionStore {
  readonly kind = "git";

  constructor(
    private readonly git: GitRepository,
    private readonly files: Pick<DocumentFiles, "pathOf" | "root">,
    /** What git does not hold. */
    private readonly aside: NumberedVersions,
  ) {}

  /** A missing or broken git costs nothing here: everything is then kept aside. */
  keep(states: readonly OutgoingState[]): (number | null)[] {
    const blobs = this.git.isUsable()
      ? this.#headBlobs(states.map((state) => this.#path(state.file.ref)))
      : new Map();
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

  list(ref: DocumentRef, current: DocumentFile | null): Version[] {
    this.git.require();
    const committed = current !== null && this.#isCommitted(current);
    const working = current === null || committed ? [] : [uncommitted(current)];
    const recorded = this.#log(ref).map(
      (commit, index): Version => ({
        version: commit.hash.slice(0, 7),
        timestamp: commit.time,
        author: commit.author,
        message: commit.subject,
        git_ref: commit.hash,
        current: committed && index === 0,
      }),
    );
    const kept = this.aside
      .list(ref, null)
      .map((version) => ({ ...version, message: "kept aside, never committed" }));
    return [...working, ...recorded, ...kept];
  }

  read(ref: DocumentRef, version: string): Uint8Array {
    const number = versionNumber(version);
    const kept = number === null ? null : this.aside.readNumber(ref, number);
    if (kept !== null) return kept;
    this.git.require();
    const commit = this.git.resolveCommit(version);
    const bytes = this.git.fileAt(commit, this.#path(ref)) ?? this.#beforeRename(ref, commit);
    if (bytes !== null) return bytes;
    const hint = `See what there is: retain versions ${ref.id}`;
    throw new RetainError("not_found", `'${ref.id}' does not exist at ${version}.`, hint);
  }

  /** Where both git and a file kept aside could serve, the higher version number is the later state. */
  lastState(ref: DocumentRef): { bytes: Uint8Array; kept: number | null } | null {
    const aside = this.aside.lastState(ref);
    const bytes = this.git.isUsable() ? this.#lastRecorded(ref) : null;
    if (bytes === null) return aside;
    return aside !== null && versionOf(aside.bytes) >= versionOf(bytes) ? aside : { bytes, kept: null };
  }

  holding(id: string): string[] {
    const prefix = `${this.#root()}/`;
    const recorded = (this.git.isUsable() ? this.#everRecorded() : [])
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length).split("/"))
      .filter(([, file, ...deeper]) => file === `${id}.md` && deeper.length === 0)
      .map(([collection = ""]) => collection);
    return [...new Set([...this.aside.holding(id), ...recorded])].sort();
  }

  drop(ref: DocumentRef, number: number): void {
    this.aside.drop(ref, number);
  }

  requireCommit(): void {
    this.git.require();
    this.git.requireBranch();
  }

  commit(file: DocumentFile, message: string): string {
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

  #isCommitted({ ref, bytes }: DocumentFile): boolean {
    const path = this.#path(ref);
    const blob = this.#headBlobs([path]).get(path);
    if (blob === undefined) return false;
    return (
      isGitBlob(blob, bytes) ||
      this.git.try("diff", "--quiet", "--no-ext-diff", "HEAD", "--", this.files.pathOf(ref)).ok
    );
  }

  /** The blobs that HEAD holds at these paths; none before the first commit. */
  #headBlobs(paths: readonly string[]): Map<string, string> {
    const listing = this.git.try("ls-tree", "-z", "--full-tree", "HEAD", "--", ...paths).stdout.toString();
    const rows = listing.split("\0").map((row) => /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(row));
    return new Map(rows.flatMap((row) => (row?.[1] && row[2] ? [[row[2], row[1]] as const] : [])));
  }

  /** Newest first, renames followed. */
  #log(ref: DocumentRef): Commit[] {
    const format = "--format=%x1e%H%x1f%aI%x1f%an%x1f%s%x1f";
    const log = this.git.try("log", "--follow", format, "--name-only", "-z", "--", this.files.pathOf(ref));
    return log.stdout
      .toString()
      .split("\x1e")
      .slice(1)
      .map((record) => {
        const [hash = "", time = "", author = "", subject = "", path = ""] = record.split("\x1f");
        return { hash, time, author, subject, path: path.replace(/^\0?\n?/, "").replace(/\0+$/, "") };
      });
  }

  /** The document at a commit in which it still had another name. */
  #beforeRename(ref: DocumentRef, commit: string): Uint8Array | null {
    const last = this.#log(ref).find(
      ({ hash }) => this.git.try("merge-base", "--is-ancestor", hash, commit).ok,
    );
    return last === undefined ? null : this.git.fileAt(commit, last.path);
  }

  #lastRecorded(ref: DocumentRef): Uint8Array | null {
    const path = this.#path(ref);
    const atHead = this.git.fileAt("HEAD", path);
    if (atHead !== null) return atHead;
    const log = this.git.try("log", "-1", "--format=%H", "--diff-filter=D", "--", this.files.pathOf(ref));
    const removal = log.stdout.toString().trim();
    return removal === "" ? null : this.git.fileAt(`${removal}~1`, path);
  }

  /** Every path below the collections that HEAD holds or a commit removed. */
  #everRecorded(): string[] {
    const held = this.git.try(
      "ls-tree",
      "-r",
      "-z",
      "--full-tree",
      "--name-only",
      "HEAD",
      "--",
      this.#root(),
    );
    const removed = this.git.try(
      "log",
      "--format=",
      "--name-only",
      "-z",
      "--diff-filter=D",
      "--",
      this.files.root,
    );
    return `${held.stdout}\0${removed.stdout}`.split("\0");
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
  const { version } = parseMarkdown(new TextDecoder().decode(bytes)).fields;
  return typeof version === "number" ? version : 0;
}
