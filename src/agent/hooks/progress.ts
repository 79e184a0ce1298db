/**
 * How far a session's transcript was looked through: a small file for each session in the home workspace, written after what it
 * tells of is stored. Whoever dies in between has what follows done once more, which changes nothing: turns are known by their
 * number, and marks by what they say. Texts are in it as hashes alone.
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
    /** Where the session began, which decides whose memory it is, and the workspace that its turns went to. */
    cwd: z.string(),
    root: z.string(),
    /** What was said before is another session's. "" for none. */
    since: z.string(),
    /** Up to where turns are kept, and up to where they were looked at. */
    kept: bookmark(),
    seen: bookmark(),
    /** How many turns are stored. */
    turns: count(),
    /** How many of a person's messages are seen and not kept. */
    prompts: count(),
    /** The newest lines that were kept, for a file that is written anew. */
    lines: z.array(z.string()),
    /** Replies that were kept before the transcript had them. */
    ahead: z.array(z.string()),
    /** The context that was given last, and what was recalled since. */
    given: z.string(),
    told: z.array(z.string()),
    /** Which facts of each MEMORY.md that does not fit into a context, by place and path. */
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

/** Short, and enough to tell texts of one session apart. */
export function tag(text: string): string {
  return sha256(text.trim()).slice(0, 12);
}

export interface Turnstile {
  /** As the lock names its holder. */
  readonly self: string;
  readonly isGone: (holder: string) => boolean;
  /** In ms. */
  readonly patience: number;
}

/** The name is there with all that it says, or not at all. It need not outlive the machine, so nothing is flushed. */
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

  /** null where there is none, or what is there makes no sense. */
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

  /** What is not named stays as it is by then. Throws where nothing can be written. */
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
   * Does the work while no other hook of this session does any; null where one still does after `patience`. The lock of a process
   * that is gone is nobody's.
   */
  async alone<T>(
    session: string,
    { self, isGone, patience }: Turnstile,
    work: () => Promise<T>,
  ): Promise<T | null> {
    ensureDirectory(this.#directory);
    const lock = join(this.#directory, `${session}.lock`);
    for (const until = performance.now() + patience; !took(lock, self); await Bun.sleep(10)) {
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

  /** Of sessions that nobody has gone on with for long. */
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
