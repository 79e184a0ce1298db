/**
 * How far a session's transcript has been processed: one record per session, all in one file of the home workspace, written after
 * the turns are stored. If a hook dies in between, the next one repeats the step, which changes nothing: turns are identified by
 * number, marks by text. A record contains messages only as hashes, but file names and command lines of sub-agents in full until
 * they are stored.
 */
import { join } from "node:path";
import { KeyedTexts } from "../../sqlite/keyed-texts.ts";
import { DAY_MS } from "../../util/days.ts";
import { entriesIfThere, removeIfThere } from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";
import { parseJson } from "../../util/json.ts";
import { sleep } from "../../util/sleep.ts";
import * as z from "../../util/zod.ts";
import { PendingActivity } from "./pending-activity.ts";
import { AT_THE_START } from "./transcript-file.ts";

const talk = () => z.object({ isMuted: z.boolean(), isIdle: z.boolean(), isAsked: z.boolean() });
const bookmark = () =>
  z.object({ offset: z.int().check(z.minimum(0)), beginning: z.string(), talk: z.optional(talk()) });
const count = () => z.int().check(z.minimum(0));
const choice = () => z.object({ ids: z.array(z.string()), of: count() });

const shape = () =>
  z.object({
    version: z.literal(1),
    /** The directory the session began in, which decides whose memory it uses, and the workspace that got its turns. */
    cwd: z.string(),
    root: z.string(),
    /** Earlier turns belong to another session. "" if there are none. */
    since: z.string(),
    /** The positions up to which turns are stored, and up to which they have been read. */
    kept: bookmark(),
    seen: bookmark(),
    /** How many turns are stored. */
    turns: count(),
    /** How many of a person's messages are read but not stored. */
    prompts: count(),
    /** The newest stored lines, in case the transcript is rewritten. */
    lines: z.array(z.string()),
    /** Replies that were stored before the transcript contained them. */
    ahead: z.array(z.string()),
    /** The last context added. */
    given: z.string(),
    /** `shown` in memory; earlier versions read and write this name. */
    told: z.array(z.string()),
    /** The facts chosen from each MEMORY.md that is too large for a context, by origin and path. */
    facts: z.optional(z.record(z.string(), choice())),
  });

type StoredProgress = z.infer<ReturnType<typeof shape>>;

export interface Progress extends Omit<StoredProgress, "told"> {
  /** Names of the memories and lines that this session has been shown. */
  readonly shown: string[];
}

const MOST_LINES = 2_000;
const MOST_AHEAD = 20;
const MOST_SHOWN = 500;
const MOST_SESSIONS = 300;
const KEPT_DAYS = 60;

export function newProgress(cwd: string): Progress {
  return {
    ...{ version: 1, cwd, root: "", since: "", kept: AT_THE_START, seen: AT_THE_START },
    ...{ turns: 0, prompts: 0, lines: [], ahead: [], given: "", shown: [] },
  };
}

/** Short, but unique enough within a session. */
export function tag(text: string): string {
  return sha256(text.trim()).slice(0, 12);
}

interface LockRequest {
  /** This process's name in the lock. */
  readonly self: string;
  readonly isGone: (holder: string) => boolean;
  /** How long to wait for the lock, in ms. */
  readonly patience: number;
}

const STATE_FILE = "hooks.db";
/** Earlier versions kept a file per session here. */
const EARLIER_DIRECTORY = "hooks";

export class ProgressStore {
  readonly #records: KeyedTexts;

  constructor(private readonly home: string) {
    this.#records = new KeyedTexts(join(home, STATE_FILE));
  }

  /** null if it is missing or invalid. */
  read(session: string): Progress | null {
    return parsed(this.#records.read(session));
  }

  /** Fields not in `change` keep their current values. Throws if the record cannot be written. */
  change(session: string, before: Progress, change: Partial<Progress>, now = new Date()): Progress {
    let changed = before;
    this.#records.change(session, now, (text) => {
      changed = bounded({ ...(parsed(text) ?? before), ...change });
      return serialized(changed);
    });
    return changed;
  }

  pending(session: string): PendingActivity {
    return new PendingActivity(this.#records, session);
  }

  /**
   * Runs `work` while no other hook of this session runs; null if one still does after `patience`. Takes over the lock of a process
   * that has ended.
   */
  async withSessionLock<T>(
    session: string,
    { self, isGone, patience }: LockRequest,
    work: () => Promise<T>,
  ): Promise<T | null> {
    const until = performance.now() + patience;
    while (!this.#records.take(session, self, isGone)) {
      if (performance.now() > until) return null;
      await sleep(10);
    }
    try {
      return await work();
    } finally {
      this.#records.release(session, self);
    }
  }

  /** Removes sessions that have been inactive for long, and the oldest if there are too many. */
  removeOld(now: Date): void {
    this.#records.prune(new Date(now.getTime() - KEPT_DAYS * DAY_MS), MOST_SESSIONS);
    const earlier = join(this.home, EARLIER_DIRECTORY);
    for (const { name } of entriesIfThere(earlier))
      if (/\.(?:json|lock)$/.test(name)) removeIfThere(join(earlier, name));
  }
}

let schema: ReturnType<typeof shape> | null = null;

/** Builds the schema on first use: a new session has no record. */
function parsed(text: string | null): Progress | null {
  if (text === null) return null;
  schema ??= shape();
  const stored = schema.safeParse(parseJson(text)).data;
  if (stored === undefined) return null;
  const { told: shown, ...rest } = stored;
  return { ...rest, shown };
}

function serialized({ shown: told, ...rest }: Progress): string {
  const stored: StoredProgress = { ...rest, told };
  return JSON.stringify(stored);
}

function bounded(progress: Progress): Progress {
  return {
    ...progress,
    lines: progress.lines.slice(-MOST_LINES),
    ahead: progress.ahead.slice(-MOST_AHEAD),
    shown: progress.shown.slice(-MOST_SHOWN),
  };
}
