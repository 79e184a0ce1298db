/**
 * Classifies a command for approval. Plain commands run without asking (plain-command.ts). Any other command is searched for words
 * that every mode asks about, and for the few actions that are always blocked. That search supports the user's judgement but is not a
 * sandbox: a script or a variable can hide any word from it.
 */
import { basename, dirname, resolve } from "node:path";
import { type Effect, effectOf } from "../../core/command-effects.ts";
import type { ToolPlan } from "../tool.ts";
import { cautionReading, cautionWriting, deniedReading, isInGit, protectedFile } from "./deny-paths.ts";
import { isPlainCommand } from "./plain-command.ts";
import { isWithin, type Roots } from "./roots.ts";

type CommandJudgement = Pick<ToolPlan, "reach" | "outside" | "caution" | "pattern" | "denied">;

/** The user must be able to read a pattern before allowing it. */
const LONGEST_PATTERN = 200;

/** `path` is the variable PATH. */
export function judgeCommand(command: string, roots: Roots, path: string): CommandJudgement {
  if (isPlainCommand(command, roots, path))
    return { reach: "read", outside: false, caution: null, pattern: null, denied: null };
  const segments = segmentsOf(command, roots);
  const denied = first(segments, (words) => deniedWords(words, roots));
  const caution = first(segments, (words) => cautionWords(words, roots));
  const outside = segments.some((words) => words.some((word) => isOutside(word, roots)));
  const hasPattern = denied === null && caution === null && !outside && isShort(command);
  return { reach: "run", outside, caution, pattern: hasPattern ? `run exactly ${command}` : null, denied };
}

function isShort(command: string): boolean {
  return command.length <= LONGEST_PATTERN && !command.includes("\n");
}

function first(
  segments: readonly (readonly string[])[],
  judge: (words: readonly string[]) => string | null,
): string | null {
  for (const words of segments) {
    const why = judge(words);
    if (why !== null) return why;
  }
  return null;
}

/** A rough split of a command line into programs and their words. It strips quotes and substitutions without parsing them. */
function segmentsOf(command: string, { home, cwd }: Roots): string[][] {
  return command
    .replaceAll(/["'\\]/g, "")
    .replaceAll(/\$\{?HOME\b\}?|(?<![\w./-])~(?=\/|\s|$|[;&|)])/g, () => home)
    .replaceAll(/\$\{?PWD\b\}?/g, () => cwd)
    .replaceAll(/\b(?!file:)[a-z]+:\/\/\S*/gi, "")
    .split(/[;&|\n()`]+/)
    .map((segment) => segment.split(/[\s<>{},=:@]+/).filter((word) => word !== ""));
}

const OWN: Partial<Record<Effect, string>> = {
  remove: "removes memories, which only the user may do with a command",
  setup: "configures Retain, trusts a skill or opens a chat, which only the user may do",
};

function deniedWords(words: readonly string[], roots: Roots): string | null {
  for (const path of words.flatMap((word) => pathsOf(word, roots))) {
    const why = deniedReading(path, roots);
    if (why !== null) return why;
  }
  const removed = words.slice(words.findIndex((word) => basename(word).toLowerCase() === "rm") + 1);
  if (removed.length < words.length && removed.some((word) => /^-[a-z]*r|^--r/i.test(word)))
    for (const path of removed.flatMap((word) => sweptBy(word, roots))) {
      const what = isInGit(path, roots) ? "the project's git history" : vitalPart(path, roots);
      if (what !== null) return `deletes ${what}`;
    }
  return isRetain(words[0] ?? "") ? (OWN[effectOf(words.slice(1))] ?? null) : null;
}

/** Removing "build/*" counts as removing "build". */
function sweptBy(word: string, roots: Roots): string[] {
  return word.startsWith("-") ? [] : pathsOf(word.replace(/(?:^|(?<=\/))\.?[*?]+$/, ".") || "/", roots);
}

/** Names what the path contains that must not be lost; null if nothing. */
function vitalPart(path: string, { cwd, home, workspaces }: Roots): string | null {
  if (isWithin(path, home)) return "your home directory";
  if (isWithin(path, cwd)) return "the working directory";
  if (workspaces.some((root) => isWithin(path, root))) return "a memory";
  return dirname(path) === "/" ? `all of ${path}` : null;
}

const SHOWS_PROCESSES = "It shows other programs' arguments and environment, which can include keys.";
const OTHER_USERS: ReadonlySet<string> = new Set("sudo doas su pkexec run0".split(" "));

function cautionWords(words: readonly string[], roots: Roots): string | null {
  const names = words.map((word) => basename(word).toLowerCase());
  const paths = words.flatMap((word) => pathsOf(word, roots));
  if (names.includes("ps") || paths.some((path) => isWithin("/proc", path))) return SHOWS_PROCESSES;
  if (names.some((name) => OTHER_USERS.has(name))) return "It would run as another user.";
  if (names.includes("git") && names.includes("config")) return "It can change which programs git runs.";
  const own = words.findIndex(isRetain);
  if (own >= 0 && effectOf(words.slice(own + 1)) in OWN)
    return "It would remove memories or change Retain's settings.";
  for (const path of paths) {
    const what = protectedFile(path, roots);
    if (what !== null) return `It names ${what}.`;
    const why = cautionReading(path, roots) ?? cautionWriting(path, roots);
    if (why !== null) return why;
  }
  return null;
}

/** Matches `retain`, `bin/retain`, `dist/retain.js`, and the package: `retain-memory@1.2`. */
function isRetain(word: string): boolean {
  return /^retain(?:-memory|\.(?:[cm]?[jt]s|exe|cmd))?$/.test(basename(word).toLowerCase());
}

function isOutside(word: string, roots: Roots): boolean {
  if (word.startsWith("~")) return true;
  return pathsOf(word, roots).some((path) => {
    const top = /^\/[^/]*/.exec(path)?.[0] ?? path;
    return !isWithin(roots.cwd, path) && !isDevice(path) && roots.isThere(top);
  });
}

/** Devices that any command may use. */
function isDevice(path: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|stdin|tty|zero)$/.test(path);
}

/** The paths that a word may mean, also after an option letter ("-C.."): as written, and with links resolved. */
function pathsOf(word: string, roots: Roots): string[] {
  const texts = [word, word.replace(/^-[a-zA-Z]/, ""), word.replace(/\/\.\.(?:\/.*)?$/s, "")];
  return [...new Set(texts)].flatMap((text) => {
    const meant = resolve(roots.cwd, text);
    return [meant, roots.real(meant)];
  });
}
