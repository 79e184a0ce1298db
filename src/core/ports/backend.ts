/**
 * The port for memory backends: a server, or a program's own store. It covers statements, documents and conversations,
 * so that a backend can store the whole memory of a team. Items are checked for secrets before they get here, and recall/ ranks the
 * hits of all backends.
 */
import type { Kind, Trust } from "../memory.ts";

/** One self-contained statement. */
export interface BackendItem {
  readonly content: string;
  /** Where it comes from, in a few words. */
  readonly context: string | null;
  readonly tags: readonly string[];
  /** When it was said, in ISO 8601. */
  readonly at: string;
  readonly session: string | null;
  readonly trust: Trust;
  /** It applies outside the current project too. */
  readonly everywhere?: boolean;
}

export interface QueuedItem {
  readonly id: string;
  readonly text: string;
  /** The server cannot be reached at the moment. */
  readonly isDelayed?: true;
}

/** Each item is in exactly one list. Everything in `stored` and `queued` is durable. */
export interface BackendRetained {
  readonly stored: readonly { readonly id: string; readonly text: string }[];
  /** On this machine's disk, to be sent. */
  readonly queued: readonly QueuedItem[];
  /** `as` is the id of the item that already says it. */
  readonly known: readonly { readonly text: string; readonly as: string }[];
  readonly failed: readonly { readonly text: string; readonly why: string }[];
}

export interface UntimedQuestion {
  readonly query: string;
  /** A hit must have all of these. */
  readonly tags: readonly string[];
  readonly kinds: readonly Kind[] | null;
  /** Time range, in ms, inclusive. */
  readonly since: number | null;
  readonly until: number | null;
  readonly limit: number;
}

export interface BackendQuestion extends UntimedQuestion {
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
  /** Cosine similarity and share of matching words, both from 0 to 1; null if unknown. */
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

/** "queued": durable on this machine, to be sent. */
export type Delivery = "stored" | "queued";

export interface BackendDocuments {
  /** Replaces the document with this id. Throws `io` or `remote` if it could not be made durable. */
  put(document: BackendDocument): Promise<Delivery>;
  /** Does nothing if there is none. Throws as `put`. */
  remove(ref: BackendDocumentRef): Promise<void>;
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
  /** Turns with the same number are replaced or left, never duplicated. Throws as `put`. */
  keep(episode: Episode): Promise<Delivery>;
  /** Removes all turns, pending ones too. Does nothing if there are none. Throws as `put`. */
  remove(session: string): Promise<void>;
}

export interface BackendStatus {
  readonly name: string;
  /** Bank and server, for people. */
  readonly location: string;
  /** Number of pending items. */
  readonly waiting: number;
  /** Items that the server refused, or that are damaged: kept until a person fixes them. */
  readonly stuck: readonly { readonly text: string; readonly why: string }[];
  /** The last failure, if nothing has succeeded since. */
  readonly problem: string | null;
  /** When the next retry is due, in ISO 8601; null if none is. */
  readonly nextTry: string | null;
}

export interface Cleared {
  /** What was removed, one sentence each. */
  readonly done: readonly string[];
  /** What the user has to do on the server. */
  readonly left: readonly string[];
}

/** What `empty` does with pending items on this machine. */
export interface ToEmpty {
  /** Counted per project: "2 of project heron-1a2b3c4d". */
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

/** Mental models that the backend itself answers. Each method throws `remote` if the server doesn't answer in time. */
export interface BackendMentalModels {
  /** Those of this project and those of no project. */
  list(): Promise<readonly BackendMentalModel[]>;
  /** Returns its id. An existing one stays unchanged. `everywhere`: it belongs to no project. */
  create(name: string, question: string, tags: readonly string[], everywhere?: boolean): Promise<string>;
  /** Starts a refresh in the background. false if there is none with this id. */
  refresh(id: string): Promise<boolean>;
}

/** A single statement or learned memory. */
export interface BackendStatement {
  readonly id: string;
  readonly text: string;
}

/** Both are the same if the text did not change. The id may change with the text. */
export interface BackendEdit {
  readonly before: BackendStatement;
  readonly after: BackendStatement;
}

/** An answer that the backend's own model wrote. */
export interface BackendReflection {
  /** Markdown. */
  readonly answer: string;
  /** The memories it is based on; `at` in ms. */
  readonly sources: readonly (BackendStatement & { readonly at: number | null })[];
}

export interface MemoryBackend {
  /** "hindsight", or a program's own name. */
  readonly name: string;
  /** Reports a failed item in `failed` instead of throwing. */
  retain(items: readonly BackendItem[]): Promise<BackendRetained>;
  /** Best first. Throws `remote` if the server doesn't answer in time. */
  recall(question: BackendQuestion): Promise<readonly BackendHit[]>;
  /** Matching pending items, for when the server doesn't answer. Only for backends that queue. Throws `io`. */
  recallWaiting?(question: UntimedQuestion): readonly BackendHit[];
  /** Removes a statement permanently. false if there is none with this id. Throws `remote`. */
  forget(id: string): Promise<boolean>;
  /** The statement that `forget` and `edit` would change; null for an unknown id. Throws `remote`. */
  statement?(id: string): Promise<BackendStatement | null>;
  /** Replaces a statement's text. null for an unknown id. Throws `remote`, with nothing changed. */
  edit?(id: string, text: string): Promise<BackendEdit | null>;
  /** Answers a question; missing if Retain answers it itself. Throws `remote`. */
  reflect?(query: string, signal: AbortSignal): Promise<BackendReflection>;
  readonly documents: BackendDocuments;
  readonly sessions: BackendSessions;
  /** Mental models; missing if Retain answers them itself. */
  readonly models?: BackendMentalModels;
  /** Sends pending items that are due, until the signal aborts; the rest stays queued. Never throws. */
  flush(signal: AbortSignal): Promise<void>;
  /** Like `flush`, but at once and including stuck items. Only for backends that queue. */
  retry?(signal: AbortSignal): Promise<void>;
  status(): Promise<BackendStatus>;
  /** How many queued items this process has sent. Only for backends that queue. */
  readonly sent?: number;
  /** Preview of `empty`, for the confirmation. Only for backends that queue. Throws `io`. */
  toEmpty?(): ToEmpty;
  /** Empties the bank as far as possible from this machine. In a project, removes only that project's pending items. */
  empty(): Promise<Cleared>;
  close(): void;
}
