/**
 * The commands that run without asking: a short list of programs that only read, with known options and plain words, on files inside
 * the working directory, alone or in pipelines. Everything else asks, so an unknown program, option or shell feature is safe by
 * default.
 */
import { type Dirent, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { effectOf } from "../../core/command-effects.ts";
import { cautionReading, deniedReading, mayBeSearched } from "./deny-paths.ts";
import { isWithin, type Roots } from "./roots.ts";

interface PlainProgram {
  /** One-letter options without a value; they may be combined. */
  readonly letters?: string;
  /** One-letter options with a value, in the same word or the next one. */
  readonly valued?: string;
  /** Longer options, whole: without a value, and with one in the next word. */
  readonly long?: readonly string[];
  readonly longValued?: readonly string[];
  /** Options such as "--include=*.ts". */
  readonly assigned?: readonly string[];
  /** The first operand is a pattern, unless the option `e` gives one. */
  readonly pattern?: boolean;
  /** It only reads stdin. */
  readonly inputOnly?: boolean;
}

/** No option here follows links, writes a file or runs a program. */
const PROGRAMS: Readonly<Record<string, PlainProgram>> = {
  pwd: { inputOnly: true },
  ls: { letters: "1aAdFhlprRsStux" },
  cat: { letters: "AbeEnstTv" },
  head: { letters: "qv", valued: "cn" },
  tail: { letters: "qv", valued: "cn" },
  wc: { letters: "clLmw" },
  sort: { letters: "bdfghnruV", valued: "kt" },
  uniq: { letters: "cdiu", inputOnly: true },
  cut: { letters: "s", valued: "bcdf" },
  grep: {
    letters: "acEFGhHiIlLnoPqrsvwxy",
    valued: "ABCem",
    assigned: ["--include", "--exclude", "--exclude-dir", "--color"],
    pattern: true,
  },
  find: {
    long: ["-not", "-o", "-a", "-print", "-empty"],
    longValued: "-name -iname -path -ipath -type -maxdepth -mindepth -size -mtime -mmin".split(" "),
  },
};

export const PLAIN_PROGRAMS: readonly string[] = Object.keys(PROGRAMS);

/** Quoted strings and characters that sh takes literally. */
const PIECE = /'([^']*)'|"([^"$`\\!]*)"|([A-Za-z0-9_./,:@%+=-]+)/y;
const MOST_ENTRIES = 5_000;

/** `path` is the variable PATH. */
export function isPlainCommand(command: string, roots: Roots, path: string): boolean {
  const stages = stagesOf(command);
  return stages?.every((words) => isPlainStage(words, roots, path)) ?? false;
}

/** The words of each program in a pipeline; null if the shell would do more than split them. */
function stagesOf(command: string): string[][] | null {
  const stages: string[][] = [[]];
  let word: string | null = null;
  for (let at = 0; at < command.length; ) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(command);
    const character = command[at];
    if (piece !== null) {
      word = (word ?? "") + (piece[1] ?? piece[2] ?? piece[3] ?? "");
      at = PIECE.lastIndex;
      continue;
    }
    if (character !== " " && character !== "|") return null;
    if (word !== null) stages.at(-1)?.push(word);
    word = null;
    if (character === "|") stages.push([]);
    at += 1;
  }
  if (word !== null) stages.at(-1)?.push(word);
  return stages.every((words) => words.length > 0) ? stages : null;
}

function isPlainStage([name = "", ...words]: readonly string[], roots: Roots, path: string): boolean {
  if (!isSystemProgram(name, roots, path)) return false;
  if (name === "retain") return effectOf(words) === "read";
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  const read = program === undefined ? null : operandsOf(program, words);
  if (program === undefined || read === null) return false;
  const { operands, options } = read;
  const files = program.pattern && !options.includes("e") ? operands.slice(1) : operands;
  if (program.inputOnly) return files.length === 0;
  if (!files.every((file) => isFreelyRead(file, roots))) return false;
  if (name !== "grep" || !options.includes("r")) return true;
  const skipped = words.flatMap((word) => /^--exclude-dir=([\w.-]+)$/.exec(word)?.[1] ?? []);
  return isFreelySearched(files.length === 0 ? ["."] : files, new Set(skipped), roots);
}

interface ReadWords {
  readonly operands: readonly string[];
  /** The letters of one-letter options. */
  readonly options: readonly string[];
}

/** null for an option that isn't known to be harmless. */
function operandsOf(program: PlainProgram, words: readonly string[]): ReadWords | null {
  const { letters = "", valued = "", long = [], longValued = [], assigned = [] } = program;
  const operands: string[] = [];
  const options: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") return { operands: [...operands, ...words.slice(at + 1)], options };
    if (!word.startsWith("-") || word === "-") operands.push(word);
    else if (longValued.includes(word)) at += 1;
    else if (valued.includes("n") && /^-\d+$/.test(word)) options.push("n");
    else if (!long.includes(word) && !assigned.some((option) => word.startsWith(`${option}=`))) {
      const end = [...word.slice(1)].findIndex((letter) => !letters.includes(letter));
      const given = word.slice(1, end < 0 ? undefined : end + 2);
      const last = given.at(-1) ?? "";
      if (end >= 0 && !valued.includes(last)) return null;
      if (end >= 0 && word.length === given.length + 1) at += 1;
      options.push(...given);
    }
  }
  return { operands, options };
}

/** Whether no program by this name in PATH belongs to the project. */
function isSystemProgram(name: string, roots: Roots, path: string): boolean {
  if (!/^[a-z]+$/.test(name)) return false;
  const programs = path
    .split(":")
    .map((directory) => join(resolve(roots.cwd, directory), name))
    .filter((program) => roots.isThere(program));
  return (
    programs.length > 0 &&
    programs
      .flatMap((program) => [program, roots.real(dirname(program)), roots.real(program)])
      .every((one) => !isWithin(roots.cwd, one))
  );
}

/** The kernel and `resolve` disagree about "link/../x", so ".." isn't plain. */
function isFreelyRead(file: string, roots: Roots): boolean {
  if (file === "-") return true;
  const meant = resolve(roots.cwd, file);
  const real = roots.real(meant);
  return (
    !file.split("/").includes("..") &&
    isWithin(roots.cwd, real) &&
    [meant, real].every((one) => deniedReading(one, roots) === null && cautionReading(one, roots) === null)
  );
}

/** `grep -r` doesn't follow links that it finds, but it reads every file. */
function isFreelySearched(files: readonly string[], skipped: ReadonlySet<string>, roots: Roots): boolean {
  const waiting = files.map((file) => roots.real(resolve(roots.cwd, file)));
  for (let seen = 0; waiting.length > 0; ) {
    const path = waiting.pop() ?? "";
    const entries = entriesOf(path).filter((entry) => !(skipped.has(entry.name) && entry.isDirectory()));
    const names = entries.map(({ name }) => name);
    seen += entries.length;
    if (seen > MOST_ENTRIES || !mayBeSearched(path, names, roots)) return false;
    for (const entry of entries) if (entry.isDirectory()) waiting.push(join(path, entry.name));
  }
  return true;
}

/** Empty for a file, and for an unreadable directory: grep can't read it either. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
