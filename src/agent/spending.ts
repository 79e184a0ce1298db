/** Usage so far: tokens of the turn, dollars of the session. */
import type { ChatModel, Usage } from "../core/model.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent } from "./events.ts";
import { addUsage, NO_USAGE } from "./request.ts";

export class Spending {
  #turn: Usage = NO_USAGE;
  #cost: number | null = null;
  #complete: boolean;

  /** The earlier cost of a resumed conversation is unknown. */
  constructor({ messages }: Pick<Conversation, "messages">) {
    this.#complete = messages.every(({ role }) => role !== "assistant");
  }

  newTurn(): void {
    this.#turn = NO_USAGE;
  }

  /** Counts tokens used outside a turn, such as for a summary of older messages. */
  count(usage: Usage, model: ChatModel): void {
    const cost = model.costOf(usage);
    if (cost === null) this.#complete = false;
    else this.#cost = (this.#cost ?? 0) + cost;
  }

  /** `estimated` is the request's size in tokens, for providers that report none. */
  add(usage: Usage, model: ChatModel, estimated: number): ChatEvent {
    this.#turn = addUsage(this.#turn, usage);
    this.count(usage, model);
    const contextUsed = (usage.input ?? estimated) + (usage.output ?? 0);
    return { type: "usage", turn: this.#turn, cost: this.#cost, costComplete: this.#complete, contextUsed };
  }
}
