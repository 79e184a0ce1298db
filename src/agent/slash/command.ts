/** A slash command. One table serves every front end. */

import type { ChatEvent } from "../events.ts";
import type { SlashContext } from "../slash-context.ts";

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
  /** Possible arguments. */
  choices?(chat: SlashContext): readonly Choice[];
  /** The chat shows a RetainError that it throws. */
  run(chat: SlashContext, args: string, signal: AbortSignal): AsyncGenerator<ChatEvent, void>;
}

export function output(text: string): ChatEvent {
  return { type: "output", text };
}

export function notice(text: string): ChatEvent {
  return { type: "notice", level: "info", text };
}
