/**
 * A command's arguments and options, with what each of them takes, for shell completion. It reports mistakes in Retain's own words
 * instead of commander's.
 */
import { type Argument, Command, type Option } from "commander";
import { RetainError } from "../core/errors.ts";
import { nearest } from "../util/text.ts";

type Declared = Argument | Option;

/** What completion can look up. Of "text" it knows nothing: numbers, dates, new names, sentences. */
export type Kind =
  | "text"
  | "file"
  | "directory"
  /** Documents that Retain can change; any-document includes those in folders. */
  | "document"
  | "any-document"
  | "restorable"
  | "version"
  | "collection"
  | "filter"
  | "fact"
  | "unconfirmed"
  | "undecided"
  | "session"
  | "chat"
  | "tag"
  | "setting"
  | "model"
  | "provider"
  | "endpoint"
  | "skill"
  | "mental-model"
  | "folder";

/** A kind, fixed words, or a list of a kind, separated by commas. */
export type Takes = Kind | readonly string[] | { readonly listOf: Kind };
/** If it depends on the arguments before it: a function of them. */
type TakesAfter = Takes | ((before: readonly string[]) => Takes);

/** Commander calls the methods below for each kind of mistake. They throw `usage`. */
export class CommandParser extends Command {
  readonly #taken = new Map<Declared, TakesAfter>();
  #last: Declared | null = null;

  override addArgument(argument: Argument): this {
    this.#last = argument;
    return super.addArgument(argument);
  }

  override addOption(option: Option): this {
    this.#last = option;
    return super.addOption(option);
  }

  /** Declares what the last argument or option takes. One with choices takes those. */
  takes(what: TakesAfter): this {
    if (this.#last !== null) this.#taken.set(this.#last, what);
    return this;
  }

  /** null if it is not declared. */
  takenBy(declared: Declared, before: readonly string[]): Takes | null {
    const what = this.#taken.get(declared) ?? declared.argChoices ?? null;
    return typeof what === "function" ? what(before) : what;
  }

  missingArgument(name: string): never {
    const argument = this.registeredArguments.find((one) => one.name() === name);
    throw this.#mistake(`Missing <${name}>: ${argument?.description}.`, argument);
  }

  optionMissingArgument(option: Option): never {
    throw this.#mistake(`${shownOption(option)} needs a value.`, option);
  }

  missingMandatoryOptionValue(option: Option): never {
    throw this.#mistake(`${shownOption(option)} is missing.`, option);
  }

  _conflictingOption(option: Option, other: Option): never {
    const message = `${shownOption(option)} and ${shownOption(other)} cannot be combined.`;
    throw new RetainError("usage", message, "Pass one of them.");
  }

  unknownOption(flag: string): void {
    // An option that takes no value is unknown to commander if it gets one.
    const [name = ""] = flag.split("=");
    const known = this.#flags;
    if (known.includes(name)) throw this.#mistake(`${name} takes no value.`);
    if (this.#accepts("_allowUnknownOption")) return;
    throw this.#mistake(`Unknown option '${name}'.`, undefined, nearest(name, known));
  }

  _excessArguments(received: readonly string[]): void {
    if (this.#accepts("_allowExcessArguments")) return;
    const surplus = received[this.registeredArguments.length];
    throw this.#mistake(`Unexpected argument '${surplus}' for '${this.name()}'.`);
  }

  _callParseArg(target: Declared, value: string, previous: unknown): unknown {
    const { argChoices, parseArg } = target;
    if (argChoices !== undefined && !argChoices.includes(value)) {
      const what = "flags" in target ? shownOption(target) : `<${target.name()}>`;
      const message = `'${value}' is not a valid value for ${what}.`;
      throw this.#mistake(message, target, nearest(value, argChoices));
    }
    return parseArg?.(value, previous as never);
  }

  /** The last resort: a mistake that none of the methods above knows. */
  override error(): never {
    throw this.#mistake(`'${this.name()}' does not accept these arguments.`);
  }

  #mistake(message: string, about?: Declared, guess: string | null = null): RetainError {
    const choices = about?.argChoices;
    const rest = choices === undefined ? `See: ${this.name()} --help` : `One of: ${choices.join(", ")}`;
    return new RetainError("usage", message, guess === null ? rest : `Did you mean '${guess}'?`);
  }

  get #flags(): string[] {
    return [...this.options.flatMap(({ long, short }) => [long ?? [], short ?? []].flat()), "--help"];
  }

  /** Commander has a setter for each of these, but no getter. */
  #accepts(what: "_allowUnknownOption" | "_allowExcessArguments"): boolean {
    return (this as unknown as Record<typeof what, boolean>)[what];
  }
}

function shownOption({ long, flags }: Option): string {
  return long ?? flags;
}
