/**
 * The files that can be attached, for completion. The list and the sizes are loaded in the background: `find` never waits, and
 * `onChange` tells when it would return more.
 */
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { referenceTo } from "../../core/text/file-references.ts";
import { sizeInWords } from "../../util/in-words.ts";
import { mayBeSearched } from "../tools/deny-paths.ts";
import type { Roots } from "../tools/roots.ts";
import { isPlain } from "../tools/visible.ts";

interface Listed {
  readonly path: string;
  readonly lower: string;
}

const MOST_FILES = 200_000;
/** Without git, at most this many directories are read. */
const MOST_DIRECTORIES = 5_000;
const MOST_FOUND = 50;
const HIDDEN = /(?:^|\/)\./;
/** Large, and never meant. Where git lists the files, it is usually ignored. */
const PACKAGES = "node_modules";

export class FileList {
  onChange: () => void = () => {};
  #files: readonly Listed[] = [];
  /** null: there is no such file. */
  #sizes = new Map<string, number | null>();
  #isRead = false;
  #reading: Promise<void> | null = null;

  constructor(
    private readonly roots: Roots,
    private readonly git: { output(...args: string[]): Promise<Uint8Array | null> },
  ) {}

  /** References to the files whose path contains `part`, best match first. */
  find(part: string): { readonly value: string; readonly detail: string }[] {
    if (!this.#isRead) void this.refresh();
    const wanted = part.toLowerCase();
    const ranks: string[][] = [[], [], [], [], []];
    for (const file of this.#files) {
      const rank = ranks[rankOf(file.lower, wanted)];
      if (rank !== undefined && rank.length < MOST_FOUND && this.#isOffered(file.path)) rank.push(file.path);
    }
    const found = ranks.flat().slice(0, MOST_FOUND);
    void this.#loadSizes(found.filter((path) => !this.#sizes.has(path)));
    return found.map((path) => {
      const size = this.#sizes.get(path) ?? null;
      return { value: referenceTo(path), detail: size === null ? "" : sizeInWords(size) };
    });
  }

  #isOffered(path: string): boolean {
    if (this.#sizes.get(path) === null || !isPlain(path)) return false;
    const full = join(this.roots.cwd, path);
    return mayBeSearched(dirname(full), [basename(full)], this.roots);
  }

  /** Reads the list again. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const paths = await this.#list();
    this.#files = byDepth(paths).map((path) => ({ path, lower: path.toLowerCase() }));
    this.#sizes = new Map();
    this.#isRead = true;
    this.onChange();
  }

  /** A directory that git ignores as a whole is read like one without git. */
  async #list(): Promise<string[]> {
    const output = await this.git.output("ls-files", "-z", "--cached", "--others", "--exclude-standard");
    const paths = [...new Set(new TextDecoder().decode(output ?? undefined).split("\0"))].filter(
      (path) => path !== "",
    );
    const shown = paths.slice(0, MOST_FILES).filter((path) => !HIDDEN.test(path));
    return paths.length > 0 ? shown : walk(this.roots.cwd);
  }

  async #loadSizes(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const sizes = this.#sizes;
    await Promise.all(
      paths.map(async (path) => {
        const entry = await stat(join(this.roots.cwd, path)).catch(() => null);
        sizes.set(path, entry?.isFile() ? entry.size : null);
      }),
    );
    if (sizes === this.#sizes) this.onChange();
  }
}

/** 0 is best; -1 if it doesn't match. */
function rankOf(path: string, part: string): number {
  const at = path.lastIndexOf(part);
  if (at < 0) return -1;
  const name = path.lastIndexOf("/") + 1;
  const begins = at === 0 || path[at - 1] === "/";
  if (begins && at + part.length === path.length) return 0;
  if (at >= name || at + part.length > name) return path.startsWith(part, name) || begins ? 1 : 2;
  return path.startsWith(part) || path.includes(`/${part}`) ? 3 : 4;
}

/** Files of upper directories first; otherwise in the given order. */
function byDepth(paths: readonly string[]): string[] {
  const levels: string[][] = [];
  for (const path of paths) {
    let depth = 0;
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) depth++;
    levels[depth] ??= [];
    levels[depth]?.push(path);
  }
  return levels.flat();
}

/** Breadth first, without hidden files, links and what can't be read. */
async function walk(root: string): Promise<string[]> {
  const files: string[] = [];
  const directories = [""];
  for (let next = 0; next < directories.length && next < MOST_DIRECTORIES; next++) {
    const directory = directories[next] ?? "";
    const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(() => []);
    const shown = entries.filter(({ name }) => !name.startsWith("."));
    for (const entry of shown.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== PACKAGES) directories.push(path);
      else if (entry.isFile() && files.length < MOST_FILES) files.push(path);
    }
  }
  return files;
}
