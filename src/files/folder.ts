/**
 * A folder of Markdown outside the workspace, read and never written: somebody's vault, a project's docs. A document's id is
 * its path in the folder without `.md`. Hidden entries and `node_modules` are not looked at, and no link is followed: what
 * stands behind one is somewhere else, or would be there twice.
 */
import { readdirSync, realpathSync, type Stats } from "node:fs";
import { join } from "node:path";
import { checkPath, isComponent } from "../core/documents/names.ts";
import { type Matcher, matcherOf } from "../core/documents/patterns.ts";
import { ioError, messageOf } from "../core/errors.ts";
import type { DocumentFile, DocumentScan } from "../core/ports/documents.ts";
import { errorCode, isAbsence, lstatIfThere, readIfThere, resolveLinks } from "../util/fs.ts";
import { plural } from "../util/text.ts";
import { stampOf } from "./documents.ts";

const EXTENSION = ".md";
const NEVER = "node_modules";

export interface FolderOptions {
  /** The collection that it is. */
  readonly name: string;
  readonly path: string;
  /** All files where there are none. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Larger files are left out. */
  readonly maxBytes: number;
  /** A directory that is not looked into, wherever it is: the workspace itself. */
  readonly except: string;
  readonly warn: (message: string) => void;
}

/** What a scan has come to so far. */
interface FolderScan {
  readonly found: DocumentScan["found"];
  readonly tooLarge: string[];
  /** Directories that cannot be read. */
  readonly closed: string[];
  readonly waiting: { path: string; included: boolean }[];
}

export class FolderDocuments {
  readonly name: string;
  readonly path: string;
  readonly #includes: Matcher;
  readonly #excludes: Matcher;
  readonly #exception: string;

  constructor(private readonly options: FolderOptions) {
    this.name = options.name;
    this.path = options.path;
    this.#exception = resolveLinks(options.except);
    this.#includes = options.include?.length ? matcherOf(options.include) : () => true;
    this.#excludes = options.exclude?.length ? matcherOf(options.exclude) : () => false;
  }

  pathOf(id: string): string {
    checkPath(id);
    return join(this.path, id + EXTENSION);
  }

  /** null when there is no such document. Throws `io`. */
  read(id: string): DocumentFile | null {
    const path = this.pathOf(id);
    try {
      const seenAt = Date.now();
      const stats = this.#stat(id);
      const bytes = stats === null ? null : readIfThere(path);
      if (stats === null || bytes === null) return null;
      return { ref: { collection: this.name, id }, seenAt, path, bytes, stamp: stampOf(stats) };
    } catch (error) {
      throw ioError(error, `Cannot read ${path}`);
    }
  }

  /** What cannot be looked at does not count as there: a folder must not stand in the way of other collections. */
  has(id: string): boolean {
    checkPath(id);
    try {
      return this.#stat(id) !== null;
    } catch (error) {
      if (errorCode(error) === null) throw error;
      return false;
    }
  }

  /**
   * A folder that cannot be read counts as unreadable: it may be on a disk that comes back. Of one that can be, the parts
   * that cannot are left out with a warning.
   */
  scan(): Pick<DocumentScan, "found" | "unreadable"> {
    const scan: FolderScan = { found: [], tooLarge: [], closed: [], waiting: [] };
    try {
      const root = withoutSlash(realpathSync(this.path));
      this.#visit(scan, root, "", false);
      for (let next = scan.waiting.pop(); next !== undefined; next = scan.waiting.pop())
        this.#visitInner(scan, root, next.path, next.included);
    } catch (error) {
      if (errorCode(error) === null) throw error;
      return { found: [], unreadable: [{ collection: this.name, reason: this.#reason(error) }] };
    }
    this.#warnOf("larger than max_document_bytes", scan.tooLarge);
    this.#warnOf("cannot be read", scan.closed);
    return { found: scan.found, unreadable: [] };
  }

  /** A directory that the system will not show hides nothing but itself; one that went meanwhile is simply gone. */
  #visitInner(scan: FolderScan, root: string, path: string, included: boolean): void {
    try {
      this.#visit(scan, root, path, included);
    } catch (error) {
      if (errorCode(error) === null) throw error;
      if (!isAbsence(error)) scan.closed.push(path);
    }
  }

  /** Takes in the files of one directory, and notes the directories in it. */
  #visit({ found, tooLarge, waiting }: FolderScan, root: string, parent: string, included: boolean): void {
    const prefix = parent === "" ? "" : `${parent}/`;
    for (const entry of readdirSync(`${root}/${parent}`, { withFileTypes: true })) {
      const isFile = entry.isFile() && entry.name.endsWith(EXTENSION);
      if (!isFile && !entry.isDirectory()) continue;
      const path = prefix + entry.name;
      const wanted = this.#judge(path, entry.name, included);
      if (wanted === null || (isFile && !wanted)) continue;
      if (!isFile) {
        if (`${root}/${path}` !== this.#exception) waiting.push({ path, included: wanted });
        continue;
      }
      const stats = lstatIfThere(`${root}/${path}`);
      if (!stats?.isFile()) continue;
      if (stats.size > this.options.maxBytes) tooLarge.push(path);
      else
        found.push({
          ref: { collection: this.name, id: path.slice(0, -EXTENSION.length) },
          stamp: stampOf(stats),
        });
    }
  }

  /** null for what is left out with all that is in it; else whether a pattern has asked for it so far. */
  #judge(path: string, name: string, included: boolean): boolean | null {
    if (!isComponent(name) || name === NEVER || this.#excludes(path, name)) return null;
    return included || this.#includes(path, name);
  }

  /** The status of a document's file, by the same rules as `scan`; null where there is none. */
  #stat(id: string): Stats | null {
    const file = id + EXTENSION;
    let included: boolean | null = false;
    for (let end = file.indexOf("/"); ; end = file.indexOf("/", end + 1)) {
      const path = end < 0 ? file : file.slice(0, end);
      included = this.#judge(path, path.slice(path.lastIndexOf("/") + 1), included);
      if (included === null) return null;
      if (end < 0) break;
    }
    const root = withoutSlash(resolveLinks(this.path));
    const path = `${root}/${file}`;
    // A link anywhere on the way shows as another real path.
    if (!included || resolveLinks(path) !== path || path.startsWith(`${this.#exception}/`)) return null;
    const stats = lstatIfThere(path);
    return stats?.isFile() && stats.size <= this.options.maxBytes ? stats : null;
  }

  #reason(error: unknown): string {
    if (!isAbsence(error)) return messageOf(ioError(error, `Cannot read ${this.path}`));
    return `The folder ${this.path} of collection '${this.name}' is missing. If it is gone for good: retain folders remove ${this.name}`;
  }

  #warnOf(reason: string, paths: string[]): void {
    const [first] = paths.sort();
    if (first === undefined) return;
    const which = paths.length === 1 ? first : `${first} and ${plural(paths.length - 1, "other")}`;
    this.options.warn(`Not in '${this.name}' (${reason}): ${which}`);
  }
}

/** Of the file system's root nothing is left, so that a slash and a name may follow. */
function withoutSlash(path: string): string {
  return path === "/" ? "" : path;
}
