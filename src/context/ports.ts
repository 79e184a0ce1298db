/** What putting a context together needs. Recall and its count come in as functions. */
import type { Settings } from "../config/schema.ts";
import type { Kind, MemoryRef, Origin, Trust } from "../core/memory.ts";
import type { MentalModel } from "../core/mental-model.ts";
import type { Clock, FactIndex, MemoryFiles } from "../core/ports/documents.ts";
import type { SessionStore } from "../core/ports/sessions.ts";

export interface ContextWorkspace {
  readonly origin: "project" | "home";
  readonly files: Pick<MemoryFiles, "root" | "scan" | "read">;
  readonly facts: Pick<FactIndex, "all" | "uses">;
  readonly sessions: Pick<SessionStore, "list" | "messages">;
}

/** One memory, or a part of one, that answers the query. */
export interface RecalledMemory extends MemoryRef {
  readonly origin: Origin;
  /** "Title > Section". */
  readonly heading: string;
  readonly text: string;
  readonly speaker: string | null;
  readonly session: string | null;
  readonly at: number | null;
  readonly trust: Trust;
  /** The newer fact that may replace it, until a person decides. */
  readonly mayBeOutdatedBy?: string;
  /** Of a fact: the last day on which it holds. */
  readonly until?: string;
  /** This fact is unconfirmed. */
  readonly unconfirmed?: boolean;
}

export interface Wanted {
  readonly kinds: readonly Kind[];
  /** Chats; "" is the workspace's own. */
  readonly scopes: readonly string[];
  readonly limit: number;
}

/** The facts chosen from a MEMORY.md that did not fit. */
export interface FactChoice {
  readonly ids: readonly string[];
  /** How many facts there were to choose from. */
  readonly of: number;
}

/** What a conversation was shown first. It stays while it holds, so that a provider's prompt cache hits. */
export interface FirstShown {
  /** The answer to show of a mental model; "" for none. By default the file's. */
  answer?(origin: ContextWorkspace["origin"], model: MentalModel): string;
  /** By place and path of the file. */
  readonly facts: Map<string, FactChoice>;
}

export interface ContextPorts {
  /** In any order. The index is in step with the files of each. */
  readonly read: readonly ContextWorkspace[];
  /** The chat that is meant where none is named. */
  readonly chat: string;
  readonly settings: Pick<
    Settings,
    | "memory_days"
    | "working_memory_stale_days"
    | "context_budget"
    | "mental_models_enabled"
    | "mental_model_max_render_chars"
  >;
  readonly clock: Clock;
  /** Whether a mental model of the home workspace is left out here; by default none is. */
  hidesFromHome?(model: MentalModel): boolean;
  /** Memory is switched off: the base instructions alone. */
  readonly isOff?: boolean;
  readonly firstShown?: FirstShown | undefined;
  /** The best first. */
  recall(query: string, wanted: Wanted): Promise<readonly RecalledMemory[]>;
  /** Told what was recalled into the context. */
  count(recalled: readonly RecalledMemory[]): Promise<void>;
}
