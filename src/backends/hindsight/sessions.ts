/** Conversations in a bank, stored in parts: one from the first turn, others from a later turn. */
import type { BackendSessions, Delivery, Episode } from "../../core/ports/backend.ts";
import type { Spool } from "../spool/spool.ts";
import type { Operations } from "./operations.ts";
import { type QueueSettings, queuedEpisode, queuedRemoval, queuedSessionRemoval } from "./queued.ts";

export class HindsightSessions implements BackendSessions {
  constructor(
    private readonly spool: Spool,
    private readonly settings: QueueSettings,
    private readonly operations: Operations,
  ) {}

  async keep(episode: Episode): Promise<Delivery> {
    if (episode.turns.length > 0) await this.spool.add([queuedEpisode(episode, this.settings)]);
    return "queued";
  }

  /** Always queued. Parts that are pending, or that the server fails to process, are no longer sent. */
  async remove(session: string): Promise<void> {
    const isPart = ({ key }: { readonly key: string }) => {
      const named = this.settings.ids.read(key);
      return named?.kind === "message" && named.session === session;
    };
    const pending = this.spool.entries().filter(isPart);
    await this.spool.add([
      ...pending.map(({ key }) => queuedRemoval(key)),
      queuedSessionRemoval(session, this.settings),
    ]);
    this.operations.remove(isPart);
  }
}
