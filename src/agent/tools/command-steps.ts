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
  const runs = isWrapper(name, args[0]?.text)
    ? wrappedWords(name, args).filter((index) => !isOption(args[index]))
    : args.flatMap((word, index) => (isStarted(name, word) ? [index] : []));
  return [
    { words, wrapped: false, fed: false },
    ...runs.map((index) => ({
      words: args.slice(index),
      wrapped: true,
      fed: [program, ...args.slice(0, index)].some((word) => FEEDERS.has(nameOf(word))),
    })),
  ];
}

function isOption(word: ShellWord | undefined): boolean {
  return word?.text.startsWith("-") === true;
}

/** Retain itself, by a file or a script of a package. */
function isStarted(name: string, word: ShellWord): boolean {
  return isLauncher(name) && isRetain(nameOf(word));
}

/** Which of a wrapper's words may be a program, or a line to run: up to a program that runs no other. */
function wrappedWords(name: string, args: readonly ShellWord[]): number[] {
  const indexes = [...args.slice(0, MOST_WORDS).keys()];
  if (name === "find") return wordsOfFind(args);
  // It only says where a program is.
  if (name === "command" && /^-[vV]$/.test(args[0]?.text ?? "")) return [];
  const plain = PLAIN_WRAPPERS.has(name) ? indexes.findIndex((index) => isPlainRun(args, index)) : -1;
  return plain < 0 ? indexes : indexes.slice(0, plain + 1);
}

/** Options of wrappers that take no further word: what follows is the program. */
const ALONE = /^-(?:0|r|t|0r|r0|i|p|-|[a-zA-Z](?:\d+|\{\}))$/;

/** Whether it is a program that runs no other, and not an option's value. */
function isPlainRun(args: readonly ShellWord[], index: number): boolean {
  const [word, before] = [args[index], args[index - 1]];
  const isValue = isOption(before) && !ALONE.test(before?.text ?? "");
  return word !== undefined && READERS.has(nameOf(word)) && !isValue;
}

/** After each `-exec` and the like. What was found is a program only in the first place. */
function wordsOfFind(args: readonly ShellWord[]): number[] {
  const indexes: number[] = [];
  let isOpen = false;
  for (const [index, word] of args.slice(0, MOST_WORDS).entries()) {
    const isFirst = /^-(?:exec|execdir|ok|okdir)$/.test(args[index - 1]?.text ?? "");
    isOpen ||= isFirst;
    if (isOpen && (isFirst || word.text !== "{}")) indexes.push(index);
    if (isFirst && READERS.has(nameOf(word))) isOpen = false;
  }
  return indexes;
}

/** Texts that would be run as commands of their own. */
export function scriptsIn(program: string, args: readonly ShellWord[]): string[] {
  const texts = textsOf(args);
  if (program === "eval") return [texts.slice(texts[0] === "--" ? 1 : 0).join(" ")];
  if (program === "git") return gitScripts(readGit(args));
  if (isWrapper(program, texts[0]))
    return wrappedWords(program, args).flatMap((index) => linesIn(texts[index] ?? ""));
  return SHELLS.has(program) ? shellScripts(texts) : [];
}

/** Of a wrapper's word: a line of several words, also where it is glued to an option (`-S'a b'`, `--command=a`). */
function linesIn(text: string): string[] {
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
