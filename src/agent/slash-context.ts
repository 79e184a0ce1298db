/** What a command of the chat may see and change. */
import type { ChatModel } from "../core/model.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent } from "./events.ts";
import type { ChatPorts } from "./ports.ts";
import type { Spending } from "./spending.ts";
import type { Approvals } from "./tools/approval.ts";

export interface SlashContext {
  readonly ports: ChatPorts;
  readonly conversation: Conversation;
  /** Who answers from now on; null: memory alone. */
  model: ChatModel | null;
  approvals: Approvals;
  readonly spending: Spending;
  /** What `/search` looked for last; "" before that. */
  searched: string;
  /** Another conversation takes the place of this one, which gets its summary meanwhile. */
  change(to: Conversation): ChatEvent;
  modelEvent(): ChatEvent;
}
