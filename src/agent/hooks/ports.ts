/** What a hook works with: one workspace's memory, and the moment. */
import type { Settings } from "../../config/schema.ts";
import type { FirstShown, RecalledMemory } from "../../context/ports.ts";
import type { Clock } from "../../core/ports/documents.ts";
import type { Message } from "../../core/sessions/conversation.ts";
import type { Facts } from "../../facts/facts.ts";
import type { AutoRetain } from "../ports.ts";

/** A memory that a prompt brings up, and how much it has to do with it. */
export interface FoundMemory extends RecalledMemory {
  /** As recall weighs them: how well its words match, and how near its meaning is; null where that was not asked. */
  readonly words: number;
  readonly meaning: number | null;
  /** Found only by a word that looks like one of the prompt's. */
  readonly guessed: boolean;
}

export interface HookMemory {
  /** The workspace's directory. */
  readonly root: string;
  /** Whose memory it is, where a session belongs to no other. */
  readonly chat: string;
  readonly settings: Settings;
  /** Nothing is kept nor given. */
  readonly isOff: boolean;
  readonly facts: Pick<Facts, "writeTurns" | "writeMarks" | "ingest">;
  /** What is known, as Markdown without instructions and within so many tokens; "" where nothing is. `shown` as in a context. */
  known(options: {
    readonly session: string;
    readonly budget: number;
    readonly shown: FirstShown;
  }): Promise<string>;
  /** The best first. By words alone where meaning takes longer than `patience` (ms). */
  find(query: string, patience: number): Promise<readonly FoundMemory[]>;
  /** Told what was recalled. Losing a count is no harm. */
  count(recalled: readonly RecalledMemory[]): Promise<void>;
  /** A stored conversation, the oldest message first; empty where there is none. */
  messages(session: string): readonly Message[];
  /** Where turns go that are kept elsewhere; null where this machine keeps them. */
  readonly keepEpisode: AutoRetain["keep"];
  /** Sends what waits, for so long at most. */
  flush(ms: number): Promise<void>;
  /** Lets a model read the turns that are due, in the background. */
  learn(): Promise<void>;
  /** Gives new memories their vectors, as far as a moment allows; the rest is found by words. */
  embed(): Promise<void>;
  close(): void;
}

export interface HookPorts {
  /** The home workspace's directory. */
  readonly home: string;
  readonly cwd: string;
  /** Throws as opening a Retain does. */
  open(cwd: string): HookMemory;
  readonly clock: Clock;
  /** How long this hook may still take, in ms. */
  left(): number;
  /** As other processes may name this one, and whether such a one has ended. */
  readonly self: string;
  readonly isGone: (holder: string) => boolean;
}
