/**
 * Conversations in a bank, stored in parts: one from the first turn, others from a later turn. Reading joins them into one
 * conversation, whether a part is on the server or in the spool.
 */
import type { BackendSessions, Delivery, Episode } from "../../core/ports/backend.ts";
import type { Spool } from "../spool/spool.ts";
import type { HindsightClient } from "./client.ts";
import { conversationOf } from "./document-ids.ts";
import { heldHere, heldOnServer, joined, type Stretch } from "./held.ts";
import type { Learning } from "./learning.ts";
import type { Operations } from "./operations.ts";
import {
  type Queued,
  type QueueSettings,
  queuedEpisode,
  queuedRemoval,
  queuedSessionRemoval,
  readQueued,
  removalKey,
} from "./queued.ts";
import { documentIds, documentOf, READ_MS } from "./remote-documents.ts";

interface Waiting {
  readonly key: string;
  readonly from: number;
  readonly queued: Queued;
}

export class HindsightSessions implements BackendSessions {
  constructor(
    private readonly client: HindsightClient,
    private readonly spool: Spool,
    private readonly settings: QueueSettings,
    private readonly learning: Learning,
    private readonly operations: Operations,
  ) {}

  async keep(episode: Episode): Promise<Delivery> {
    if (episode.turns.length > 0) await this.spool.add([queuedEpisode(episode, this.settings)]);
    return "queued";
  }

  async get(session: string): Promise<Episode | null> {
    const waiting = this.#waiting(session);
    const stretches = [...(await this.#onServer(session, waiting)), ...inSpool(waiting)];
    const all = joined(stretches);
    if (all === null) return null;
    const { chat = "", title = null } = stretches.at(-1)?.held.metadata ?? {};
    return { session, chat, title, ...all };
  }

  async list(): Promise<string[]> {
    const { ids } = this.settings;
    const found = new Set(await documentIds(this.client, ids.sessions, READ_MS));
    for (const { document_id } of this.learning.items()) found.add(document_id);
    const entries = this.spool.entries().map((entry) => ({ key: entry.key, queued: readQueued(entry) }));
    const removed = new Set(
      entries.flatMap(({ queued }) => (queued?.kind === "remove-session" ? [queued.document_id] : [])),
    );
    for (const id of found) if (removed.has(conversationOf(id))) found.delete(id);
    for (const { key, queued } of entries) {
      if (queued?.kind === "send") found.add(key);
      else found.delete(key);
    }
    const names = [...found].flatMap((id) => {
      const named = ids.read(id);
      return named?.kind === "message" ? [named.session] : [];
    });
    return [...new Set(names)];
  }

  /** Always queued. Parts that are pending, or that the server fails to process, are no longer sent. */
  async remove(session: string): Promise<void> {
    await this.spool.add([
      ...this.#waiting(session).map(({ key }) => queuedRemoval(key)),
      queuedSessionRemoval(session, this.settings),
    ]);
    this.operations.remove(({ key }) => this.#isPartOf(key, session));
  }

  /** Oldest first. */
  async #onServer(session: string, waiting: readonly Waiting[]): Promise<Stretch[]> {
    const { ids } = this.settings;
    if (this.spool.find(removalKey(session, ids)) !== null) return [];
    const others = await documentIds(this.client, ids.windows(session), READ_MS);
    const outdated = new Set(waiting.map(({ key }) => key));
    const sent = this.learning.items().map(({ document_id }) => document_id);
    const onServer: Stretch[] = [];
    const learning: Stretch[] = [];
    for (const id of new Set([ids.session(session, 0), ...others, ...sent])) {
      const named = ids.read(id);
      if (outdated.has(id) || named?.kind !== "message" || named.session !== session) continue;
      const item = this.learning.find(id);
      const document = item === null ? await documentOf(this.client, id, READ_MS) : null;
      if (item !== null) learning.push({ from: named.from, held: heldHere(item) });
      if (document !== null) onServer.push({ from: named.from, held: heldOnServer(document) });
    }
    return [...onServer.sort((one, other) => timeOf(one) - timeOf(other)), ...learning];
  }

  #isPartOf(documentId: string, session: string): boolean {
    const named = this.settings.ids.read(documentId);
    return named?.kind === "message" && named.session === session;
  }

  #waiting(session: string): Waiting[] {
    const { ids } = this.settings;
    return this.spool.entries().flatMap((entry) => {
      const named = ids.read(entry.key);
      const queued = readQueued(entry);
      if (named?.kind !== "message" || named.session !== session || queued === null) return [];
      return [{ key: entry.key, from: named.from, queued }];
    });
  }
}

function inSpool(waiting: readonly Waiting[]): Stretch[] {
  return waiting.flatMap(({ from, queued }) =>
    queued.kind === "send" ? [{ from, held: heldHere(queued.item) }] : [],
  );
}

function timeOf({ held }: Stretch): number {
  return Date.parse(held.updatedAt) || 0;
}
