/** One program that a command would run, as it is judged. */
import type { Places } from "./places.ts";
import type { ShellWord } from "./shell-word.ts";

/** With what is known of the line it stands in. */
export interface Step {
  /** Its bare name, in lower case. */
  readonly program: string;
  /** As it is written. */
  readonly name: string;
  readonly args: readonly ShellWord[];
  readonly places: Places;
  /** Its input is another program's output. */
  readonly piped: boolean;
  /** Texts of the command line that are its input: `<<E`, `<<<`; and files that are: `<`. */
  readonly texts: readonly string[];
  readonly inputs: readonly string[];
  /** More words come from another program's output: it stands behind `xargs` or the like. */
  readonly fed: boolean;
  /** Something before it fetches from the network; and by what names that may be kept. */
  readonly fetched: boolean;
  readonly fetchedNames: ReadonlySet<string>;
  /**
   * Whether a word names a directory that no command may sweep: the root and what is directly in it, the home directory and
   * what is above it, and the same for the working directory where `own` is set.
   */
  isVital(word: ShellWord, own: boolean): boolean;
  /** Whether its value is not known before it runs. */
  isUnknown(word: ShellWord): boolean;
  /** Every path that a word may mean, absolute: as it is written, and where it leads. */
  paths(word: ShellWord): readonly string[];
}

/** A rule by which steps are judged; `why` is for a person and a model. */
export interface Rule {
  readonly why: string;
  applies(step: Step): boolean;
}

export function textsOf(args: readonly ShellWord[]): string[] {
  return args.map(({ text }) => text);
}

/** The words that are no options. */
export function namesOf(args: readonly ShellWord[]): string[] {
  return textsOf(args).filter((text) => !text.startsWith("-"));
}

export function plainWord(text: string): ShellWord {
  return { text, expands: false, globs: false, tilde: false };
}
