/** What a chat needs of the memory, of models and of the machine. Joined in app/. */
import type { Settings } from "../config/schema.ts";
import type { ContextOptions } from "../context/assemble.ts";
import type { AssembledContext } from "../context/parts.ts";
import type { FirstShown } from "../context/ports.ts";
import type { Incident } from "../core/incidents.ts";
import type { ChatModel } from "../core/model.ts";
import type { Delivery, Episode } from "../core/ports/backend.ts";
import type { Clock } from "../core/ports/documents.ts";
import type { SessionStore } from "../core/ports/sessions.ts";
import type { Facts } from "../facts/facts.ts";
import type { SearchHit, SearchOptions } from "../recall/search.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { LedgerLine } from "./learn/ledger.ts";
import type { MemoryTool } from "./memory-tool.ts";
import type { MemoryToolsOptions } from "./memory-tools/ports.ts";
import type { ChatMentalModels } from "./mental-models/in-chat.ts";
import type { Skill } from "./skills/skills.ts";
import type { Tool } from "./tool.ts";

export interface ModelOffer {
  readonly name: string;
  /** "ANTHROPIC_API_KEY is set", "Ollama, on this machine". */
  readonly detail: string;
}

/** Who could answer. */
export interface Models {
  /** Throws `usage` or `invalid_config` for a name that makes no sense, or whose key is missing; null: none is configured. */
  open(name?: string): Promise<ChatModel | null>;
  /** One sentence on how to get a model. */
  readonly howToGetOne: string;
  /** Models that would work here right now. A local Ollama is asked. */
  offers(): Promise<readonly ModelOffer[]>;
}

/** How finished turns are kept without being asked. */
export interface AutoRetain {
  readonly enabled: boolean;
  readonly everyTurns: number;
  /** How many turns before the new ones go along, in window mode. */
  readonly overlapTurns: number;
  /** Whether the whole conversation is handed over each time, or the last turns alone. */
  readonly mode: "full-session" | "window";
  /** Whether finished turns are looked through for requests to remember something. A backend elsewhere reads them itself. */
  readonly requests: boolean;
  /** Hands turns over to who holds memory elsewhere; null where nobody does. */
  readonly keep: ((episode: Episode) => Promise<Delivery>) | null;
}

/** Learning, as far as a chat has to do with it. */
export interface LearningPorts {
  /** The model that reads finished conversations, if any. */
  readonly model: string | null;
  /** Whether this home's owner is still to be asked if a model may read conversations. */
  isOffered(): boolean;
  setOffered(): void;
  /** null: no model reads them. It reads what is said from `since` (ISO 8601) on, by default from now. Throws `usage`, `io`. */
  use(model: string | null, since?: string): Promise<void>;
  /** After how many turns they are read. */
  readonly everyTurns: number;
  /** Dollars. */
  readonly dailyLimit: number;
  /** Starts the worker where turns are due. */
  wake(): void;
  /** What was learned since a chat showed it last; `done` says that it is shown now. */
  unshown(): { readonly lines: readonly Pick<LedgerLine, "kept" | "replaced" | "ended">[]; done(): void };
}

export interface ChatPorts {
  /** Where this chat's sessions are stored. */
  readonly store: SessionStore;
  readonly origin: "project" | "home";
  readonly sessions: Sessions;
  readonly facts: Facts;
  /** Memory is switched off: nothing is recalled, and nothing is kept by itself. */
  readonly isOff: boolean;
  readonly autoRetain: AutoRetain;
  readonly learning: LearningPorts;
  /** What was queued for a bank elsewhere is sent, in the background. */
  turnEnded(): void;
  readonly models: Models;
  readonly settings: Pick<Settings, "context_budget" | "incognito">;
  /** The chat that is meant where none is named. */
  readonly chat: string;
  readonly clock: Clock;
  readonly cwd: string;
  /** This process, as `processName` has it. */
  readonly self: string;
  /** Whether the process of this name has ended. */
  isGone(holder: string): boolean;
  /** `firstShown` keeps what a conversation was shown first, and takes up what it is shown now. */
  context(options: ContextOptions, firstShown?: FirstShown): Promise<AssembledContext>;
  /** This chat's own. */
  readonly mentalModels: ChatMentalModels;
  /** About documents that cannot be read. `take` gives each warning once. */
  readonly unreadWarnings: { take(): string[]; end(): void };
  /** Not acknowledged by a person, oldest first. */
  incidents(): readonly Incident[];
  /** What this chat may know, the best first. */
  recall(
    query: string,
    options: SearchOptions & { readonly scopes?: readonly string[] },
  ): Promise<readonly SearchHit[]>;
  /** A text with every key that is known replaced: those of the environment and of keys.yaml. */
  withoutKeys(text: string): string;
  /** On the files and programs of this machine. */
  tools(): readonly Tool[];
  memoryTools(options: MemoryToolsOptions): readonly MemoryTool[];
  skills(): readonly Skill[];
  /** Writes a file that is not there yet, in the working directory; returns its path. Throws `exists`, `io`. */
  writeNew(name: string, text: string): string;
}
