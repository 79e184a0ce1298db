/**
 * How far a session's transcript has been processed: a small file per session in the home workspace, written after the turns are
 * stored. If a hook dies in between, the next one repeats the step, which changes nothing: turns are identified by number, marks
 * by text. The file contains texts only as hashes.
 */
import { linkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ensureDirectory,
  entriesIfThere,
  errorCode,
  readIfThere,
  removeIfThere,
  writeFileAtomic,
} from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";
import { sleep } from "../../util/sleep.ts";
import { decodeUtf8 } from "../../util/text.ts";
import * as z from "../../util/zod.ts";
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
    /** The last context added, and what has been recalled since. */
    given: z.string(),
    told: z.array(z.string()),
    /** The facts chosen from each MEMORY.md that is too large for a context, by origin and path. */
    facts: z.optional(z.record(z.string(), choice())),
  });

export type Progress = z.infer<ReturnType<typeof shape>>;

const MOST_LINES = 2_000;
const MOST_AHEAD = 20;
const MOST_TOLD = 500;
const MOST_FILES = 200;
const KEPT_DAYS = 60;
const DAY_MS = 86_400_000;

export function newProgress(cwd: string): Progress {
  return {
    ...{ version: 1, cwd, root: "", since: "", kept: AT_THE_START, seen: AT_THE_START },
    ...{ turns: 0, prompts: 0, lines: [], ahead: [], given: "", told: [] },
  };
}

/** Short, but unique enough within a session. */
export function tag(text: string): string {
  return sha256(text.trim()).slice(0, 12);
}

interface Turnstile {
  /** This process's name in the lock. */
  readonly self: string;
  readonly isGone: (holder: string) => boolean;
  /** In ms. */
  readonly patience: number;
}

/** Creates the lock atomically, with its content. It need not survive a reboot, so nothing is flushed. */
function took(lock: string, self: string): boolean {
  const draft = `${lock}.${process.pid}`;
  try {
    writeFileSync(draft, self, { mode: 0o600 });
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    removeIfThere(draft);
  }
}

export class ProgressFiles {
  readonly #directory: string;

  constructor(home: string) {
    this.#directory = join(home, "hooks");
  }

  /** null if it is missing or invalid. */
  read(session: string): Progress | null {
    try {
      const bytes = readIfThere(this.#path(session));
      const text = bytes === null ? null : decodeUtf8(bytes);
      if (text === null) return null;
      return shape().safeParse(JSON.parse(text)).data ?? null;
    } catch {
      return null;
    }
  }

  /** Fields not in `change` keep their current values. Throws if the file cannot be written. */
  change(session: string, before: Progress, change: Partial<Progress>): Progress {
    ensureDirectory(this.#directory);
    const progress = { ...(this.read(session) ?? before), ...change };
    const bounded = {
      ...progress,
      lines: progress.lines.slice(-MOST_LINES),
      ahead: progress.ahead.slice(-MOST_AHEAD),
      told: progress.told.slice(-MOST_TOLD),
    };
    writeFileAtomic(this.#path(session), `${JSON.stringify(bounded)}\n`);
    return bounded;
  }

  /**
   * Runs `work` while no other hook of this session runs; null if one still does after `patience`. Takes over the lock of a process
   * that has ended.
   */
  async alone<T>(
    session: string,
    { self, isGone, patience }: Turnstile,
    work: () => Promise<T>,
  ): Promise<T | null> {
    ensureDirectory(this.#directory);
    const lock = join(this.#directory, `${session}.lock`);
    for (const until = performance.now() + patience; !took(lock, self); await sleep(10)) {
      const holder = decodeUtf8(readIfThere(lock) ?? new Uint8Array());
      if (holder !== null && holder !== "" && isGone(holder)) removeIfThere(lock);
      else if (performance.now() > until) return null;
    }
    try {
      return await work();
    } finally {
      removeIfThere(lock);
    }
  }

  /** Removes the files of sessions that have been inactive for long. */
  removeOld(now: Date): void {
    const files = entriesIfThere(this.#directory).filter((entry) => entry.isFile());
    if (files.length <= MOST_FILES) return;
    for (const { name } of files) {
      const path = join(this.#directory, name);
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: now.getTime() };
      if (now.getTime() - mtimeMs > KEPT_DAYS * DAY_MS) removeIfThere(path);
    }
  }

  #path(session: string): string {
    return join(this.#directory, `${session}.json`);
  }
}
