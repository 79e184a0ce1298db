/**
 * What a command would mean, before it is run: whether it is never allowed, whether it cannot be understood, and whether it
 * leaves the working directory. Looks through wrappers (`env`, `xargs`), shells in shells and what stands in `$(...)`.
 */
import { basename } from "node:path";
import { cautionStep, UNCLEAR } from "./caution.ts";
import { CommandPaths } from "./command-paths.ts";
import { commandLike, MOST_WORDS, nameOf, type StepWords, scriptsIn, stepsOf } from "./command-steps.ts";
import { deniedStep, deniedText, isSourcing } from "./deny.ts";
import { cautionReading, cautionWriting, deniedReading, deniedWriting } from "./deny-paths.ts";
import type { Places } from "./places.ts";
import { FETCHERS, isWrapper, READERS, SEDS, SHELLS } from "./programs.ts";
import { riskyValue, setsVariables } from "./risky-variables.ts";
import { sedEffects } from "./sed-script.ts";
import { withoutBraces } from "./shell-braces.ts";
import { readShell, type ShellCommand, type ShellReading } from "./shell-read.ts";
import type { ShellWord } from "./shell-word.ts";
import { plainWord, type Step } from "./step.ts";

export interface CommandJudgement {
  readonly reading: ShellReading;
  /** Why it is never run. */
  readonly denied: string | null;
  /** Why it is asked about each time, in every mode. */
  readonly caution: string | null;
  readonly outside: boolean;
}

const UNTOLD = "Which files it means cannot be told.";
const DEEPEST = 5;
/** A part of a path that `ls` does not show. */
const HIDDEN = /(?:^|\/)\.[^/.]/;
/** bash runs what stands in an index when it looks at a variable. */
const RUNS_IN_INDEX = /\[[^\][]*(?:\$\(|`)/;
const INDEXING =
  /^(?:\[{1,2}|test|let|printf|read|unset|declare|typeset|local|export|readonly|mapfile|readarray)$/;
/** And what a variable holds, where it is expanded as a prompt. */
const AS_PROMPT = "@P}";

export function judgeCommand(command: string, places: Places): CommandJudgement {
  const judge = new Judge(places);
  const reading = judge.read(command, 0);
  return {
    reading,
    denied: judge.denied,
    caution: judge.caution,
    outside: judge.outside,
  };
}

class Judge {
  denied: string | null = null;
  caution: string | null = null;
  outside = false;
  #fetched = false;
  /** Names under which what was fetched may be kept. */
  readonly #fetchedNames = new Set<string>();

  constructor(readonly places: Places) {}

  read(source: string, depth: number): ShellReading {
    const reading = readShell(source);
    this.#deny(deniedText(source));
    if (reading.unclear || depth > DEEPEST || source.includes(AS_PROMPT)) this.#warn(UNCLEAR);
    const names = reading.commands.flatMap(({ words, assignments }) => [...assignments, ...words]);
    const assigned = new Set(names.flatMap(({ text }) => /^(\w+)\+?=/.exec(text)?.[1] ?? []));
    const paths = new CommandPaths(this.places, assigned);
    if (depth <= DEEPEST) for (const command of reading.commands) this.#command(command, paths, depth);
    return reading;
  }

  #command(command: ShellCommand, paths: CommandPaths, depth: number): void {
    const words = this.#expanded(command.words);
    const [program, ...args] = words;
    const name = program === undefined ? "" : nameOf(program);
    if (words.length > MOST_WORDS && isWrapper(name)) this.#warn(UNCLEAR);
    for (const word of [...command.assignments, ...args]) this.#mention(word, paths, READERS.has(name));
    for (const { operator, target } of command.redirects) {
      if (operator !== "<<<") this.#mention(target, paths, operator === "<");
      if (operator.includes(">") && /^[$`]/.test(target.text) && paths.isUnknown(target)) this.#warn(UNTOLD);
    }
    if (name === "dirname") this.outside ||= args.some((word) => paths.isVital(word, true));
    for (const word of [...command.assignments, ...(setsVariables(name) ? args : [])])
      this.#variable(word, depth);
    for (const step of stepsOf(words)) this.#step(step, command, paths, depth);
    if (this.#fetched) this.#keepNames(command, name === "tee" ? args : []);
    if (/^(?:cd|pushd|chdir)$/.test(name)) this.#changeDirectory(args, paths, command.nested);
  }

  #expanded(words: readonly ShellWord[]): readonly ShellWord[] {
    const expanded = withoutBraces(words);
    if (expanded === null) this.#warn(UNCLEAR);
    return expanded ?? words;
  }

  #step({ words, wrapped, fed }: StepWords, command: ShellCommand, paths: CommandPaths, depth: number): void {
    const [first, ...args] = words;
    if (first === undefined) return;
    if ((first.expands || first.globs) && !/^(?:\w+=|\[{1,2}$)/.test(first.text)) this.#warn(UNCLEAR);
    const texts = [...command.here, ...targetsOf(command, "<<<")];
    const step: Step = {
      program: nameOf(first),
      name: first.text,
      args,
      places: this.places,
      piped: command.piped,
      texts,
      inputs: targetsOf(command, "<"),
      fed,
      fetched: this.#fetched,
      fetchedNames: this.#fetchedNames,
      isVital: (word, own) => paths.isVital(word, own),
      isUnknown: (word) => paths.isUnknown(word),
      paths: (word) => paths.of(word),
    };
    this.#deny(deniedStep(step));
    this.#warn(cautionStep(step));
    if (SEDS.has(step.program)) this.#sed(args, paths);
    if (INDEXING.test(step.program) && args.some(({ text }) => RUNS_IN_INDEX.test(text))) this.#warn(UNCLEAR);
    // What a wrapper's words say was read with the first one.
    if (!wrapped || !isWrapper(step.program))
      for (const script of scriptsIn(step.program, args)) this.read(script, depth + 1);
    if (SHELLS.has(step.program) || isSourcing(step.program))
      for (const text of texts) this.read(text, depth + 1);
    if (!wrapped) this.#suspect(step, depth);
    if (FETCHERS.has(step.program)) this.#fetch(args);
  }

  /** A word that would be denied as a command may be one to a program of which not all is known. */
  #suspect({ program, args }: Step, depth: number): void {
    if (this.caution !== null || depth > DEEPEST || isWrapper(program) || SHELLS.has(program)) return;
    for (const text of commandLike(program, args)) {
      const judge = new Judge(this.places);
      judge.read(text, depth + 1);
      if (judge.denied !== null) this.#warn("A word of it reads like a command that is never allowed.");
    }
  }

  #variable(word: ShellWord, depth: number): void {
    const { script, unclear } = riskyValue(word);
    if (unclear || RUNS_IN_INDEX.test(word.text)) this.#warn(UNCLEAR);
    if (script !== "") this.read(script, depth + 1);
  }

  #sed(args: readonly ShellWord[], paths: CommandPaths): void {
    const { reads, writes } = sedEffects(args);
    for (const path of reads) this.#mention(plainWord(path), paths, true);
    for (const path of writes) this.#mention(plainWord(path), paths, false);
  }

  #fetch(args: readonly ShellWord[]): void {
    this.#fetched = true;
    for (const { text } of args)
      for (const one of [text, text.replace(/^-\w|^--[\w-]+=/, ""), text.replace(/[?#].*$/s, "")])
        this.#fetchedNames.add(basename(one));
  }

  /** Where the output of what was fetched goes. */
  #keepNames({ redirects }: ShellCommand, args: readonly ShellWord[]): void {
    for (const { text } of [...redirects.map(({ target }) => target), ...args])
      this.#fetchedNames.add(basename(text));
  }

  #mention(word: ShellWord, paths: CommandPaths, onlyReads: boolean): void {
    for (const path of paths.of(word)) {
      this.#deny(deniedReading(path, this.places));
      this.#warn(cautionReading(path));
      if (onlyReads) continue;
      this.#deny(deniedWriting(path, this.places));
      this.#warn(cautionWriting(path, this.places));
    }
    if (word.globs && HIDDEN.test(word.text)) this.#warn(UNTOLD);
    this.outside ||= paths.isOutside(word);
  }

  #changeDirectory(args: readonly ShellWord[], paths: CommandPaths, isPassing: boolean): void {
    const target = args.find(({ text }) => text === "-" || !text.startsWith("-"));
    if (target === undefined) this.outside = true;
    else if (target.text === "-" || paths.isUnknown(target)) this.#warn(UNCLEAR);
    paths.enter(target, isPassing);
  }

  #deny(why: string | null): void {
    this.denied ??= why;
  }

  #warn(why: string | null): void {
    this.caution ??= why;
  }
}

function targetsOf({ redirects }: ShellCommand, operator: string): string[] {
  return redirects.flatMap((redirect) => (redirect.operator === operator ? [redirect.target.text] : []));
}
