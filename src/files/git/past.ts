/**
 * Finds text in a workspace's git history: read-only, from every ref, the stash and recent rewrites. Git selects states that
 * contain a word; this code then matches the text, ignoring case and line breaks.
 */
import type { GitPast, PastCommit } from "../../core/ports/traces.ts";
import type { GitRepository } from "./git.ts";

const NO_BLOB = /^0+$/;
/** The command line's length is limited. */
const MOST_NAMES = 1_000;
const CHANGE = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*$/;

interface Entry extends PastCommit {
  /** The blobs it added. */
  readonly blobs: readonly string[];
  readonly message: string;
}

export class GitFilesPast implements GitPast {
  constructor(
    private readonly git: GitRepository,
    private readonly directory: string,
  ) {}

  holding(words: readonly string[], holds: (text: string) => boolean): PastCommit[] {
    this.git.require();
    const entries = [...this.#staged(), ...this.#commits()];
    const blobs = [...new Set(entries.flatMap((entry) => entry.blobs))];
    const guilty = new Set(this.#mentioning(words, blobs).filter((blob) => holds(this.#text(blob))));
    this.git.requireObjects();
    return entries
      .filter((entry) => entry.blobs.some((blob) => guilty.has(blob)) || holds(entry.message))
      .map(({ commit, at }) => ({ commit, at }));
  }

  #commits(): Entry[] {
    const log = this.git.try(
      "log",
      "--all",
      "--reflog",
      "-m",
      "--raw",
      "--no-abbrev",
      "--no-renames",
      "--no-ext-diff",
      "-z",
      "--format=%x01%H%x02%cI%x02%B%x02",
      "--",
      this.directory,
    );
    const records = log.stdout.toString().split("\u0001").slice(1).map(entryOf);
    const merged = new Map<string, Entry>();
    // A merge appears once per parent.
    for (const entry of records)
      merged.set(entry.commit, {
        ...entry,
        blobs: [...(merged.get(entry.commit)?.blobs ?? []), ...entry.blobs],
      });
    return [...merged.values()];
  }

  #staged(): Entry[] {
    const listing = this.git.try("ls-files", "--stage", "-z", "--", this.directory).stdout.toString();
    const blobs = listing.split("\0").flatMap((row) => /^\d+ ([0-9a-f]+) /.exec(row)?.[1] ?? []);
    return [{ commit: "index", at: null, message: "", blobs }];
  }

  /** The blobs that contain one of the words, ignoring ASCII case. */
  #mentioning(words: readonly string[], blobs: readonly string[]): string[] {
    const patterns = words.flatMap((word) => ["-e", word]);
    const found: string[] = [];
    for (let at = 0; at < blobs.length; at += MOST_NAMES) {
      const names = blobs.slice(at, at + MOST_NAMES);
      const options = ["--fixed-strings", "--ignore-case", "--text", "--files-with-matches", "--null"];
      const grep = this.git.try("grep", "--no-textconv", "--no-color", ...options, ...patterns, ...names);
      found.push(...grep.stdout.toString().split("\0"));
    }
    return found.filter((name) => name !== "");
  }

  #text(blob: string): string {
    return this.git.try("cat-file", "blob", blob).stdout.toString();
  }
}

function entryOf(record: string): Entry {
  const [commit = "", at = "", message = "", changes = ""] = record.split("\u0002");
  const blobs = changes
    .split(/[\0\n]/)
    .flatMap((row) => CHANGE.exec(row)?.[1] ?? [])
    .filter((blob) => !NO_BLOB.test(blob));
  return { commit, at, message, blobs };
}
