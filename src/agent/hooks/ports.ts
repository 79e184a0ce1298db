/** What a hook needs: one workspace's memory, and its time limit. */
import type { Settings } from "../../config/schema.ts";
import type { FirstShown, RecalledMemory } from "../../context/ports.ts";
import type { Audience } from "../../core/memory.ts";
import type { Clock } from "../../core/ports/documents.ts";
import type { Activity } from "../../core/sessions/activity.ts";
import type { Message } from "../../core/sessions/conversation.ts";
import type { Facts } from "../../facts/facts.ts";
import type { AutoRetain } from "../ports.ts";

/** A memory found for a prompt, and how relevant it is. */
export interface FoundMemory extends RecalledMemory {
  /** Recall's scores: keyword match, and similarity of meaning; null if that was not computed. */
  readonly words: number;
  readonly meaning: number | null;
  /** Found only by fuzzy spelling. */
  readonly guessed: boolean;
}

export interface HookMemory {
  /** The workspace's directory. */
  readonly root: string;
  readonly audience: Audience;
  /** The chat of sessions that belong to no other. */
  readonly chat: string;
  readonly settings: Settings;
  /** Memory is switched off. */
  readonly isOff: boolean;
  /** Why nothing can be stored ("the disk is read-only"), or null. */
  readonly unwritable: string | null;
  readonly facts: Pick<Facts, "writeTurns" | "writeMarks" | "ingest">;
  /**
   * The context as Markdown, without instructions, within `budget` tokens; "" if empty. `shown` as in a context. `cwdOf` returns the
   * directory that a session began in, if known: outside projects, only sessions of this directory are shown.
   */
  known(options: {
    readonly session: string;
    readonly cwdOf: (session: string) => string | null;
    readonly budget: number;
    readonly shown: FirstShown;
  }): Promise<string>;
  /** Indexes memory files in the background, if `known` read them without the index. */
  indexLater(): Promise<void>;
  /** Best first. By keyword only if the search by meaning takes longer than `patience` (ms). */
  find(query: string, patience: number): Promise<readonly FoundMemory[]>;
  /** Counts recalled memories. A lost count does no harm. */
  count(recalled: readonly RecalledMemory[]): Promise<void>;
  /** A stored conversation, oldest message first; empty if there is none. */
  messages(session: string): readonly Message[];
  /** Adds to what a stored conversation did. Does nothing if it is not stored. Throws if it cannot be written. */
  addActivity(session: string, activity: Activity): Promise<void>;
  /** Sends turns to a server; null if they are stored on this machine. */
  readonly keepEpisode: AutoRetain["keep"];
  /** Sends pending items, for at most `ms`. */
  flush(ms: number): Promise<void>;
  /** Starts a background process in which a model learns from the turns that are due. */
  learn(): Promise<void>;
  /** Embeds new memories within a short time limit; the rest is found by keyword. */
  embed(): Promise<void>;
  close(): void;
}

export interface HookPorts {
  /** The home workspace's directory. */
  readonly home: string;
  readonly cwd: string;
  /** Rejects as opening a Retain throws. */
  open(cwd: string): Promise<HookMemory>;
  readonly clock: Clock;
  /** The time left for this hook, in ms. */
  left(): number;
  /** This process's name for locks, and whether the process of another name has ended. */
  readonly self: string;
  readonly isGone: (holder: string) => boolean;
}
