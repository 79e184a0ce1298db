/** Embeds new memories before a search, for a limited time. */
import { messageOf, RetainError } from "../core/errors.ts";
import { command } from "../core/hint.ts";
import type { EmbeddingQueue } from "../core/ports/search.ts";
import { plural } from "../util/in-words.ts";
import { embedPending } from "./embed-pending.ts";
import { inTime } from "./in-time.ts";
import type { RecallPorts } from "./ports.ts";

/** The rest stays in keyword search until the next search or 'retain embed'. */
const PATIENCE_MS = 500;
/** Small, so that the deadline is checked often. */
const BATCH = 16;

/** Returns false, with a warning, if the embedding model fails; the search then uses keywords. */
export async function catchUp({ workspaces, embedders, clock, warn }: RecallPorts): Promise<boolean> {
  const [embedder] = embedders;
  if (embedder === undefined) return true;
  const deadline = performance.now() + PATIENCE_MS;
  const enough = () => performance.now() > deadline;
  let pending = 0;
  const queues = workspaces.flatMap(({ queue }) => queue ?? []);
  for (const queue of queues) {
    try {
      await queue.useModel(embedder.model);
      if (queue.count() === 0) continue;
      const { left } = await inTime(
        embedPending(queue, embedder, clock, { enough, batch: BATCH, wait: false }),
      );
      pending += left;
    } catch (error) {
      if (isLocked(error)) continue;
      warn(`Keyword search only: ${messageOf(error)}`);
      return embedders.length > 1;
    }
  }
  if (pending > 0 && !queues.some((queue) => warned.has(queue)))
    warn(
      `${plural(pending, "chunk is", "chunks are")} not embedded yet (keyword search only). To embed now: ${command("embed")}`,
    );
  if (pending > 0) for (const queue of queues) warned.add(queue);
  return true;
}

/** Warn once: a chat searches for every question, sometimes several times. */
const warned = new WeakSet<EmbeddingQueue>();

/** Another process is writing. Pending chunks are found by keywords, and the next search tries again. */
function isLocked(error: unknown): boolean {
  return error instanceof RetainError && error.code === "locked";
}
