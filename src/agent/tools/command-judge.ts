/**
 * What a command would mean, before it is run: whether it is never allowed, whether it cannot be understood, and whether it
 * leaves the working directory. Looks through wrappers (`env`, `xargs`), shells in shells and what stands in `$(...)`.
 */
import { basename } from "node:path";
import { CommandPaths } from "./command-paths.ts";
import { deniedStep, deniedText, FETCHERS, runsWhatItIsGiven, SHELLS, type Step } from "./deny.ts";
import { cautionReading, cautionWriting, deniedReading, deniedWriting } from "./deny-paths.ts";
import type { Places } from "./places.ts";
import { readShell, type ShellCommand, type ShellReading } from "./shell-read.ts";
import type { ShellWord } from "./shell-word.ts";

export interface CommandJudgement {
  readonly reading: ShellReading;
  /** Why it is never run. */
  readonly denied: string | null;
  /** Why it is asked about each time, in every mode. */
  readonly caution: string | null;
  readonly outside: boolean;
}

/** Programs that run what their words name; how many of the words are their own is not looked into. */
const WRAPPERS = new Set(
  (
    "env command builtin exec nohup time nice ionice chrt taskset timeout stdbuf setsid xargs parallel watch script " +
    "busybox toybox coproc unbuffer strace ltrace entr flock chroot unshare npx bunx pnpx uvx find ssh trap"
  ).split(" "),
);

/** Programs that only read the files they are given, so that naming a file that may not be written is no harm. */
const READERS = new Set(
  (
    "cat less more head tail grep egrep fgrep rg ls stat wc file diff cmp du tree nl cut uniq echo printf test [ [[ cd pwd " +
    "readlink realpath basename dirname md5sum sha1sum sha256sum od xxd hexdump strings jq bat type which for"
  ).split(" "),
);

const UNCLEAR = "What it would run cannot be told before it runs.";
const DEEPEST = 5;
/** A part of a path that `ls` does not show. */
const HIDDEN = /(?:^|\/)\.[^/.]/;

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

  constructor(readonly places: Places) {}

  read(source: string, depth: number): ShellReading {
    const reading = readShell(source);
    this.#deny(deniedText(source));
    if (reading.unclear || depth > DEEPEST) this.#warn(UNCLEAR);
    const names = reading.commands.flatMap(({ words, assignments }) => [...assignments, ...words]);
    const assigned = new Set(names.flatMap(({ text }) => /^(\w+)\+?=/.exec(text)?.[1] ?? []));
    const paths = new CommandPaths(this.places, assigned);
    if (depth <= DEEPEST) for (const command of reading.commands) this.#command(command, paths, depth);
    return reading;
  }

  #command(command: ShellCommand, paths: CommandPaths, depth: number): void {
    const { words, assignments, redirects } = command;
    const [program, ...args] = words;
    const name = program === undefined ? "" : nameOf(program);
    for (const word of [...assignments, ...args]) this.#mention(word, paths, READERS.has(name));
    for (const { operator, target } of redirects)
      if (operator !== "<<<") this.#mention(target, paths, operator === "<");
    for (const step of stepsOf(command)) this.#step(step, command, paths, depth);
    if (/^(?:cd|pushd|chdir)$/.test(name)) this.#changeDirectory(args, paths, command.nested);
  }

  #step(words: readonly ShellWord[], command: ShellCommand, paths: CommandPaths, depth: number): void {
    const [first, ...args] = words;
    if (first === undefined) return;
    if ((first.expands || first.globs) && !/^\w+=/.test(first.text)) this.#warn(UNCLEAR);
    const step: Step = {
      program: nameOf(first),
      args,
      piped: command.piped,
      fetched: this.#fetched,
      isVital: (word, own) => paths.isVital(word, own),
    };
    this.#deny(deniedStep(step));
    if (runsWhatItIsGiven(step) || step.program === "alias") this.#warn(UNCLEAR);
    if (/^(?:rm|chmod|chown|mv)$/.test(step.program) && args.some((word) => paths.isUnknown(word)))
      this.#warn("Which files it would change cannot be told before it runs.");
    for (const script of scriptsIn(step, command)) this.read(script, depth + 1);
    this.#fetched ||= FETCHERS.has(step.program);
  }

  #mention(word: ShellWord, paths: CommandPaths, onlyReads: boolean): void {
    for (const path of paths.of(word)) {
      this.#deny(deniedReading(path, this.places));
      this.#warn(cautionReading(path));
      if (onlyReads) continue;
      this.#deny(deniedWriting(path, this.places));
      this.#warn(cautionWriting(path, this.places));
    }
    if (word.globs && HIDDEN.test(word.text)) this.#warn("Which files it means cannot be told.");
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

/** The command, and each that its words may be where a wrapper comes first. */
function stepsOf({ words }: ShellCommand): (readonly ShellWord[])[] {
  const [program] = words;
  if (program === undefined || !WRAPPERS.has(nameOf(program))) return [words];
  return words.map((_, index) => words.slice(index)).filter(([first]) => !first?.text.startsWith("-"));
}

/** Texts that would be run as commands of their own. */
function scriptsIn({ program, args }: Step, { here, redirects }: ShellCommand): string[] {
  if (program === "eval") return [args.map(({ text }) => text).join(" ")];
  if (WRAPPERS.has(program)) return args.map(({ text }) => text).filter((text) => /\s/.test(text));
  if (!SHELLS.has(program)) return [];
  const code = args.findIndex(({ text }) => /^-\w*c/.test(text));
  const given = redirects.filter(({ operator }) => operator === "<<<").map(({ target }) => target.text);
  const script = code < 0 ? undefined : args.slice(code + 1).find(({ text }) => !/^[-+]\w/.test(text))?.text;
  return [...here, ...given, ...(script === undefined ? [] : [script])];
}

/** Without its directory and case: `/bin/RM` is rm where the disk says so. */
function nameOf({ text }: ShellWord): string {
  return basename(text).toLowerCase();
}
