/**
 * The directory `learning` of the home workspace: stored answers that are not applied yet, the ledger, workspaces with pending turns,
 * and what the chat has already shown. All of it is derived: without it, learning starts from the sessions.
 */
import { join } from "node:path";
import { Lease, type LeaseOptions } from "../../backends/spool/lease.ts";
import { Pause } from "../../backends/spool/pause.ts";
import { ioError } from "../../core/errors.ts";
import type { Usage } from "../../core/model.ts";
import type { Learned } from "../../facts/learn/answer.ts";
import { backoff } from "../../util/backoff.ts";
import {
  ensureDirectory,
  entriesIfThere,
  fsyncDirectory,
  readIfThere,
  removeIfThere,
  writeFileAtomic,
} from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";
import { isRecord, parseJson } from "../../util/json.ts";
import { decodeUtf8 } from "../../util/text.ts";
import { LearningLedger } from "./ledger.ts";

/** A checked answer about a batch that is not applied yet. */
export interface StoredAnswer {
  readonly root: string;
  readonly session: string;
  readonly from: number;
  readonly to: number;
  readonly turns: number;
  readonly model: string;
  readonly at: string;
  readonly usage: Usage;
  readonly cost: number | null;
  readonly learned: Learned;
  /** Ids of the known facts that the model was shown. */
  readonly seen: readonly string[];
}

export interface LearningWorkspace {
  /** Its file name. */
  readonly name: string;
  readonly root: string;
  readonly cwd: string;
}

const ANSWER = /^answer-.*\.json$/;
/** Earlier versions wrote this name, so it stays. */
const WORKSPACE = /^place-.*\.json$/;

export class LearningFiles {
  readonly directory: string;
  readonly ledger: LearningLedger;
  /** The pause after a failed call of the model. */
  readonly pause: Pause;

  constructor(home: string) {
    this.directory = join(home, "learning");
    this.ledger = new LearningLedger(join(this.directory, "ledger.jsonl"));
    this.pause = new Pause(this.directory);
  }

  /** Only one process learns at a time. */
  lease(options: LeaseOptions): Lease {
    return new Lease(this.directory, options);
  }

  /** The pause for one session whose answers were unusable. */
  pauseOf(root: string, session: string): Pause {
    return new Pause(join(this.directory, "failed", `${tagOf(root)}-${session}`));
  }

  /** ISO 8601: earlier turns are not read. null until learning was first switched on. */
  get since(): string | null {
    const text = this.#read("since")?.trim() ?? "";
    return Number.isNaN(Date.parse(text)) ? null : text;
  }

  set since(time: string) {
    this.#write("since", `${time}\n`);
  }

  /** Whether the user was asked if a model may read conversations. */
  get offered(): boolean {
    return this.#read("offered") !== null;
  }

  setOffered(): void {
    this.#write("offered", "");
  }

  answers(root: string): StoredAnswer[] {
    return this.#names(ANSWER)
      .map((name) => parseJson(this.#read(name) ?? ""))
      .filter(
        (value): value is StoredAnswer => isRecord(value) && value.root === root && isRecord(value.learned),
      );
  }

  storeAnswer(answer: StoredAnswer): void {
    this.#write(answerName(answer), `${JSON.stringify(answer)}\n`);
  }

  removeAnswer(answer: StoredAnswer): void {
    removeIfThere(join(this.directory, answerName(answer)));
  }

  /** Workspaces where turns may be pending, each with a working directory that selects it. */
  workspaces(): LearningWorkspace[] {
    return this.#names(WORKSPACE).flatMap((name) => {
      const value = parseJson(this.#read(name) ?? "");
      if (!isRecord(value)) return [];
      const { root, cwd } = value;
      return typeof root === "string" && typeof cwd === "string" ? [{ name, root, cwd }] : [];
    });
  }

  /** Writes a new file each time, so that removing processed ones never removes one added meanwhile. */
  addWorkspace(root: string, cwd: string): void {
    this.#write(`place-${crypto.randomUUID()}.json`, `${JSON.stringify({ root, cwd })}\n`);
  }

  removeWorkspace({ name }: LearningWorkspace): void {
    removeIfThere(join(this.directory, name));
  }

  /** The ledger's lines about this workspace that no chat has shown yet. */
  unshown(root: string) {
    const shown = Number(this.#read(`shown-${tagOf(root)}`) ?? 0) || 0;
    const lines = this.ledger.lines().filter((line) => line.root === root);
    return {
      lines: lines.slice(shown),
      done: () => this.#write(`shown-${tagOf(root)}`, `${lines.length}\n`),
    };
  }

  #names(name: RegExp): string[] {
    return entriesIfThere(this.directory)
      .map((entry) => entry.name)
      .filter((one) => name.test(one))
      .sort();
  }

  /** Throws `io`. */
  #read(name: string): string | null {
    const path = join(this.directory, name);
    try {
      const bytes = readIfThere(path);
      return bytes === null ? null : decodeUtf8(bytes);
    } catch (error) {
      throw ioError(error, `Cannot read ${path}`);
    }
  }

  /** Adds a .gitignore: people keep their home workspace in git, but these files belong to one machine. Throws `io`. */
  #write(name: string, text: string): void {
    const path = join(this.directory, name);
    try {
      ensureDirectory(this.directory);
      if (readIfThere(join(this.directory, IGNORED)) === null)
        writeFileAtomic(join(this.directory, IGNORED), "*\n");
      writeFileAtomic(path, text);
      fsyncDirectory(this.directory);
    } catch (error) {
      throw ioError(error, `Cannot write ${path}`);
    }
  }
}

const IGNORED = ".gitignore";

/** Each attempt may cost money: retry after a minute, then twice as long each time, up to a day. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 24 * 3_600_000;

/** Delays the next attempt. */
export function putOff(pause: Pause, why: string, now: Date): void {
  const attempts = (pause.failure?.attempts ?? 0) + 1;
  pause.failed(why, now, backoff(attempts, FIRST_WAIT_MS, LONGEST_WAIT_MS));
}

/** Names a batch. */
export function batchId({ root, session, from, to }: Pick<StoredAnswer, "root" | "session" | "from" | "to">) {
  return `${tagOf(root)}-${session}-${from}-${to}`;
}

function answerName(answer: StoredAnswer): string {
  return `answer-${batchId(answer)}.json`;
}

function tagOf(root: string): string {
  return sha256(root).slice(0, 8);
}
