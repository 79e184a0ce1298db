/** A slash command. One table serves every front end. */

import { RetainError } from "../../core/errors.ts";
import type { CommandLine, Hint } from "../../core/hint.ts";
import type { ChatEvent, DraftEvent } from "../events.ts";
import type { SlashContext } from "../slash-context.ts";
import type { TurnEnd } from "../turn.ts";
import type { KnownKind } from "./known.ts";

export interface Choice {
  readonly value: string;
  readonly detail: string;
}

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** Its arguments: "<query>", "[id]", or "". */
  readonly usage: string;
  readonly detail: string;
  /** The commands of the command line that it replaces in hints, with their options: it does the same with the same arguments. */
  readonly commands?: readonly (CommandLine | `${CommandLine} --${string}`)[];
  /** Possible arguments, completed by their beginning. */
  choices?(chat: SlashContext): readonly Choice[];
  /** What its argument names, completed by any of its words. */
  readonly names?: KnownKind;
  /** The chat shows a RetainError that it throws. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  run(chat: SlashContext, args: string, signal: AbortSignal): AsyncGenerator<DraftEvent, TurnEnd | void>;
  /** It sends a message, so what follows a turn follows it too. */
  readonly isTurn?: true;
}

export function output(text: string): ChatEvent {
  return { type: "output", text };
}

export function notice(text: Hint): DraftEvent {
  return { type: "notice", level: "info", text };
}

/** Throws `usage` if the argument is missing. */
export function requireWords(said: string, example: string): void {
  if (said === "")
    throw new RetainError("usage", "This command needs an argument.", `For example: ${example}`);
}
