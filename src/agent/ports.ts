/** What a chat needs from memory, models and the machine. Wired in app/. */
import type { Settings } from "../config/schema.ts";
import type { ContextOptions } from "../context/assemble.ts";
import type { AssembledContext } from "../context/parts.ts";
import type { FirstShown } from "../context/ports.ts";
import type { Hint } from "../core/hint.ts";
import type { Incident } from "../core/incidents.ts";
import type { ChatModel } from "../core/model.ts";
import type { Delivery, Episode } from "../core/ports/backend.ts";
import type { Clock } from "../core/ports/documents.ts";
import type { SessionStore } from "../core/ports/sessions.ts";
import type { Facts } from "../facts/facts.ts";
import type { ScopedOptions, SearchHit } from "../recall/search.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Attachments } from "./attachments/attachments.ts";
import type { LedgerLine } from "./learn/ledger.ts";
import type { MemoryTool } from "./memory-tool.ts";
import type { DocumentVerbs, MemoryToolsOptions } from "./memory-tools/ports.ts";
import type { ChatMentalModels } from "./mental-models/in-chat.ts";
import type { SetupState } from "./setup-question.ts";
import type { Skill } from "./skills/skills.ts";
import type { Tool } from "./tool.ts";

export interface ModelOffer {
  readonly name: string;
  /** "ANTHROPIC_API_KEY is set", "Ollama, on this machine". */
  readonly detail: string;
  /** In dollars per million tokens; null if unknown. */
  readonly price: { readonly input: number; readonly output: number } | null;
  readonly contextTokens: number;
}

/** A model or provider that doesn't work yet. */
export interface MissingModel {
  readonly name: string;
  /** "OPENAI_API_KEY", "a running Ollama". */
  readonly needs: string;
}

export interface Models {
  /** null if no model is configured. Throws `usage` or `invalid_config` for an invalid name or a missing key. */
  open(name?: string): Promise<ChatModel | null>;
  /** One sentence on how to get a model. */
  readonly howToGetOne: Hint;
  /** Makes it the default in the home config. Throws `usage`, `io`. */
  use(name: string): Promise<void>;
  /** Models that would work right now, including those of a local Ollama. */
  offers(): Promise<readonly ModelOffer[]>;
  /** Like `offers`, with those of other local servers; and what the other providers need. */
  catalog(): Promise<{ readonly ready: readonly ModelOffer[]; readonly missing: readonly MissingModel[] }>;
}

/** How finished turns are saved automatically. */
export interface AutoRetain {
  readonly enabled: boolean;
  readonly everyTurns: number;
  /** In window mode: how many earlier turns are sent along with the new ones. */
  readonly overlapTurns: number;
  /** Whether each episode holds the whole conversation or only the last turns. */
  readonly mode: "full-session" | "window";
  /** Whether to save requests to remember something. A backend on a server finds them itself. */
  readonly requests: boolean;
  /** Sends turns to a backend on a server; null if memory is local. */
  readonly keep: ((episode: Episode) => Promise<Delivery>) | null;
}

/** The parts of learning that a chat uses. */
export interface LearningPorts {
  /** The model that reads finished conversations, if any. */
  readonly model: string | null;
  /** Whether the user still has to be asked if a model may read conversations. */
  isOffered(): boolean;
  setOffered(): void;
  /** The model reads messages from `since` (ISO 8601) on, by default from now; null: no model reads them. Throws `usage`, `io`. */
  use(model: string | null, since?: string): Promise<void>;
  /** After how many turns they are read. */
  readonly everyTurns: number;
  /** Dollars. */
  readonly dailyLimit: number;
  /** Starts the worker if turns are due. */
  wake(): void;
  /** What was learned and not shown by a chat yet; `done` marks it as shown. */
  unshown(): { readonly lines: readonly Pick<LedgerLine, "kept" | "replaced" | "ended">[]; done(): void };
}

export interface ChatPorts {
  /** Where this chat's sessions are stored. */
  readonly store: SessionStore;
  readonly origin: "project" | "home";
  readonly sessions: Sessions;
  readonly facts: Facts;
  readonly documents: Pick<DocumentVerbs, "get" | "versions" | "restore">;
  /** Memory is switched off: nothing is recalled or saved automatically. */
  readonly isOff: boolean;
  readonly autoRetain: AutoRetain;
  readonly learning: LearningPorts;
  readonly setup: SetupState;
  /** What changed about the server that stores memory: an outage, or its end; null if nothing did. */
  serverNews(): Promise<{ readonly level: "info" | "warning"; readonly text: string } | null>;
  /** Sends what is queued for a bank on a server, in the background. */
  turnEnded(): void;
  readonly models: Models;
  readonly settings: Pick<Settings, "context_budget" | "incognito">;
  /** The default chat. */
  readonly chat: string;
  readonly clock: Clock;
  readonly cwd: string;
  /** This process's `processName`. */
  readonly self: string;
  /** Whether the process of this name has ended. */
  isGone(holder: string): boolean;
  /** `firstShown` remembers what a conversation was shown first, and records what it is shown now. */
  context(options: ContextOptions, firstShown?: FirstShown): Promise<AssembledContext>;
  /** The mental models of this chat. */
  readonly mentalModels: ChatMentalModels;
  /** Warnings about unreadable documents. `take` returns each one once. */
  readonly unreadWarnings: { take(): string[]; end(): void };
  /** Unacknowledged incidents, oldest first. */
  incidents(): readonly Incident[];
  /** Hits that this chat may see, best first. */
  recall(query: string, options: ScopedOptions): Promise<readonly SearchHit[]>;
  /** Counts hits as recalled. */
  countRecalls(hits: readonly SearchHit[]): Promise<void>;
  /** Redacts every known key: those from the environment and from keys.yaml. */
  withoutKeys(text: string): string;
  /** The files that a message refers to. Throws `unsafe` if one may not be attached. */
  attachments(text: string): Attachments;
  /** File and command tools. */
  tools(): readonly Tool[];
  memoryTools(options: MemoryToolsOptions): readonly MemoryTool[];
  skills(): readonly Skill[];
  /** Creates a file in the working directory; returns its path. Throws `exists`, `io`. */
  writeNew(name: string, text: string): string;
}
