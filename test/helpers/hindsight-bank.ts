/** What a Hindsight server keeps of one bank, in memory. A model would extract facts; here every line of a text is one. */

export interface BankItem {
  readonly content: string;
  readonly timestamp?: string | null;
  readonly context?: string | null;
  readonly metadata?: Record<string, string> | null;
  readonly document_id?: string | null;
  readonly tags?: string[] | null;
}

export interface BankMemory {
  readonly id: string;
  text: string;
  readonly document_id: string;
  readonly item: BankItem;
  /** Derived from others. */
  readonly observation?: boolean;
  state: "valid" | "invalidated";
}

interface BankModel {
  readonly id: string;
  readonly name: string;
  readonly source_query: string;
  readonly tags: string[];
  content: string;
  last_refreshed_at: string | null;
}

interface BankOperation {
  readonly count: number;
  status: "pending" | "completed" | "failed";
  error: string | null;
}

type TagsMatch = "any" | "all" | "any_strict" | "all_strict" | "exact";

export interface BankQuestion {
  readonly query: string;
  readonly tags?: string[];
  readonly tags_match?: TagsMatch;
  readonly tag_groups?: { tags: string[]; match: TagsMatch }[];
}

export class HindsightBank {
  mission: string | null = null;
  readonly documents = new Map<string, BankItem & { updated_at: string }>();
  readonly memories = new Map<string, BankMemory>();
  readonly models = new Map<string, BankModel>();
  readonly operations = new Map<string, BankOperation>();
  #writes = 0;

  /** Each document takes the place of the one of its id. */
  retain(items: readonly BankItem[]): void {
    for (const item of items) {
      const id = item.document_id ?? crypto.randomUUID();
      this.removeDocument(id);
      const updated_at = new Date(Date.parse("2026-03-01T00:00:00Z") + ++this.#writes * 1000).toISOString();
      this.documents.set(id, { ...item, updated_at });
      for (const line of item.content.split("\n").filter((text) => text.trim() !== "")) {
        const text = line.replace(/^(?:user|assistant) \([^)]*\): /, "");
        const memory = { id: crypto.randomUUID(), text, document_id: id, item, state: "valid" } as const;
        this.memories.set(memory.id, { ...memory });
      }
    }
  }

  /** How many memories went with it; null where there is none of this id. */
  removeDocument(id: string): number | null {
    if (!this.documents.delete(id)) return null;
    const gone = [...this.memories.values()].filter(({ document_id }) => document_id === id);
    for (const memory of gone) this.memories.delete(memory.id);
    return gone.length;
  }

  /** The best first, with the scores of the arms that found it. */
  recall({ query, tags = [], tags_match = "any", tag_groups = [] }: BankQuestion) {
    const words = wordsOf(query);
    const groups = [...(tags.length > 0 ? [{ tags, match: tags_match }] : []), ...tag_groups];
    return [...this.memories.values()]
      .filter(({ state, item }) => state === "valid" && groups.every((group) => hasTags(item, group)))
      .map((memory) => ({ memory, held: wordsOf(memory.text).filter((word) => words.includes(word)).length }))
      .filter(({ held }) => held > 0)
      .sort((one, other) => other.held - one.held)
      .map(({ memory: { id, text, document_id, item, observation }, held }) => ({
        ...{ id, text, document_id, type: observation === true ? "observation" : "world" },
        context: item.context ?? null,
        mentioned_at: item.timestamp ?? null,
        metadata: item.metadata ?? null,
        tags: item.tags ?? [],
        scores: { final: held, semantic: Math.min(1, held / words.length), keyword: held * 3.5 },
      }));
  }
}

function hasTags({ tags }: BankItem, group: { tags: string[]; match: TagsMatch }): boolean {
  const held = tags ?? [];
  if (group.match === "exact") return [...held].sort().join("\n") === [...group.tags].sort().join("\n");
  if (held.length === 0) return !group.match.endsWith("_strict");
  return group.match.startsWith("any")
    ? group.tags.some((tag) => held.includes(tag))
    : group.tags.every((tag) => held.includes(tag));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
