/**
 * Commands that no approval allows, as a list of rules to read. It is a net under a person's judgement, not a wall around a
 * program: what a script or a test does once it runs is not seen here. So it holds what nobody means to say yes to, and what
 * cannot be understood is asked about instead (command-judge.ts).
 */
import { KEYS_ARE_SECRET } from "./deny-paths.ts";
import type { ShellWord } from "./shell-word.ts";

/** One program that would run, with what is known of the line it stands in. */
export interface Step {
  /** Its bare name, in lower case. */
  readonly program: string;
  readonly args: readonly ShellWord[];
  /** Its input is another program's output. */
  readonly piped: boolean;
  /** Something before it fetches from the network. */
  readonly fetched: boolean;
  /**
   * Whether a word names a directory that no command may sweep: the root and what is directly in it, the home directory and
   * what is above it, and the same for the working directory where `own` is set.
   */
  isVital(word: ShellWord, own: boolean): boolean;
}

interface Rule {
  readonly why: string;
  applies(step: Step): boolean;
}

export const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh"]);
const LANGUAGES = /^(?:python[\d.]*|node|perl|ruby|php|lua|bun|deno|osascript|pwsh)$/;
export const FETCHERS = new Set(["curl", "wget", "aria2c", "http", "https", "fetch"]);

const RULES: readonly Rule[] = [
  {
    why: "It would act as another user.",
    applies: ({ program }) => /^(?:sudo|sudoedit|doas|su|pkexec|run0|runuser)$/.test(program),
  },
  {
    why: "It would delete the working directory, the home directory, or what is above them.",
    applies: ({ program, args, isVital }) =>
      program === "rm" && isRecursive(args) && args.some((word) => isVital(word, true)),
  },
  {
    why: "It would delete the working directory, the home directory, or what is above them.",
    applies: ({ program, args, isVital }) =>
      program === "find" && deletes(args) && startsOf(args).some((word) => isVital(word, !isFiltered(args))),
  },
  {
    why: "It would delete the project's history.",
    applies: ({ program, args }) =>
      program === "rm" && isRecursive(args) && args.some(({ text }) => /(?:^|\/)\.git\/*$/i.test(text)),
  },
  {
    why: "It would move the home directory, or what is above it.",
    applies: ({ program, args, isVital }) =>
      program === "mv" && args.slice(0, -1).some((word) => isVital(word, false)),
  },
  {
    why: "It would change who may read and write everything.",
    applies: ({ program, args, isVital }) =>
      /^(?:chmod|chown|chgrp|setfacl)$/.test(program) &&
      isRecursive(args) &&
      args.some((word) => isVital(word, false)),
  },
  {
    why: "It would write over a disk.",
    applies: ({ program, args }) =>
      /^(?:mkfs(?:\..+)?|mke2fs|mkswap|wipefs|s?fdisk|s?gdisk|parted|blkdiscard)$/.test(program) ||
      (program === "dd" && args.some(({ text }) => /^of=\/dev\/(?!null$|stdout$|stderr$)/.test(text))),
  },
  {
    why: "It would switch the machine off.",
    applies: ({ program, args }) =>
      /^(?:shutdown|reboot|halt|poweroff)$/.test(program) ||
      (/^(?:init|telinit)$/.test(program) && args.some(({ text }) => /^[06]$/.test(text))) ||
      (program === "systemctl" && args.some(({ text }) => /^(?:poweroff|reboot|halt|kexec)$/.test(text))),
  },
  {
    why: "It would run what the network answers, unseen.",
    applies: (step) => step.fetched && runsWhatItIsGiven(step),
  },
  {
    why: "What Retain trusts and how it is set up is the person's to decide.",
    applies: ({ program, args }) => program.startsWith("retain") && isSetup(namesOf(args)),
  },
];

/** A function that starts itself twice, in the background. */
const FORK_BOMB = /(?<![\w:.])([\w:.]+)\s{0,9}\(\s{0,9}\)\s{0,9}\{[^}]{0,99}\1\s{0,9}\|\s{0,9}\1\s{0,9}&/;
/** Keys by name, however a program would come by them. */
const KEYS_BY_NAME = /\.ssh\/id_|\.aws\/credentials|\/etc\/shadow|\/proc\/[^\s/]+\/environ/i;

/** Why this step is never run; null where it may be. */
export function deniedStep(step: Step): string | null {
  return RULES.find((rule) => rule.applies(step))?.why ?? null;
}

/** Why this text of a command is never run, whatever its words mean; null where it may be. */
export function deniedText(command: string): string | null {
  if (FORK_BOMB.test(command)) return "It would start itself until the machine stands still.";
  return KEYS_BY_NAME.test(command) ? KEYS_ARE_SECRET : null;
}

/** Whether the program runs its input, or what a word of it turns out to be. */
export function runsWhatItIsGiven({ program, args, piped }: Step): boolean {
  const isCode = program === "eval" || program === "source" || program === ".";
  if ((isCode || SHELLS.has(program)) && args.some(({ expands }) => expands)) return true;
  if (!piped) return false;
  if (SHELLS.has(program)) return namesOf(args).length === 0 || args.some(({ text }) => /^-\w*s/.test(text));
  return LANGUAGES.test(program) && args.every(({ text }) => text === "-" || /^-(?![cem])/.test(text));
}

/** Whether it is a program that runs other programs' code: a pattern of it would cover anything. */
export function isInterpreter(program: string): boolean {
  return SHELLS.has(program) || LANGUAGES.test(program);
}

/** The words that are no options. */
function namesOf(args: readonly ShellWord[]): string[] {
  return args.map(({ text }) => text).filter((text) => !text.startsWith("-"));
}

/** Long options may be shortened: `--rec`. */
function isRecursive(args: readonly ShellWord[]): boolean {
  return args.some(({ text }) => /^-[a-z]*r|^--r/i.test(text));
}

function deletes(args: readonly ShellWord[]): boolean {
  const texts = args.map(({ text }) => text);
  const runs = texts.flatMap((text, index) => (/^-(?:exec|execdir|ok|okdir)$/.test(text) ? [index + 1] : []));
  return (
    texts.includes("-delete") || runs.some((index) => /(?:^|\/)(?:rm|unlink|shred)$/.test(texts[index] ?? ""))
  );
}

/** Where `find` starts; by default in the working directory. */
function startsOf(args: readonly ShellWord[]): readonly ShellWord[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = end < 0 ? args : args.slice(0, end);
  return starts.length > 0 ? starts : [{ text: ".", expands: false, globs: false, tilde: false }];
}

function isFiltered(args: readonly ShellWord[]): boolean {
  return args.some(({ text }) =>
    /^-(?:i?(?:name|path|regex|wholename)|empty|[acm](?:time|min)|newer|size)/.test(text),
  );
}

/** What changes trust, settings, keys, or who answers. */
const SETUP: Readonly<Record<string, RegExp>> = {
  skills: /^(?:un)?trust$/,
  config: /^(?:set|unset|edit)$/,
  model: /^(?:use|key|add|remove)$/,
};

function isSetup([verb = "", ...rest]: readonly string[]): boolean {
  const actions = Object.hasOwn(SETUP, verb) ? SETUP[verb] : undefined;
  return actions !== undefined && rest.some((word) => actions.test(word));
}
