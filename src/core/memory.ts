/** The form in which the index takes any memory: documents, facts, notes, messages, summaries. */

import type { Evidence } from "./language/evidence.ts";
import type { Chunk } from "./text/chunk.ts";

export const KINDS = ["document", "fact", "note", "message", "summary"] as const;
export type Kind = (typeof KINDS)[number];

/** The source: a person, a model's inference, another program's export, a web page or tool output. */
export const TRUSTS = ["stated", "inferred", "imported", "tool"] as const;
export type Trust = (typeof TRUSTS)[number];

/** Where a memory is stored: the project's workspace, the home workspace, or a bank on a server. */
export const ORIGINS = ["project", "home", "bank"] as const;
export type Origin = (typeof ORIGINS)[number];

/** Where the writer of a fact wants it: in the nearest workspace, or in the home workspace for all projects. */
export type FactScope = "project" | "global";

/**
 * Who can read what is saved here: all projects of the person (home), only this project (bank), everyone who works on it (project);
 * alone: only this project, which doesn't read the home workspace.
 */
export type Audience = "home" | "bank" | "project" | "alone";

export interface MemoryRef {
  readonly kind: Kind;
  /** Its name: "collection/id" for a document. */
  readonly source: string;
}

export interface Memory extends MemoryRef {
  /** Its chat; "" for the workspace itself. */
  readonly scope: string;
  readonly tags: readonly string[];
  readonly session: string | null;
  readonly speaker: string | null;
  /** When it was said or written, in ms. */
  readonly at: number | null;
  readonly trust: Trust;
  /** From 0 to 1. Default: 0.5. */
  readonly importance: number;
  readonly chunks: readonly Chunk[];
  /** A message's statements and other sentences; undefined for other kinds, which are all statements. */
  readonly evidence?: Evidence;
  /** The text right before and after a turn, which helps to understand it. */
  readonly neighbours: string;
}

/** The data that ranks a chunk. */
export interface ChunkTraits {
  /** Unique within one workspace; never reused. */
  readonly chunkId: number;
  readonly kind: Kind;
  /** Characters of a message; 0 for other kinds. */
  readonly length: number;
  /** Messages only. */
  readonly isQuestion: boolean;
  readonly session: string | null;
  readonly speaker: string | null;
  /** Neighbouring turns in its session; empty for other kinds. */
  readonly around: readonly number[];
  readonly at: number | null;
  readonly trust: Trust;
  readonly importance: number;
  /** How often its memory was recalled. */
  readonly recalls: number;
}

/** The data that shows a chunk and detects duplicates. Read only for the best hits, since text is most of the cost. */
export interface ChunkText extends MemoryRef {
  readonly chunkId: number;
  /** Equal for identical chunks. */
  readonly hash: string;
  /** Documents only; null for other kinds. */
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

/** A backend has no chats, so memories of a chat get this tag. */
export function tagOfChat(chat: string): string {
  return `${CHAT_TAG}${chat}`;
}

/** The chats named by the tags. */
export function chatsOfTags(tags: readonly string[]): string[] {
  return tags.flatMap((tag) => (tag.startsWith(CHAT_TAG) ? tag.slice(CHAT_TAG.length) : []));
}

const CHAT_TAG = "chat:";

/** A collection's name has no slash; an id may. */
export function documentOfSource(source: string): { collection: string; id: string } {
  const slash = source.indexOf("/");
  return { collection: source.slice(0, slash), id: source.slice(slash + 1) };
}
