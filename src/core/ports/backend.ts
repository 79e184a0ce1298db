/**
 * Where memory is held: on this machine, on a server, or in a program's own store. One port for all of them, over statements,
 * documents and conversations, so that a backend can hold the whole memory of a team. What is retained has been checked for secrets
 * by then, and how hits are ranked is no backend's business: recall/ does that for all.
 */
import type { Kind, Trust } from "../memory.ts";

/** One statement that is understood by itself. */
export interface BackendItem {
  readonly content: string;
  /** Where it comes from, in a few words. */
  readonly context: string | null;
  readonly tags: readonly string[];
  /** When it was said, ISO 8601. */
  readonly at: string;
  readonly session: string | null;
  readonly trust: Trust;
  /** Not of the project alone that it was said in. */
  readonly everywhere?: boolean;
}

/** Each item is in one of these, and nothing is counted that is not durable. */
export interface BackendRetained {
  readonly stored: readonly { readonly id: string; readonly text: string }[];
  /** On this machine's disk, and on its way. */
  readonly queued: readonly { readonly id: string; readonly text: string }[];
  /** `as` is the id of what says it already. */
  readonly known: readonly { readonly text: string; readonly as: string }[];
  readonly failed: readonly { readonly text: string; readonly why: string }[];
}

export interface UntimedQuestion {
  readonly query: string;
  /** Has all of these. */
  readonly tags: readonly string[];
  readonly kinds: readonly Kind[] | null;
  /** Said from here on, and up to there (ms, inclusive). */
  readonly since: number | null;
  readonly until: number | null;
  readonly limit: number;
}

export interface BackendQuestion extends UntimedQuestion {
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

export interface BackendHit {
  readonly id: string;
  readonly kind: Kind;
  readonly text: string;
  readonly tags: readonly string[];
  readonly session: string | null;
  /** When it was said, in ms. */
  readonly at: number | null;
  readonly trust: Trust;
  /** How near it is in meaning (a cosine, from 0 to 1), and how well its words match (a share, from 0 to 1), as far as it is known. */
  readonly cosine: number | null;
  readonly words: number | null;
}

export interface BackendDocumentRef {
  readonly collection: string;
  readonly id: string;
}

export interface BackendDocument extends BackendDocumentRef {
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  /** ISO 8601. */
  readonly updated_at: string;
}

/** "queued" is durable here, and on its way. */
export type Delivery = "stored" | "queued";

export interface BackendDocuments {
  /** Takes the place of the document of this id. Throws `io` or `remote` where it could not be made durable. */
  put(document: BackendDocument): Promise<Delivery>;
  /** null where there is none. What is queued counts. Throws `remote`. */
  get(ref: BackendDocumentRef): Promise<BackendDocument | null>;
  /** In any order. Throws `remote`. */
  list(): Promise<readonly BackendDocumentRef[]>;
  /** false where there was none, as far as that is known. */
  remove(ref: BackendDocumentRef): Promise<boolean>;
}

export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A stretch of a conversation. */
export interface Episode {
  readonly session: string;
  readonly chat: string;
  readonly title: string | null;
  /** The number of its first turn in the conversation, from 0. */
  readonly from: number;
  readonly turns: readonly Turn[];
}

export interface BackendSessions {
  /** Turns that are there under the same number are replaced or left, never doubled. Throws as `put`. */
  keep(episode: Episode): Promise<Delivery>;
  /** All that is kept of a conversation, as one stretch; null where there is nothing. What is queued counts. Throws `remote`. */
  get(session: string): Promise<Episode | null>;
  /** Ids of conversations, in any order. Throws `remote`. */
  list(): Promise<readonly string[]>;
  /** false where there was none, as far as that is known. */
  remove(session: string): Promise<boolean>;
}

export interface BackendStatus {
  readonly name: string;
  /** Which bank and where, in words. */
  readonly location: string;
  /** What waits to be sent. */
  readonly waiting: number;
  /** What the other side refuses: it is kept, and needs a person. */
  readonly stuck: readonly { readonly text: string; readonly why: string }[];
  /** What went wrong last, where nothing has gone right since. */
  readonly problem: string | null;
  /** When the next try is due, ISO 8601; null where nothing waits for one. */
  readonly nextTry: string | null;
}

export interface Cleared {
  /** What was emptied, one sentence each. */
  readonly done: readonly string[];
  /** What only a person can do elsewhere. */
  readonly left: readonly string[];
}

/** What emptying does with what waits on this machine. */
export interface ToEmpty {
  /** Counted for each project: "2 of project heron-1a2b3c4d". */
  readonly goes: readonly string[];
  /** One sentence each. */
  readonly stays: readonly string[];
}

/** A standing question, and its answer so far. */
export interface BackendMentalModel {
  readonly id: string;
  readonly name: string;
  readonly question: string;
  /** Markdown; "" until it is first answered. */
  readonly content: string;
}

/** Standing questions that a backend answers by itself. Each throws `remote` where nobody answers in time. */
export interface BackendMentalModels {
  /** Those of this project, and those of none. */
  list(): Promise<readonly BackendMentalModel[]>;
  /** Its id. One that is there already stays as it is. `everywhere`: it is not of this project alone. */
  create(name: string, question: string, tags: readonly string[], everywhere?: boolean): Promise<string>;
  /** Has it answered anew, in the background. false where there is none of this id. */
  refresh(id: string): Promise<boolean>;
}

export interface MemoryBackend {
  /** "local", "hindsight", "off", or a program's own. */
  readonly name: string;
  /** What could not be done for one item is told, and throws nothing. */
  retain(items: readonly BackendItem[]): Promise<BackendRetained>;
  /** The best first. Throws `remote` where nobody answers in time. */
  recall(question: BackendQuestion): Promise<readonly BackendHit[]>;
  /** What waits here and matches, for when nobody answers there. Left out where nothing is ever queued. Throws `io`. */
  recallWaiting?(question: UntimedQuestion): readonly BackendHit[];
  /** Removes a statement for good. false where there is none of this id. Throws `remote`. */
  forget(id: string): Promise<boolean>;
  readonly documents: BackendDocuments;
  readonly sessions: BackendSessions;
  /** Left out where answers are written here. */
  readonly models?: BackendMentalModels;
  /** Sends what waits and is due, until the signal ends that; what is left stays queued. Throws nothing. */
  flush(signal: AbortSignal): Promise<void>;
  /** As `flush`, because a person wants it: at once, with what was refused before. Left out where nothing is ever queued. */
  retry?(signal: AbortSignal): Promise<void>;
  status(): Promise<BackendStatus>;
  /** What `empty` would take, for a person who is asked first. Left out where nothing is ever queued. Throws `io`. */
  toEmpty?(): ToEmpty;
  /** Empties the bank, as far as that can be done from here. Of what waits here for several projects, only this one's goes. */
  empty(): Promise<Cleared>;
  close(): void;
}
