/**
 * A read-only folder of Markdown outside the workspace, such as a vault or a project's docs. A document's id is its path in the
 * folder without `.md`. Hidden entries, `node_modules` and links are skipped: a link's target is outside, or would appear twice.
 */
import { readdirSync, realpathSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isSameStamp } from "../core/documents/file-stamp.ts";
import { checkPath, isComponent, isPath } from "../core/documents/names.ts";
import { type Matcher, matcherOf } from "../core/documents/patterns.ts";
import { ioError, messageOf } from "../core/errors.ts";
import { command } from "../core/hint.ts";
import type { DocumentFile, DocumentScan, FoundDocument } from "../core/ports/documents.ts";
import { errorCode, isAbsence, lstatIfThere, readIfThere, resolveLinks } from "../util/fs.ts";
import { plural } from "../util/in-words.ts";
import { atOnce, inSlices, OneAtATime, type Slices, sliced } from "../util/slices.ts";
import { stampOf } from "./documents.ts";

const EXTENSION = ".md";
const NEVER = "node_modules";

interface FolderOptions {
  /** The collection's name. */
  readonly name: string;
  readonly path: string;
  /** Default: all files. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Larger files are skipped. */
  readonly maxBytes: number;
  /** A directory to skip: the workspace itself. */
  readonly except: string;
  readonly warn: (message: string) => void;
}

/** The state of a scan. */
interface FolderScan {
  readonly found: DocumentScan["found"];
  readonly tooLarge: string[];
  /** Unreadable directories. */
  readonly closed: string[];
  readonly waiting: { path: string; included: boolean }[];
  /** The previous scan's documents, by id. */
  readonly known: ReadonlyMap<string, FoundDocument>;
}

export type FolderContents = Pick<DocumentScan, "found" | "unreadable">;

export class FolderDocuments {
  readonly name: string;
  readonly path: string;
  readonly #includes: Matcher;
  readonly #excludes: Matcher;
  readonly #exception: string;
  readonly #inSlices = new OneAtATime(() => inSlices(this.#steps()));
  #last: FolderContents = { found: [], unreadable: [] };

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

  /** null if there is no such document. Throws `io`. */
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

  /** An unreadable folder counts as not having it, so that it doesn't block other collections. */
  has(id: string): boolean {
    if (!isPath(id)) return false;
    try {
      return this.#stat(id) !== null;
    } catch (error) {
      if (errorCode(error) === null) throw error;
      return false;
    }
  }

  /**
   * An unreadable folder is reported as such, since its disk may come back. Unreadable parts of a readable folder are skipped
   * with a warning. Returns the same object if nothing changed.
   */
  scan(): FolderContents {
    return atOnce(this.#steps());
  }

  /** Like `scan`, but lets other work run in between. */
  scanInSlices(): Promise<FolderContents> {
    return this.#inSlices.run();
  }

  *#steps(): Slices<FolderContents> {
    const known = new Map(this.#last.found.map((document) => [document.ref.id, document]));
    const scan: FolderScan = { found: [], tooLarge: [], closed: [], waiting: [], known };
    try {
      const root = withoutSlash(realpathSync(this.path));
      yield* this.#visit(scan, root, "", false);
      for (let next = scan.waiting.pop(); next !== undefined; next = scan.waiting.pop())
        yield* this.#visitInner(scan, root, next.path, next.included);
    } catch (error) {
      if (errorCode(error) === null) throw error;
      return { found: [], unreadable: [{ collection: this.name, reason: this.#reason(error) }] };
    }
    this.#warnOf("larger than max_document_bytes", scan.tooLarge);
    this.#warnOf("cannot be read", scan.closed);
    const { found: before } = this.#last;
    if (before.length !== scan.found.length || scan.found.some((document, at) => document !== before[at]))
      this.#last = { found: scan.found, unreadable: [] };
    return this.#last;
  }

  /** An unreadable directory hides only itself; one that was just removed is ignored. */
  *#visitInner(scan: FolderScan, root: string, path: string, included: boolean): Slices<void> {
    try {
      yield* this.#visit(scan, root, path, included);
    } catch (error) {
      if (errorCode(error) === null) throw error;
      if (!isAbsence(error)) scan.closed.push(path);
    }
  }

  /** Collects the files of one directory and queues its subdirectories. */
  *#visit(scan: FolderScan, root: string, parent: string, included: boolean): Slices<void> {
    const entries = readdirSync(`${root}/${parent}`, { withFileTypes: true });
    const prefix = parent === "" ? "" : `${parent}/`;
    yield* sliced(entries, (entry) => {
      const isFile = entry.isFile() && entry.name.endsWith(EXTENSION);
      if (!isFile && !entry.isDirectory()) return;
      const path = prefix + entry.name;
      const wanted = this.#judge(path, entry.name, included);
      if (wanted === null || (isFile && !wanted)) return;
      if (isFile) this.#collect(scan, root, path);
      else if (`${root}/${path}` !== this.#exception) scan.waiting.push({ path, included: wanted });
    });
    yield;
  }

  #collect({ found, tooLarge, known }: FolderScan, root: string, path: string): void {
    const stats = lstatIfThere(`${root}/${path}`);
    if (!stats?.isFile()) return;
    if (stats.size > this.options.maxBytes) {
      tooLarge.push(path);
      return;
    }
    const id = path.slice(0, -EXTENSION.length);
    const stamp = stampOf(stats);
    const before = known.get(id);
    if (before !== undefined && isSameStamp(before.stamp, stamp)) found.push(before);
    else found.push({ ref: { collection: this.name, id }, stamp });
  }

  /** null if the entry and everything in it is excluded; otherwise whether an include pattern matches so far. */
  #judge(path: string, name: string, included: boolean): boolean | null {
    if (!isComponent(name) || name === NEVER || this.#excludes(path, name)) return null;
    return included || this.#includes(path, name);
  }

  /** The status of a document's file, by the same rules as `scan`, or null. */
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
    // A link anywhere in the path gives a different real path.
    if (!included || resolveLinks(path) !== path || path.startsWith(`${this.#exception}/`)) return null;
    const stats = lstatIfThere(path);
    return stats?.isFile() && stats.size <= this.options.maxBytes ? stats : null;
  }

  #reason(error: unknown): string {
    if (!isAbsence(error)) return messageOf(ioError(error, `Cannot read ${this.path}`));
    return `The folder ${this.path} of collection '${this.name}' is missing. If it is gone for good: ${command("folders remove", this.name)}`;
  }

  #warnOf(reason: string, paths: string[]): void {
    const [first] = paths.sort();
    if (first === undefined) return;
    const which = paths.length === 1 ? first : `${first} and ${plural(paths.length - 1, "other")}`;
    this.options.warn(`Not in '${this.name}' (${reason}): ${which}`);
  }
}

/** "/" becomes "", so that a slash and a name can follow. */
function withoutSlash(path: string): string {
  return path === "/" ? "" : path;
}
