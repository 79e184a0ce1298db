/** Anything that is kept, in the one form in which the index takes it: documents, facts, notes, messages, summaries. */
import type { Chunk } from "./text/chunk.ts";
import type { Evidence } from "./text/evidence.ts";

export const KINDS = ["document", "fact", "note", "message", "summary"] as const;
export type Kind = (typeof KINDS)[number];

/** Where it came from: a person, a model's conclusion, another program's export, a page or a tool's output. */
export const TRUSTS = ["stated", "inferred", "imported", "tool"] as const;
export type Trust = (typeof TRUSTS)[number];

/** Where a memory is: the project's workspace, the home workspace, or a bank elsewhere. */
export const ORIGINS = ["project", "home", "bank"] as const;
export type Origin = (typeof ORIGINS)[number];

export interface MemoryRef {
  readonly kind: Kind;
  /** Which one: "collection/id" for a document. */
  readonly source: string;
}

export interface Memory extends MemoryRef {
  /** The chat that it belongs to; "" for the workspace's own. */
  readonly scope: string;
  readonly tags: readonly string[];
  readonly session: string | null;
  readonly speaker: string | null;
  /** When it was said or written, in ms. */
  readonly at: number | null;
  readonly trust: Trust;
  /** From 0 to 1; 0.5 where nobody said. */
  readonly importance: number;
  readonly chunks: readonly Chunk[];
  /** Of a message, the sentences that state something and the others; left out for everything else, which states all it says. */
  readonly evidence?: Evidence;
  /** What was said right before and after it: a turn is understood from these. */
  readonly neighbours: string;
}

/** What a chunk is ranked by. */
export interface ChunkTraits {
  /** Unique within one workspace; never used again for another chunk. */
  readonly chunkId: number;
  readonly kind: Kind;
  /** Characters of a message; 0 for what was not said. */
  readonly length: number;
  /** For a message. */
  readonly isQuestion: boolean;
  readonly session: string | null;
  readonly speaker: string | null;
  /** The turns before and after it in its session; empty for what was not said. */
  readonly around: readonly number[];
  readonly at: number | null;
  readonly trust: Trust;
  readonly importance: number;
  /** How often its memory was recalled. */
  readonly recalls: number;
}

/** What a chunk is shown by, and told from others: read of the best alone, since text is most of the cost. */
export interface ChunkText extends MemoryRef {
  readonly chunkId: number;
  /** Same for chunks that say the same. */
  readonly hash: string;
  /** The document's; null for any other kind. */
  readonly title: string | null;
  readonly heading: string;
  readonly text: string;
  /** 1-based, within the document's content. */
  readonly line: number;
  readonly tags: readonly string[];
}

/** "collection/id". */
export function documentSource({ collection, id }: { collection: string; id: string }): string {
  return `${collection}/${id}`;
}

/** Towards a backend, which knows of no chats: what belongs to one has this tag. */
export function tagOfChat(chat: string): string {
  return `${CHAT_TAG}${chat}`;
}

/** The chats that something belongs to by its tags. */
export function chatsOfTags(tags: readonly string[]): string[] {
  return tags.flatMap((tag) => (tag.startsWith(CHAT_TAG) ? tag.slice(CHAT_TAG.length) : []));
}

const CHAT_TAG = "chat:";

/** A collection's name holds no slash; an id may. */
export function documentOfSource(source: string): { collection: string; id: string } {
  const slash = source.indexOf("/");
  return { collection: source.slice(0, slash), id: source.slice(slash + 1) };
}
