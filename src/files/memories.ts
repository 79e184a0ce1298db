/** The files in `memories/`: facts and notes of the workspace and its chats, and working memory. */
import { type Dirent, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSameStamp, isSettledBy } from "../core/documents/file-stamp.ts";
import { hasGitConflict } from "../core/documents/git-conflict.ts";
import { isComponent } from "../core/documents/names.ts";
import { ioError, messageOf, RetainError } from "../core/errors.ts";
import { kindOfFile } from "../core/facts/memory-paths.ts";
import { FORMAT, formatOfMarkdown, newerFormat } from "../core/format.ts";
import { type RecordIncident, recordNothing } from "../core/incidents.ts";
import type {
  Change,
  ChangedFile,
  FileStamp,
  MadeChange,
  MemoryFile,
  MemoryFiles,
} from "../core/ports/documents.ts";
import { ensureInside, heldInside } from "../util/directory.ts";
import {
  entriesIfThere,
  fsyncDirectory,
  isInside,
  isTemporaryName,
  lstatIfThere,
  readIfThere,
  removeIfThere,
  resolveLinks,
  writeFileAtomic,
} from "../util/fs.ts";
import { decodeUtf8 } from "../util/text.ts";
import { stampOf } from "./documents.ts";
import { Journal } from "./journal.ts";

const DIRECTORY = "memories";
/** The scanned directories; anything else below `memories` is the user's own. */
const CHATS = "chats";
const SINGLE = ["working", "models"];

interface Seen {
  readonly file: MemoryFile;
  /** When it was read or about to be written. */
  readonly at: number;
}

export class MarkdownMemoryFiles implements MemoryFiles {
  readonly root: string;
  readonly #journal: Journal;
  readonly #seen = new Map<string, Seen>();
  /** Unfinished writes of killed processes, found by the last scan. */
  #leftovers: string[] = [];

  constructor(
    private readonly workspace: string,
    private readonly warn: (message: string) => void,
    private readonly record: RecordIncident = recordNothing,
    long: string | null = null,
  ) {
    this.root = join(workspace, DIRECTORY);
    this.#journal = new Journal(workspace, (path) => this.#isOwn(path), { warn, record }, long);
  }

  /** The same files. All changes made through it are one change for `undo`, with this label. */
  inOneChange(label: string): MarkdownMemoryFiles {
    return new MarkdownMemoryFiles(this.workspace, this.warn, this.record, label);
  }

  scan(): { path: string; stamp: FileStamp }[] {
    const found: { path: string; stamp: FileStamp }[] = [];
    this.#leftovers = [];
    const top = this.#entries("");
    const chats = top.some(({ name }) => name === CHATS) ? this.#entries(CHATS) : [];
    const directories = [
      ...SINGLE.filter((single) => top.some(({ name }) => name === single)),
      ...chats.filter(({ name }) => isComponent(name)).map(({ name }) => `${CHATS}/${name}`),
    ];
    this.#collect("", top, found);
    for (const directory of directories) this.#collect(directory, this.#entries(directory), found);
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  read(path: string): MemoryFile | null {
    const full = join(this.root, path);
    try {
      this.#requireInside(full);
      const now = Date.now();
      const stats = statSync(full, { throwIfNoEntry: false });
      if (stats === undefined) return null;
      if (!stats.isFile())
        throw new RetainError("invalid_input", `${full} is not a file.`, "Move or remove it.");
      const stamp = stampOf(stats);
      const seen = this.#seen.get(path);
      if (seen !== undefined && isKnown(seen, stamp)) return seen.file;
      const bytes = readIfThere(full);
      if (bytes === null) return null;
      const text = decodeUtf8(bytes);
      // Reuses the known string, so that readers who cached by it recognise it.
      const content =
        text !== null && text === seen?.file.content ? seen.file.content : soundText(text, full);
      return this.#see({ path, content, stamp }, now);
    } catch (error) {
      throw ioError(error, `Cannot read ${full}`);
    }
  }

  /** Unreadable memory files with the reason, including directories and links in their place. */
  problems(): { path: string; problem: string }[] {
    const directories = ["", ...SINGLE, ...this.#entries(CHATS).map(({ name }) => `${CHATS}/${name}`)];
    const paths = directories.flatMap((directory) =>
      this.#entries(directory).map(({ name }) => (directory === "" ? name : `${directory}/${name}`)),
    );
    return paths.flatMap((path) => {
      if (kindOfFile(path) === null || isTemporaryName(basename(path))) return [];
      try {
        if (this.read(path) !== null) return [];
        return lstatIfThere(join(this.root, path)) === null
          ? []
          : { path: join(this.root, path), problem: "It is a broken link." };
      } catch (error) {
        if (!(error instanceof RetainError)) throw error;
        return { path: join(this.root, path), problem: error.message };
      }
    });
  }

  /** Caches a file that was read or written until it changes. */
  #see(file: MemoryFile, at: number): MemoryFile {
    this.#seen.set(file.path, { file, at });
    return file;
  }

  get unfinished(): boolean {
    return this.#journal.unfinished || this.#leftovers.length > 0;
  }

  recover(): void {
    this.#journal.recover();
    this.scan();
    for (const path of this.#leftovers.splice(0)) removeIfThere(path);
  }

  write(path: string, content: string): void {
    const full = join(this.root, path);
    this.#requireInside(full);
    try {
      ensureInside(this.workspace, dirname(full));
      const target = resolveLinks(full);
      heldInside(this.workspace, dirname(target), (held) => {
        writeFileAtomic(`${held}/${basename(target)}`, content);
        fsyncDirectory(held);
      });
    } catch (error) {
      throw ioError(error, `Cannot write ${full}`);
    }
  }

  change(label: string, at: string, files: readonly ChangedFile[]): void {
    for (const { path } of files) this.#requireInside(join(this.root, path));
    const now = Date.now();
    this.#journal.change(label, at, files.map(below));
    for (const { path, before, after, added } of files) {
      const stats = statSync(join(this.root, path), { throwIfNoEntry: false });
      const grown = before !== null && added !== undefined && { grown: { from: before, by: added.text } };
      const size =
        added === undefined ? Buffer.byteLength(after ?? "") : added.size + Buffer.byteLength(added.text);
      if (after !== null && stats?.size === size)
        this.#see({ path, content: after, stamp: stampOf(stats), ...grown }, now);
    }
  }

  recordChange(label: string, at: string, { files = [], documents = [] }: MadeChange): void {
    this.#journal.record(label, at, { files: files.map(below), documents });
  }

  changes(): Change[] {
    return this.#journal.list();
  }

  lastChange(): number | null {
    return this.#journal.lastMade();
  }

  undo(number: number, at: string, others?: () => void): void {
    this.#journal.undo(number, at, others);
  }

  uncompacted(): ReadonlySet<string> {
    return this.#journal.uncompacted();
  }

  leaveUncompacted(logs: readonly string[]): void {
    this.#journal.leaveUncompacted(logs);
  }

  dropChange(number: number): void {
    this.#journal.drop(number);
  }

  dropChanges(holds: (record: string) => boolean): void {
    this.#journal.rewrite((record) => (holds(record) ? null : record));
  }

  /** A project may be a stranger's: neither a file nor a parent directory may be a link that points outside. */
  #requireInside(full: string): void {
    if (isInside(this.workspace, full)) return;
    throw new RetainError(
      "unsafe",
      `${full} is a link that points outside the workspace.`,
      "Remove the link.",
    );
  }

  /** Whether a journal path is a memory file here. */
  #isOwn(path: string): boolean {
    const inside = path.startsWith(`${DIRECTORY}/`) ? path.slice(DIRECTORY.length + 1) : "";
    const components = inside.split("/").every(isComponent);
    return components && kindOfFile(inside) !== null && isInside(this.workspace, join(this.workspace, path));
  }

  /** Empty, with a warning, for a directory that points outside the workspace; the others are still read. */
  #entries(directory: string): Dirent[] {
    try {
      this.#requireInside(join(this.root, directory));
    } catch (error) {
      this.warn(`${messageOf(error)} Its contents are not indexed.`);
      return [];
    }
    try {
      return entriesIfThere(join(this.root, directory));
    } catch (error) {
      throw ioError(error, `Cannot read ${join(this.root, directory)}`);
    }
  }

  #collect(directory: string, entries: readonly Dirent[], found: { path: string; stamp: FileStamp }[]): void {
    for (const { name } of entries) {
      if (isTemporaryName(name)) this.#leftovers.push(join(this.root, directory, name));
      if (!name.endsWith(".md") || !isComponent(name)) continue;
      const path = directory === "" ? name : `${directory}/${name}`;
      const stats = statSync(join(this.root, path), { throwIfNoEntry: false });
      if (stats?.isFile()) found.push({ path, stamp: stampOf(stats) });
    }
  }
}

/** With its path in the workspace. */
function below(file: ChangedFile): ChangedFile {
  return { ...file, path: `${DIRECTORY}/${file.path}` };
}

function isKnown({ file: { stamp }, at }: Seen, found: FileStamp): boolean {
  return isSameStamp(stamp, found) && isSettledBy(at, stamp);
}

function soundText(content: string | null, full: string): string {
  if (content === null || content.includes("\0"))
    throw new RetainError("invalid_input", `${full} is not UTF-8 text.`, "Fix it, or move it.");
  if (hasGitConflict(content))
    throw new RetainError("invalid_input", `${full} contains git conflicts.`, "Resolve them first.");
  if (formatOfMarkdown(content) > FORMAT) throw newerFormat(full);
  return content;
}
