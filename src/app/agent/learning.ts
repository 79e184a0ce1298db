/** Learning with a model, for one Retain. */
import { hostname } from "node:os";
import { LearningFiles } from "../../agent/learn/files.ts";
import { type LearnPorts, type LearnRun, learn, type Pending, pendingIn } from "../../agent/learn/learn.ts";
import { type Spent, spentOn, spentSince } from "../../agent/learn/ledger.ts";
import type { LearningPorts } from "../../agent/ports.ts";
import type { Config } from "../../config/load.ts";
import type { Settings } from "../../config/schema.ts";
import type { Choice, Surroundings } from "../../config/workspace.ts";
import { ioError, RetainError } from "../../core/errors.ts";
import { command, hint } from "../../core/hint.ts";
import type { Clock } from "../../core/ports/documents.ts";
import type { Facts } from "../../facts/facts.ts";
import { localDay } from "../../util/days.ts";
import { hasEnded, processName } from "../../util/process.ts";
import { sleep } from "../../util/sleep.ts";
import type { Wiring } from "../wiring.ts";
import { startInBackground } from "./background.ts";
import { openModels } from "./models.ts";
import { learningModel, useForLearning } from "./use-for-learning.ts";

export interface LearningParts {
  wiring(): Wiring;
  readonly facts: Facts;
  readonly clock: Clock;
  readonly config: Config;
  readonly settingsNow: () => Settings;
  readonly choice: Choice;
  readonly surroundings: Surroundings;
}

export interface LearningStatus {
  /** null if learning is off. */
  readonly model: string | null;
  readonly pending: { readonly turns: number; readonly sessions: number };
  readonly today: Spent;
  /** In dollars per day. */
  readonly limit: number;
  readonly limit_reached: boolean;
  readonly failure: { readonly at: string; readonly problem: string } | null;
}

export interface RunOptions {
  /** Also read conversations from before learning was turned on. */
  readonly all?: boolean;
  readonly signal?: AbortSignal;
}

/** How often to check whether the learning process is done. */
const LOOK_AGAIN_MS = 100;

export class Learning {
  readonly #files: LearningFiles;
  readonly #ports: LearnPorts;
  /** The model chosen after the settings were loaded. */
  #chosen: string | null | undefined;

  constructor(private readonly parts: LearningParts) {
    const { choice, config, clock, wiring } = parts;
    this.#files = new LearningFiles(choice.home.root);
    const host = hostname();
    this.#ports = {
      files: this.#files,
      root: choice.workspace.root,
      workspaces: () => wiring().factWorkspaces(),
      settings: config.settings,
      clock,
      isGone: (holder) => hasEnded(holder, host),
      model: async () => {
        this.#checkWritable();
        const { model: name } = this;
        const model = name === null ? null : await openModels(parts, "machine").open(name);
        if (model !== null) return model;
        throw new RetainError("invalid_config", "Learning is off: no model is set.", HOW_TO);
      },
    };
  }

  /** The model that reads conversations, if any. */
  get model(): string | null {
    const { remote, isOff, local } = this.parts.wiring();
    const isHere = remote === null && !isOff && local.sessions.unwritable === null;
    if (!isHere) return null;
    return this.#chosen === undefined ? learningModel(this.parts.config.settings) : this.#chosen;
  }

  /** Reads all pending turns of this workspace now; waits while another process learns. Throws `usage`, `io`, `locked`. */
  async run({ all = false, signal = new AbortController().signal }: RunOptions = {}): Promise<LearnRun> {
    this.#checkWritable();
    if (this.model === null) throw new RetainError("usage", "Learning is off: no model is set.", HOW_TO);
    const lease = this.#lease();
    try {
      while (!lease.take()) {
        if (signal.aborted) return { batches: [], stopped: "Stopped." };
        await sleep(LOOK_AGAIN_MS);
      }
      if (all) this.#files.since = new Date(0).toISOString();
      return await learn(this.#ports, { now: true, signal, renew: () => lease.renew() });
    } catch (error) {
      const failure = ioError(error, `Cannot write to ${this.#files.directory}`);
      if (!(failure instanceof RetainError) || failure.code !== "io") throw failure;
      throw new RetainError("io", failure.message, UNFINISHED);
    } finally {
      lease.giveBack();
    }
  }

  /** Conversations may be readable while facts can't be written, so checks that first. Throws `io`. */
  #checkWritable(): void {
    const { remote, isOff, local } = this.parts.wiring();
    if (remote !== null || isOff) return;
    const { unwritable } = local.sessions;
    if (unwritable !== null) throw new RetainError("io", `Cannot save facts: ${unwritable}.`);
  }

  /** Reads due turns, in a worker that holds this lease. null if learning is off. */
  async runDue(renew: () => boolean): Promise<LearnRun | null> {
    if (this.model === null) return null;
    return learn(this.#ports, { now: false, signal: new AbortController().signal, renew });
  }

  #lease() {
    const { isGone, clock } = this.#ports;
    return this.#files.lease({ clock, self: processName(hostname(), process.pid), isGone });
  }

  pending(): Pending[] {
    return this.model === null ? [] : pendingIn(this.#ports);
  }

  status(): LearningStatus {
    const { config, clock } = this.parts;
    const pending = this.pending();
    const today = spentOn(localDay(clock().toISOString()), this.#files.ledger.lines());
    const limit = config.settings.learning_daily_limit;
    const failures = [
      this.#files.pause.failure,
      ...pending.map(({ session }) => this.#files.pauseOf(this.#ports.root, session).failure),
    ].filter((failure) => failure !== null);
    const last = failures.toSorted((a, b) => b.failedAt.localeCompare(a.failedAt))[0];
    return {
      model: this.model,
      pending: { turns: pending.reduce((sum, { turns }) => sum + turns, 0), sessions: pending.length },
      today,
      limit,
      limit_reached: this.model !== null && today.cost >= limit,
      failure: last === undefined ? null : { at: last.failedAt, problem: last.problem },
    };
  }

  /** What learning did and cost from this day on ("2026-11-15"), in all workspaces. */
  spentSince(day: string): Spent {
    return spentSince(day, this.#files.ledger.lines());
  }

  /** Starts the worker if turns are due. It outlives this process. If it cannot start, the turns stay pending. */
  wake(): void {
    try {
      if (this.model === null || !this.pending().some(({ isDue }) => isDue)) return;
      this.#files.addWorkspace(this.#ports.root, this.parts.surroundings.cwd);
    } catch (error) {
      if (error instanceof RetainError) return;
      throw error;
    }
    const { root: home } = this.parts.choice.home;
    startInBackground(["learn", "--worker"], this.parts.surroundings, { cwd: home, home });
  }

  /** Sets the learning model; null turns learning off. It reads turns from `since` (ISO 8601; default: now) on. Throws `usage`. */
  async use(name: string | null, since = this.parts.clock().toISOString()): Promise<void> {
    const { choice, config } = this.parts;
    this.#chosen = await useForLearning(choice.home, config.settings, name, since);
  }

  /** For the chat. */
  ports(): LearningPorts {
    const files = this.#files;
    const { parts } = this;
    const { settings } = parts.config;
    const isHere = parts.wiring().remote === null && !parts.wiring().isOff;
    const current = () => this.model;
    return {
      get model() {
        return current();
      },
      // Does not ask a user who has already decided.
      isOffered: () =>
        isHere &&
        this.#chosen === undefined &&
        settings.learning_model === "" &&
        settings.local_auto_retain &&
        !files.offered,
      setOffered: () => files.setOffered(),
      use: (name, since) => this.use(name, since),
      everyTurns: settings.local_retain_every_n_turns,
      dailyLimit: settings.learning_daily_limit,
      wake: () => this.wake(),
      unshown: () => files.unshown(this.#ports.root),
    };
  }
}

const UNFINISHED = hint`Facts found so far may be saved. Check the disk, then continue: ${command("learn")}`;
const HOW_TO = hint`Set one: ${command("model learning", "anthropic/claude-haiku-4-5")}`;
