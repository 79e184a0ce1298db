/**
 * Learning: a model that the user chose reads finished turns and reports facts. Pending turns are derived from the sessions. Each
 * batch goes through these steps in order, so that a kill at any point loses nothing and asks nothing twice:
 *
 *   1. The model answers, and its answer is checked.
 *   2. The checked answer is stored, durably.
 *   3. Facts are written. Repeating this changes nothing.
 *   4. The ledger gets its line, the session its mark, and the stored answer is removed.
 */
import type { Settings } from "../../config/schema.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import type { ChatModel } from "../../core/model.ts";
import type { Clock } from "../../core/ports/documents.ts";
import { applyLearned } from "../../facts/learn/apply.ts";
import {
  areDue,
  type Batch,
  learnedMark,
  learnedTo,
  nextBatch,
  saysAnything,
  unreadIn,
} from "../../facts/learn/batch.ts";
import { knownNear } from "../../facts/learn/known.ts";
import type { FactWorkspaces } from "../../facts/ports.ts";
import { localDay } from "../../util/days.ts";
import { batchId, type LearningFiles, putOff, type StoredAnswer } from "./files.ts";
import { type LedgerLine, spentOn } from "./ledger.ts";
import { askAbout } from "./question.ts";

export interface LearnPorts {
  readonly files: LearningFiles;
  /** The workspace whose sessions are read. */
  readonly root: string;
  workspaces(): FactWorkspaces;
  readonly settings: Pick<Settings, "learning_daily_limit" | "local_retain_every_n_turns">;
  /** Throws `invalid_config` if the model cannot be used. */
  model(): Promise<ChatModel>;
  readonly clock: Clock;
  isGone(holder: string): boolean;
}

interface LearnOptions {
  /** A user is waiting: also read turns that are not due, and ignore earlier failures. */
  readonly now: boolean;
  readonly signal: AbortSignal;
  /** Renews the lease; false if another process has taken over. */
  renew(): boolean;
}

export interface LearnRun {
  readonly batches: readonly LedgerLine[];
  /** Why it stopped early; null if everything was read. */
  readonly stopped: string | null;
}

export interface Pending {
  readonly session: string;
  readonly turns: number;
  /** Whether a worker would read them now. */
  readonly isDue: boolean;
}

/** Longer than a model takes, and shorter than the lease's timeout. */
const LONGEST_CALL_MS = 10 * 60_000;
const MOST_CHARACTERS = 24_000;
/** Characters per token of the model's context. A token has about three, so the rest is for known facts and the answer. */
const CHARACTERS_OF_TURNS = 1;

/** Unread turns by session, oldest first. Turns from before learning was switched on don't count. */
export function pendingIn(ports: Omit<LearnPorts, "model">): Pending[] {
  const { sessions } = ports.workspaces().nearest;
  return sessions.unlearned(sinceOf(ports)).flatMap(({ id, openedBy }) => {
    const isOver = openedBy === null || ports.isGone(openedBy);
    const messages = sessions.messages(id);
    const unread = unreadIn(messages, { since: sinceOf(ports), isOver });
    if (unread.length === 0) return [];
    const isDue = isOver || areDue(unread, messages, ports.settings.local_retain_every_n_turns);
    return [{ session: id, turns: unread.length, isDue }];
  });
}

/** Learning starts with what is said after it was switched on. */
function sinceOf({ files, clock }: Pick<LearnPorts, "files" | "clock">): string {
  const { since } = files;
  if (since !== null) return since;
  const now = clock().toISOString();
  files.since = now;
  return now;
}

/** The caller must hold the lease. Throws `io`, `locked`; a problem with the model is in the returned run. */
export async function learn(ports: LearnPorts, options: LearnOptions): Promise<LearnRun> {
  const learning = new Learning(ports, options);
  const stopped = await learning.run();
  return { batches: learning.batches, stopped };
}

class Learning {
  readonly batches: LedgerLine[] = [];
  #model: ChatModel | null = null;

  constructor(
    private readonly ports: LearnPorts,
    private readonly options: LearnOptions,
  ) {}

  async run(): Promise<string | null> {
    const { files, root } = this.ports;
    for (const answer of files.answers(root)) await this.#finish(answer);
    let problem: string | null = null;
    for (const { session, isDue } of pendingIn(this.ports)) {
      if (!isDue && !this.options.now) continue;
      const pause = files.pauseOf(root, session);
      const { failure } = pause;
      if (pause.left(this.ports.clock()) > 0 && !this.options.now) {
        problem ??= failure?.problem ?? null;
        continue;
      }
      const stop = await this.#readSession(session);
      if (stop === null) continue;
      problem = stop.why;
      if (stop.ends) return problem;
    }
    return problem;
  }

  /** null once all of it is read; `ends` if no other session can be read either. */
  async #readSession(session: string): Promise<{ why: string; ends: boolean } | null> {
    const { files, root, clock } = this.ports;
    for (;;) {
      const batch = this.#next(session);
      if (batch === null) return null;
      if (!saysAnything(batch)) {
        await this.#mark(batch);
        continue;
      }
      const why = this.#cannotAsk();
      if (why !== null) return { why, ends: true };
      const failed = await this.#ask(session);
      if (failed === null) {
        files.pause.worked();
        files.pauseOf(root, session).worked();
        continue;
      }
      const pause = failed.ends ? files.pause : files.pauseOf(root, session);
      if (!this.options.signal.aborted) putOff(pause, failed.why, clock());
      return failed;
    }
  }

  #next(session: string): Batch | null {
    const { sessions } = this.ports.workspaces().nearest;
    const { openedBy } = sessions.session(session) ?? { openedBy: null };
    const isOver = openedBy === null || this.ports.isGone(openedBy);
    const messages = sessions.messages(session);
    const unread = unreadIn(messages, { since: sinceOf(this.ports), isOver });
    const context = this.#model?.contextTokens ?? Number.POSITIVE_INFINITY;
    return nextBatch(session, messages, unread, Math.min(MOST_CHARACTERS, context * CHARACTERS_OF_TURNS));
  }

  /** The reason; null if the model may be asked. */
  #cannotAsk(): string | null {
    const { files, settings, clock } = this.ports;
    if (this.options.signal.aborted) return "Stopped.";
    if (!this.options.renew()) return "Another process is learning.";
    const { cost } = spentOn(localDay(clock().toISOString()), files.ledger.lines());
    if (cost >= settings.learning_daily_limit)
      return `Today's limit of $${settings.learning_daily_limit} is reached.`;
    const { failure } = files.pause;
    if (files.pause.left(clock()) > 0 && !this.options.now)
      return failure?.problem ?? "The last call failed.";
    return null;
  }

  /** null on success. */
  async #ask(of: string): Promise<{ why: string; ends: boolean } | null> {
    const { files, root, clock } = this.ports;
    const model = await this.#open();
    if ("why" in model) return model;
    // Only the opened model's context size says how much fits.
    const batch = this.#next(of);
    if (batch === null) return null;
    const known = await knownNear(this.ports.workspaces(), batch);
    const { session, from, to, exchanges: turns } = batch;
    const at = clock().toISOString();
    const signal = AbortSignal.any([this.options.signal, AbortSignal.timeout(LONGEST_CALL_MS)]);
    const asked = await askAbout(model, batch, known, signal);
    const { usage } = asked;
    const about = { root, session, from, to, turns, model: model.name, at, usage, cost: model.costOf(usage) };
    if ("learned" in asked) {
      const answer = { ...about, learned: asked.learned, seen: known.facts.map(({ id }) => id) };
      files.storeAnswer(answer);
      await this.#finish(answer);
      return null;
    }
    if (asked.answered)
      this.#note({ ...lineOf(about), id: `${batchId(about)}-${at}`, failure: asked.problem });
    return { why: asked.problem, ends: !asked.answered };
  }

  async #open(): Promise<ChatModel | { why: string; ends: true }> {
    try {
      this.#model ??= await this.ports.model();
      return this.#model;
    } catch (error) {
      if (!(error instanceof RetainError) || error.code === "io") throw error;
      return { why: messageOf(error), ends: true };
    }
  }

  async #finish(answer: StoredAnswer): Promise<void> {
    const { files } = this.ports;
    const workspaces = this.ports.workspaces();
    const { session, model, learned, seen } = answer;
    // If the session was deleted meanwhile, nothing from it is saved.
    const isThere = workspaces.nearest.sessions.session(session) !== null;
    const applied = isThere ? await applyLearned(workspaces, learned, { session, model, seen }) : null;
    const dropped = Object.values(learned.dropped).reduce((sum, count) => sum + count, 0);
    this.#note({
      ...lineOf(answer),
      ...(applied !== null && {
        ...{ kept: applied.kept, replaced: applied.replaced, ended: applied.ended, decided: applied.decided },
        dropped: dropped + applied.skipped,
      }),
    });
    await this.#mark(answer);
    files.removeAnswer(answer);
  }

  #note(line: LedgerLine): void {
    this.ports.files.ledger.add(line);
    this.batches.push(line);
  }

  async #mark({ session: id, to }: Pick<Batch, "session" | "to">): Promise<void> {
    const { sessions } = this.ports.workspaces().nearest;
    const session = sessions.session(id);
    if (session === null || learnedTo(sessions.messages(id)) >= to) return;
    const { chat, title, updated_at } = session;
    const mark = learnedMark(to, this.ports.clock().toISOString());
    await sessions.append({ id, chat, title, updated_at }, [mark]);
  }
}

function lineOf(answer: Omit<StoredAnswer, "learned" | "seen">): LedgerLine {
  const { at, model, root, session, turns, usage, cost } = answer;
  return {
    id: batchId(answer),
    ...{ at, model, root, session, turns, cost },
    input_tokens: usage.input,
    output_tokens: usage.output,
    ...{ kept: [], replaced: 0, ended: 0, decided: 0, dropped: 0, failure: null },
  };
}
