/** The ports for assembling a context. */
import type { Settings } from "../config/schema.ts";
import type { Audience, Kind, MemoryRef, Origin, Trust } from "../core/memory.ts";
import type { MentalModel } from "../core/mental-model.ts";
import type { Clock, FactIndex, MemoryFiles } from "../core/ports/documents.ts";
import type { SaidHere } from "../core/ports/search.ts";
import type { SessionStore } from "../core/ports/sessions.ts";

export interface ContextWorkspace {
  readonly origin: "project" | "home";
  readonly files: Pick<MemoryFiles, "root" | "scan" | "read">;
  readonly facts: Pick<FactIndex, "all" | "uses">;
  readonly sessions: Pick<SessionStore, "list" | "messages">;
}

/** A recalled memory or chunk. */
export interface RecalledMemory extends MemoryRef {
  readonly origin: Origin;
  /** "Title > Section". */
  readonly heading: string;
  readonly text: string;
  readonly speaker: string | null;
  readonly session: string | null;
  readonly at: number | null;
  readonly trust: Trust;
  /** The newer fact that may replace this one, until a person decides. */
  readonly mayBeOutdatedBy?: string;
  /** For a fact: its last day. */
  readonly until?: string;
  readonly unconfirmed?: boolean;
  /** How well it matches the query. */
  readonly score: number;
}

interface Wanted {
  readonly kinds: readonly Kind[];
  /** Chats; "" is the workspace itself. */
  readonly scopes: readonly string[];
  readonly limit: number;
  readonly except?: SaidHere;
}

/** The facts chosen from a MEMORY.md that did not fit. */
interface FactChoice {
  readonly ids: readonly string[];
  /** How many facts there were. */
  readonly of: number;
}

/** What a conversation was shown first. It stays the same while valid, so that a provider's prompt cache hits. */
export interface FirstShown {
  /** The answer to show for a mental model; "" for none. Default: the file's. */
  answer?(origin: ContextWorkspace["origin"], model: MentalModel): string;
  /** By origin and path of the file. */
  readonly facts: Map<string, FactChoice>;
}

export interface ContextPorts {
  /** In any order. The index of each is up to date. */
  readonly read: readonly ContextWorkspace[];
  readonly audience: Audience;
  /** The default chat. */
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
  /** Whether a recent session may be shown; by default each may. */
  showsSession?(id: string): boolean;
  /** Memory is off: only the base instructions are used. */
  readonly isOff?: boolean;
  readonly firstShown?: FirstShown | undefined;
  /** Best first. */
  recall(query: string, wanted: Wanted): Promise<readonly RecalledMemory[]>;
  /** Counts the recalled memories. */
  count(recalled: readonly RecalledMemory[]): Promise<void>;
}
