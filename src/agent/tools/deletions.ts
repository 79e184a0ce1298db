/** What a step would delete or put elsewhere: working directories, the project's history, memory. */
import { basename, join } from "node:path";
import { namesSought, reachOf, startsOf } from "./find-reach.ts";
import { isWithin } from "./places.ts";
import { isInterpreter, REMOVERS } from "./programs.ts";
import type { ShellWord } from "./shell-word.ts";
import { type Step, textsOf } from "./step.ts";

/** ".git" itself, all that is in it, and what holds the commits. */
const HISTORY = /\/\.git(?:\/(?:[*?[\]]+|(?:objects|refs|packed-refs|head)(?:\/.*)?))?$/i;
const GIT_DIRECTORY = /\/\.git$/i;
const COPIERS = /^(?:cp|mv|ln|install|rsync|scp|ditto)$/;
const UNPACKERS = /^(?:tar|bsdtar|gtar|unzip|7z|cpio|patch)$/;

/** Long options may be shortened: `--rec`. */
export function isRecursive({ program, args }: Step): boolean {
  return (
    /^(?:rimraf|del-cli|trash|trash-put)$/.test(program) ||
    args.some(({ text }) => /^-[a-z]*r|^--r/i.test(text))
  );
}

/** What `mv` takes away from where it is. */
export function movedOf({ args }: Step): readonly ShellWord[] {
  return args.some(({ text }) => /^(?:-\w*t|--t)/.test(text)) ? args : args.slice(0, -1);
}

export function sweeps(step: Step): boolean {
  const { program, args, isVital } = step;
  if (program === "find") {
    const reach = reachOf(args);
    return reach !== null && startsOf(args).some((word) => isVital(word, reach === "all"));
  }
  return REMOVERS.has(program) && isRecursive(step) && args.some((word) => isVital(word, true));
}

/** `find` by a test of which nobody can say how much it leaves of the working directory. */
export function mayMostlySweep({ program, args, isVital }: Step): boolean {
  return (
    program === "find" && reachOf(args) === "unsure" && startsOf(args).some((word) => isVital(word, true))
  );
}

export function deletesHistory(step: Step): boolean {
  const { program, args, paths } = step;
  const isHistory = (word: ShellWord) => paths(word).some((path) => HISTORY.test(path));
  if (program === "find") {
    const reach = reachOf(args);
    if (reach === null) return false;
    return (
      namesSought(args).some((name) => /(?:^|\/)\.git\/?\*?$/i.test(name)) ||
      (reach !== "named" && startsOf(args).some(isHistory))
    );
  }
  if (program === "mv") return args.some(isHistory);
  return (REMOVERS.has(program) || program === "truncate") && args.some(isHistory);
}

/** A whole workspace of Retain, or a directory that holds one. */
export function deletesMemory(step: Step): boolean {
  const { program, args, paths, places } = step;
  const holds = (word: ShellWord) =>
    paths(word).some(
      (path) =>
        /\/\.retain(?:\/[*?[\]]+)?$/i.test(path) || places.workspaces.some((root) => isWithin(path, root)),
    );
  if (program === "find") return reachOf(args) === "all" && startsOf(args).some(holds);
  if (program === "mv") return movedOf(step).some(holds);
  return REMOVERS.has(program) && args.some(holds);
}

/** Something in a workspace of Retain. */
export function touchesMemory({ program, args, paths, places }: Step): boolean {
  const isFind = program === "find" && reachOf(args) !== null;
  if (isFind && namesSought(args).some((name) => /md$|\*$/i.test(name))) {
    const there = places.workspaces.filter((root) => places.isThere(root));
    if (startsOf(args).some((word) => paths(word).some((path) => there.some((root) => isWithin(path, root)))))
      return true;
  }
  const changes = isFind || REMOVERS.has(program) || program === "mv";
  const isInside = (path: string) =>
    /\/\.retain\//i.test(path) || places.workspaces.some((root) => isWithin(root, path));
  return changes && args.some((word) => paths(word).some(isInside));
}

/** Puts files into a `.git`, or one in place of it, or makes another way there: what lands in it may run by itself. */
export function writesIntoGit(step: Step): boolean {
  const { places, paths } = step;
  const isGit = (word: ShellWord) => paths(word).filter((path) => GIT_DIRECTORY.test(path));
  return (
    targetsOf(step).some((word) => isGit(word).length > 0) ||
    landingsOf(step).some((word) =>
      isGit(word).some((path) => path === join(places.cwd, ".git") || places.isThere(path)),
    )
  );
}

/** Where copies land: every directory that may be meant. */
function targetsOf({ program, args }: Step): readonly ShellWord[] {
  const texts = textsOf(args);
  const options = args.flatMap((word, index) => directoryOption(word, texts[index - 1]));
  if (UNPACKERS.test(program)) return program === "tar" && texts.some(isPacking) ? [] : options;
  if (!COPIERS.test(program)) return [];
  const names = args.filter(({ text }) => !text.startsWith("-"));
  return [...options, ...(program === "ln" ? names : names.slice(-1))];
}

/** A `.git` that is copied, where it would be then. */
function landingsOf(step: Step): readonly ShellWord[] {
  const isCopied = step.args.some(({ text }) => basename(text).toLowerCase() === ".git");
  if (!isCopied || !/^(?:cp|mv|ditto|scp)$/.test(step.program)) return [];
  const targets = new Map(targetsOf(step).map((target) => [target.text, target]));
  return [...targets.values()].map((target) => ({ ...target, text: `${target.text}/.git` }));
}

/** `tar -c`, `tar czf`: it only reads what it is given. */
function isPacking(text: string, index: number): boolean {
  return (
    /^(?:-[a-zA-Z]*[ctru]|--(?:cr|li|ap|up))/.test(text) || (index === 0 && /^[a-zA-Z]*[ctru]/.test(text))
  );
}

/** The value of `-t`, `-C`, `-d`, `--target-directory`. */
function directoryOption(word: ShellWord, before = ""): ShellWord[] {
  if (/^(?:-[a-zA-Z]*[tCdo]|--(?:t|di)[a-z-]*)$/.test(before)) return [word];
  const glued = /^(?:-[a-zA-Z]*?[tCdo]|--(?:t|di)[a-z-]*=)(.+)$/s.exec(word.text)?.[1];
  return glued === undefined ? [] : [{ ...word, text: glued }];
}

/** What it deletes is read from elsewhere. */
export function deletesWhatItReads({ program, args, fed }: Step): boolean {
  const texts = textsOf(args);
  if (fed && (REMOVERS.has(program) || /^(?:mv|truncate|eval)$/.test(program) || isInterpreter(program)))
    return true;
  if (program === "rsync") return texts.some((text) => /^--(?:del|remove)/.test(text));
  if (/^(?:tar|bsdtar|gtar)$/.test(program)) return texts.some((text) => text.startsWith("--remove"));
  if (program === "zip") return texts.some((text) => /^-\w*m/.test(text));
  return false;
}
