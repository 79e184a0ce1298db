/**
 * Which programs a command would run: itself, what a wrapper (`env`, `xargs`) runs by its words, and the texts that are run as
 * commands of their own. Where a wrapper's own words end is not looked into, so too many are found rather than too few.
 */
import { basename } from "node:path";
import { gitScripts, readGit } from "./git-call.ts";
import { FEEDERS, isLauncher, isWrapper, PLAIN_WRAPPERS, READERS, SHELLS } from "./programs.ts";
import { isRetain } from "./retain-verbs.ts";
import type { ShellWord } from "./shell-word.ts";
import { textsOf } from "./step.ts";

export interface StepWords {
  /** The program and its words. */
  readonly words: readonly ShellWord[];
  /** It stands behind a wrapper. */
  readonly wrapped: boolean;
  /** It stands behind `xargs` or the like. */
  readonly fed: boolean;
}

/** More words than these are not looked at. */
export const MOST_WORDS = 200;

/** Without its directory and case: `/bin/RM` is rm where the disk says so. */
export function nameOf({ text }: ShellWord): string {
  return basename(text).toLowerCase();
}

/** The command, and each that its words may be where a wrapper comes first. */
export function stepsOf(words: readonly ShellWord[]): StepWords[] {
  const [program, ...args] = words;
  if (program === undefined) return [];
  const name = nameOf(program);
  const isWrapping = isWrapper(name, args[0]?.text) && !isQuestion(name, args);
  const begins = args.slice(0, MOST_WORDS).map((_, index) => index);
  const programs = name === "find" ? programsOfFind(args) : begins.filter((index) => !isOption(args[index]));
  const runs = isWrapping
    ? untilPlain(programs, name, args)
    : programs.filter((index) => isStarted(name, args[index]));
  return [
    { words, wrapped: false, fed: false },
    ...runs.map((index) => ({ words: args.slice(index), wrapped: true, fed: FEEDERS.has(name) })),
  ];
}

function isOption(word: ShellWord | undefined): boolean {
  return word?.text.startsWith("-") === true;
}

/** `command -v x` only says where it is. */
function isQuestion(name: string, args: readonly ShellWord[]): boolean {
  return name === "command" && /^-[vV]$/.test(args[0]?.text ?? "");
}

/** Retain itself, by a file or a script of a package. */
function isStarted(name: string, word: ShellWord | undefined): boolean {
  return isLauncher(name) && word !== undefined && isRetain(nameOf(word));
}

/** Options of wrappers that take no further word: what follows is the program. */
const ALONE = /^-(?:0|r|t|0r|r0|i|p|-|[a-zA-Z](?:\d+|\{\}))$/;

/** Up to a program that runs no other, and is not an option's value: the words after it are its own. */
function untilPlain(indexes: readonly number[], name: string, args: readonly ShellWord[]): readonly number[] {
  if (!PLAIN_WRAPPERS.has(name) || name === "find") return indexes;
  const plain = indexes.findIndex((index) => {
    const word = args[index];
    const before = args[index - 1];
    const isValue = isOption(before) && !ALONE.test(before?.text ?? "");
    return word !== undefined && READERS.has(nameOf(word)) && !isValue;
  });
  return plain < 0 ? indexes : indexes.slice(0, plain + 1);
}

/** After each `-exec` and the like, up to a program that runs no other. What was found is a program only in the first place. */
function programsOfFind(args: readonly ShellWord[]): number[] {
  const indexes: number[] = [];
  let isOpen = false;
  for (const [index, word] of args.slice(0, MOST_WORDS).entries()) {
    const isFirst = /^-(?:exec|execdir|ok|okdir)$/.test(args[index - 1]?.text ?? "");
    isOpen ||= isFirst;
    if (!isOpen || (isOption(word) && !isFirst) || (word.text === "{}" && !isFirst)) continue;
    indexes.push(index);
    if (isFirst && READERS.has(nameOf(word))) isOpen = false;
  }
  return indexes;
}

/** Texts that would be run as commands of their own. */
export function scriptsIn(program: string, args: readonly ShellWord[]): string[] {
  const texts = textsOf(args);
  if (program === "eval") return [texts.join(" ")];
  if (program === "git") return gitScripts(readGit(args));
  if (isWrapper(program, texts[0])) return texts.flatMap(wrapped);
  return SHELLS.has(program) ? shellScripts(texts) : [];
}

/** Of a wrapper's word: a line of several words, also where it is glued to an option (`-S'a b'`, `--command=a`). */
function wrapped(text: string): string[] {
  if (!text.startsWith("-")) return /[\s;|&]/.test(text) ? [text] : [];
  const value = /^--[\w-]+=(.*)$/s.exec(text)?.[1];
  if (value !== undefined) return [value];
  return /^-\w./s.test(text) ? [2, 3, 4].map((start) => text.slice(start)).filter((rest) => rest !== "") : [];
}

/** After `-c` each word may be the script: options stand in between. */
function shellScripts(texts: readonly string[]): string[] {
  const code = texts.findIndex((text) => /^-\w*c/.test(text) || /^--[a-z-]*command/.test(text));
  if (code < 0) return [];
  const glued = /^(?:-\w*?c|--[a-z-]*=)(.+)$/s.exec(texts[code] ?? "")?.[1];
  return [...(glued === undefined ? [] : [glued]), ...texts.slice(code + 1)];
}

/** Where a text is only looked at, or told to people. */
const TALKING = /^(?:git|gh|glab|jira|say|logger|notify-send)$/;

/** Words of any other program that may be commands to it: `--to-command='a b'`, `-c '!a b'`, `.shell a b`. */
export function commandLike(program: string, args: readonly ShellWord[]): string[] {
  if (READERS.has(program) || TALKING.test(program)) return [];
  return textsOf(args).flatMap((text) => {
    const bare = text.replace(/^-{0,2}[\w-]*[=:]?(?:exec[=:]|system:)?/i, "");
    const told = text.replace(/^[\s:.\\!]*(?:!|shell|system)\s*/i, "");
    return [...new Set([text, bare, told])].filter((one) => /\S\s+\S/.test(one));
  });
}
