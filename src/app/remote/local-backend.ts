/** The memory backend: a server's, none, or this machine's memory with the same use cases that the CLI and tools call. */

import type { LocalWorkspace } from "../../backends/local.ts";
import { OffBackend } from "../../backends/off.ts";
import { RetainError } from "../../core/errors.ts";
import type {
  BackendDocument,
  BackendDocumentRef,
  BackendDocuments,
  BackendHit,
  BackendItem,
  BackendQuestion,
  BackendRetained,
  BackendSessions,
  BackendStatus,
  Cleared,
  Episode,
  MemoryBackend,
} from "../../core/ports/backend.ts";
import type { GotDocument } from "../../documents/read.ts";
import type { Facts } from "../../facts/facts.ts";
import type { SearchHit, SearchOptions } from "../../recall/search.ts";
import { Documents } from "../documents.ts";
import type { Wiring } from "../wiring.ts";

/** The library's methods. */
interface LocalVerbs {
  readonly facts: Facts;
  readonly workspace: { readonly root: string };
  search(query: string, options: SearchOptions): Promise<{ readonly hits: readonly SearchHit[] }>;
  clearWorkspace(): Promise<Cleared>;
}

export async function backendOf(wiring: Wiring, verbs: LocalVerbs): Promise<MemoryBackend> {
  if (wiring.remote !== null) return wiring.remote.backend();
  if (wiring.isOff) return new OffBackend();
  // The backend is one workspace: it doesn't see the home workspace's documents from inside a project.
  const documents = new Documents(
    () => wiring.documentPorts(wiring.local),
    () => [],
    async () => {},
  );
  return new LocalBackend(verbs, documents, wiring.local);
}

class LocalBackend implements MemoryBackend {
  readonly name = "local";
  readonly documents: BackendDocuments;
  readonly sessions: BackendSessions;

  constructor(
    private readonly verbs: LocalVerbs,
    documents: Documents,
    { sessions }: Pick<LocalWorkspace, "sessions">,
  ) {
    this.documents = documentsOf(documents);
    this.sessions = {
      async keep({ session, chat, title, from, turns }: Episode) {
        await verbs.facts.writeTurns({ session, chat, from, turns, ...(title !== null && { title }) });
        return "stored";
      },
      async get(session) {
        const summary = sessions.session(session);
        if (summary === null) return null;
        const turns = sessions.messages(session).flatMap(({ role, content, timestamp }) => {
          return role === "user" || role === "assistant" ? [{ role, content, at: timestamp }] : [];
        });
        return { session, chat: summary.chat, title: summary.title, from: 0, turns };
      },
      list: async () => sessions.list({}).map(({ id }) => id),
      remove: async (session) => {
        await sessions.remove(session);
      },
    };
  }

  async retain(items: readonly BackendItem[]): Promise<BackendRetained> {
    const blank = items.filter(({ content }) => content.trim() === "");
    const said = items.filter((item) => !blank.includes(item));
    const kept = await this.verbs.facts.retain(said.map(itemOf));
    return {
      stored: kept.saved.map(({ id, text }) => ({ id, text })),
      queued: [],
      known: kept.skipped.map(({ text, as }) => ({ text, as })),
      failed: [
        ...blank.map(({ content }) => ({ text: content, why: "It is empty." })),
        ...kept.refused,
        ...kept.failed,
      ],
    };
  }

  async recall({ query, tags, kinds, since, until, limit }: BackendQuestion): Promise<readonly BackendHit[]> {
    const { hits } = await this.verbs.search(query, {
      limit,
      tags,
      ...(kinds !== null && { kinds }),
      ...(since !== null && { since: new Date(since).toISOString() }),
      ...(until !== null && { until: new Date(until).toISOString() }),
    });
    return hits.map(hitOf);
  }

  forget(id: string): Promise<boolean> {
    return found(() => this.verbs.facts.forget(id));
  }

  async flush(): Promise<void> {}

  async status(): Promise<BackendStatus> {
    const { root: location } = this.verbs.workspace;
    return { name: this.name, location, waiting: 0, stuck: [], problem: null, nextTry: null };
  }

  empty(): Promise<Cleared> {
    return this.verbs.clearWorkspace();
  }

  /** Does nothing: the opener of the memory closes it. */
  close(): void {}
}

function documentsOf(documents: Documents): BackendDocuments {
  return {
    async put({ collection, id, title, content, tags, updated_at }: BackendDocument) {
      await documents.put({ content, id, collection, title, tags, metadata: { updated_at } });
      return "stored";
    },
    async get(ref: BackendDocumentRef) {
      let read: GotDocument | null = null;
      await found(async () => {
        read = await documents.get(ref.id, { collection: ref.collection });
      });
      return read === null ? null : documentOf(read);
    },
    async list() {
      const { documents: listed } = await documents.list({});
      return listed.map(({ collection, id }) => ({ collection, id }));
    },
    remove: ({ id, collection }) => found(() => documents.delete(id, { collection })),
  };
}

function documentOf(read: GotDocument): BackendDocument {
  const { collection, id, title, content, tags, updated_at, created_at } = read;
  return { collection, id, title, content, tags, updated_at: updated_at ?? created_at ?? "" };
}

function itemOf({ content, context, tags, at, trust }: BackendItem) {
  return { content, context: context ?? undefined, tags, at, trust };
}

function hitOf({ collection, id, kind, text, tags, session, at, trust, score }: SearchHit): BackendHit {
  return {
    ...{ kind, text, tags, session, trust },
    id: collection === null ? id : `${collection}/${id}`,
    at: at === null ? null : Date.parse(at),
    cosine: null,
    words: Math.min(1, Math.max(0, score)),
  };
}

async function found(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof RetainError && error.code === "not_found") return false;
    throw error;
  }
}
