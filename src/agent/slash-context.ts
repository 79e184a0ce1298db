/** What a slash command may see and change. */

import type { ChangedMemory } from "../core/facts/memory-changes.ts";
import type { ChatModel } from "../core/model.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent, DraftEvent } from "./events.ts";
import type { ChatPorts } from "./ports.ts";
import type { SetupQuestion } from "./setup-question.ts";
import type { Known } from "./slash/known.ts";
import type { Spending } from "./spending.ts";
import type { Approvals } from "./tools/approval.ts";
import type { TurnEnd } from "./turn.ts";

export interface SlashContext {
  readonly ports: ChatPorts;
  readonly conversation: Conversation;
  /** Assign to switch models; null: answers come from memory alone. */
  model: ChatModel | null;
  approvals: Approvals;
  readonly options: {
    /** Tools for files and commands stay off. */
    readonly memoryOnly?: boolean;
    /** The front end's own questions of the first start. */
    readonly setup?: readonly SetupQuestion[];
  };
  readonly spending: Spending;
  /** The names that arguments complete to. */
  readonly known: Known;
  /** The last query of `/search`; "" before that. */
  searched: string;
  /** The memories that the last turn changed and that the user has not undone since. */
  changed: readonly ChangedMemory[];
  /** Switches to another conversation; this one is summarised in the background. */
  change(to: Conversation): ChatEvent;
  modelEvent(): ChatEvent;
  /** Sends the failed message again, or this text instead. Throws `not_found` if no message has failed. */
  retry(text: string, signal: AbortSignal): AsyncGenerator<DraftEvent, TurnEnd>;
}
