/** Which files the words of a command may mean. It guesses towards the dangerous side: a word that could be a path is one. */
import { basename, dirname, join, resolve } from "node:path";
import { isWithin, type Places } from "./places.ts";
import type { ShellWord } from "./shell-word.ts";

/** Always there to be used, and nobody's file. */
const DEVICES = /^\/dev\/(?:null|zero|u?random|std(?:in|out|err)|tty|fd\/\d+)$/;
const LOCAL_ADDRESS = /^[^/]*\bfile:(?:\/\/[^/]*(?=\/))?(.+)$/is;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** What is not known, and leads up or home. */
const ELSEWHERE = /[$`].*\/\.\.(?:\/|$)|\$\{?(?:HOME|OLDPWD)\b|\$\{PWD%/s;
const UNKNOWN = /\$|`/;
/** No system takes a longer path. */
const LONGEST_PATH = 4_096;

export class CommandPaths {
  /** Where a relative path may start: `cd` moves it. */
  #starts: readonly string[];
  /** Of the words so far, from where it starts now. */
  readonly #known = new Map<string, readonly string[]>();

  constructor(
    readonly places: Places,
    /** Variables that the command itself sets: their values are not known. */
    readonly assigned: ReadonlySet<string>,
  ) {
    this.#starts = [places.cwd];
  }

  /** Follows a `cd`. A directory that is not there may leave the shell where it was, and so does one in parentheses. */
  enter(word: ShellWord | undefined, isPassing: boolean): void {
    const targets = word === undefined ? [this.places.home] : this.#resolved(this.#expanded(word));
    const isSure = !isPassing && targets.every((target) => this.places.isThere(target));
    this.#starts = isSure ? targets : [...new Set([...this.#starts, ...targets])];
    this.#known.clear();
  }

  /** Every path that a word may mean, absolute: as it is written, and where it leads. */
  of(word: ShellWord): readonly string[] {
    const key = `${word.expands}:${word.text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const paths = this.#parts(word).flatMap((part) => this.#resolved(part));
    const all = [...new Set([...paths, ...paths.map((path) => this.places.real(path))])];
    this.#known.set(key, all);
    return all;
  }

  /** Whether a word means something outside the working directory. A text that only looks like a path is none. */
  isOutside(word: ShellWord): boolean {
    if (word.expands && ELSEWHERE.test(this.#expanded(word))) return true;
    return this.#parts(word).some((part) =>
      this.#resolved(part).some((path) => {
        if (DEVICES.test(path) || isWithin(this.places.cwd, this.places.real(path))) return false;
        return !part.startsWith("/") || this.places.isThere(topOf(path));
      }),
    );
  }

  /** Whether its value is not known before it runs. */
  isUnknown(word: ShellWord): boolean {
    return word.expands && UNKNOWN.test(this.#expanded(word));
  }

  /** See `Step.isVital`. */
  isVital(word: ShellWord, own: boolean): boolean {
    if (word.text.startsWith("-")) return false;
    const { cwd, home, real } = this.places;
    return this.#resolved(this.#expanded(word)).some((path) => {
      const swept = word.globs && isEverything(basename(path)) ? dirname(path) : path;
      return [swept, real(swept)].some(
        (target) => dirname(target) === "/" || isWithin(target, home) || (own && isWithin(target, cwd)),
      );
    });
  }

  /** The word and the parts of it that may be paths: of `--file=/x`, `of=/x`, `a:/x`, `-I/x`, `-C..`, `@/x`, `file:///x`. */
  #parts(word: ShellWord): string[] {
    const text = this.#expanded(word);
    if (text.length > LONGEST_PATH) return [];
    const local = LOCAL_ADDRESS.exec(text)?.[1];
    if (local !== undefined) return [decoded(local)];
    if (ADDRESS.test(text)) return [];
    const parts = [text, ...text.split(/[=:,@]/), ...gluedTo(text)];
    return parts.filter((part) => part !== "" && !part.startsWith("-"));
  }

  #resolved(part: string): string[] {
    const user = /^~([^/]*)(.*)$/s.exec(part);
    if (user === null) return this.#starts.map((start) => resolve(start, part));
    const [, name = "", rest = ""] = user;
    return [join(name === "" ? this.places.home : join(dirname(this.places.home), name), rest)];
  }

  /** With what is known of its variables. */
  #expanded({ text, expands }: ShellWord): string {
    if (!expands) return text;
    const known: Record<string, string | undefined> = {
      HOME: this.places.home,
      PWD: this.#starts.length === 1 ? this.#starts[0] : undefined,
      RETAIN_HOME: this.places.workspaces[0],
    };
    return text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (written: string, bare = "", braced = "") => {
      const name: string = bare || braced;
      return (this.assigned.has(name) ? undefined : known[name]) ?? written;
    });
  }
}

/** Whether a name stands for all there is in a directory: "*", ".[!.]*". */
function isEverything(name: string): boolean {
  return /[*?]/.test(name) && /^[{},.*?[\]!^]+$/.test(name);
}

function topOf(path: string): string {
  return `/${path.split("/")[1] ?? ""}`;
}

/** What may stand behind an option, without a blank. */
function gluedTo(text: string): string[] {
  const [path] = /^-[^/~]*?([/~].*)$/s.exec(text)?.slice(1) ?? [];
  const [letter] = /^-[^-]([^./~]*([./~].*))$/s.exec(text)?.slice(1, 2) ?? [];
  const [dotted] = /^-[^-][^./~]*([./~].*)$/s.exec(text)?.slice(1) ?? [];
  return [path, letter, dotted].filter((part) => part !== undefined);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
