/** What a command of the chat may see and change. */
import type { AssembledContext } from "../context/parts.ts";
import type { ChatModel } from "../core/model.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent } from "./events.ts";
import type { ChatPorts } from "./ports.ts";
import type { Approvals } from "./tools/approval.ts";

export interface ChatDesk {
  readonly ports: ChatPorts;
  readonly conversation: Conversation;
  /** Who answers from now on; null: memory alone. */
  model: ChatModel | null;
  approvals: Approvals;
  /** Another conversation takes the place of this one, which gets its summary meanwhile. */
  change(to: Conversation): ChatEvent;
  modelEvent(): ChatEvent;
  /** What a model would be given for this text now. */
  contextFor(query?: string): Promise<AssembledContext>;
}
