/** A backend of one's own, as short as it can be: everything in maps. A real one would put a database or a service here. */
import type {
  BackendDocument,
  BackendDocumentRef,
  BackendHit,
  BackendItem,
  BackendQuestion,
  BackendRetained,
  BackendStatus,
  Cleared,
  Episode,
  MemoryBackend,
} from "retain-memory";

export class MapBackend implements MemoryBackend {
  readonly name = "map";
  readonly #items = new Map<string, BackendItem>();
  readonly #documents = new Map<string, BackendDocument>();
  readonly #sessions = new Map<string, Episode>();
  #next = 1;

  async retain(items: readonly BackendItem[]): Promise<BackendRetained> {
    const stored: { id: string; text: string }[] = [];
    const known: { text: string; as: string }[] = [];
    const failed: { text: string; why: string }[] = [];
    for (const item of items) {
      const same = [...this.#items].find(([, { content }]) => content === item.content);
      if (item.content.trim() === "") failed.push({ text: item.content, why: "It says nothing." });
      else if (same !== undefined) known.push({ text: item.content, as: same[0] });
      else {
        const id = `m${this.#next++}`;
        this.#items.set(id, item);
        stored.push({ id, text: item.content });
      }
    }
    return { stored, queued: [], known, failed };
  }

  /** How many of the words are in a text; Retain ranks the hits among everything else that it finds. */
  async recall({ query, tags, kinds, since, until, limit }: BackendQuestion): Promise<readonly BackendHit[]> {
    const sought = wordsOf(query);
    return this.#all()
      .filter((hit) => kinds === null || kinds.includes(hit.kind))
      .filter((hit) => tags.every((tag) => hit.tags.includes(tag)))
      .filter(({ at }) => (since === null || (at ?? 0) >= since) && (until === null || (at ?? 0) <= until))
      .map((hit) => ({ ...hit, words: sought.intersection(wordsOf(hit.text)).size / (sought.size || 1) }))
      .filter(({ words }) => words > 0)
      .sort((a, b) => b.words - a.words)
      .slice(0, limit);
  }

  async forget(id: string): Promise<boolean> {
    return this.#items.delete(id);
  }

  readonly documents = {
    put: async (document: BackendDocument) => {
      this.#documents.set(`${document.collection}/${document.id}`, document);
      return "stored" as const;
    },
    remove: async ({ collection, id }: BackendDocumentRef) => {
      this.#documents.delete(`${collection}/${id}`);
    },
  };

  readonly sessions = {
    keep: async (episode: Episode) => {
      const before = this.#sessions.get(episode.session);
      const first = Math.min(episode.from, before?.from ?? episode.from);
      const earlier = before?.turns.slice(0, Math.max(0, episode.from - first)) ?? [];
      const end = episode.from + episode.turns.length - first;
      const turns = [...earlier, ...episode.turns, ...(before?.turns.slice(end) ?? [])];
      this.#sessions.set(episode.session, { ...episode, from: first, turns });
      return "stored" as const;
    },
    remove: async (session: string) => {
      this.#sessions.delete(session);
    },
  };

  async flush(): Promise<void> {}

  async status(): Promise<BackendStatus> {
    return { name: this.name, location: "in memory", waiting: 0, stuck: [], problem: null, nextTry: null };
  }

  async empty(): Promise<Cleared> {
    for (const map of [this.#items, this.#documents, this.#sessions]) map.clear();
    return { done: ["The maps are empty."], left: [] };
  }

  close(): void {}

  #all(): BackendHit[] {
    const common = { session: null, cosine: null, words: null };
    return [
      ...[...this.#items].map(([id, { content, tags, at, trust, session }]) => {
        return {
          ...common,
          id,
          kind: "fact" as const,
          text: content,
          tags,
          trust,
          session,
          at: Date.parse(at),
        };
      }),
      ...[...this.#documents].map(([id, { content, tags, updated_at }]) => {
        const at = Date.parse(updated_at);
        return {
          ...common,
          id,
          kind: "document" as const,
          text: content,
          tags,
          trust: "stated" as const,
          at,
        };
      }),
      ...[...this.#sessions].flatMap(([session, { turns, from }]) =>
        turns.map(({ content, at }, index) => {
          const id = `${session}#${from + index}`;
          const said = { kind: "message" as const, text: content, tags: [], trust: "inferred" as const };
          return { ...common, ...said, id, session, at: Date.parse(at) };
        }),
      ),
    ];
  }
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
