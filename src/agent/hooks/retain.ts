/**
 * Saves a session from its transcript: marked facts at once, and the turns every few turns, at the end, and before Claude Code
 * compacts them. Progress is written after each step (see progress.ts).
 */
import { type Activity, isActive, NO_ACTIVITY, together } from "../../core/sessions/activity.ts";
import { sleep } from "../../util/sleep.ts";
import { autoRetainOf } from "../auto-retain.ts";
import type { AutoRetain } from "../ports.ts";
import { activityOf } from "./activity.ts";
import { sendEpisode } from "./episodes.ts";
import type { PendingActivity } from "./pending-activity.ts";
import type { HookMemory } from "./ports.ts";
import { type Progress, tag } from "./progress.ts";
import { keepAll, keepMarked, keepMarksOnly, markedIn, spokenIn } from "./save-turns.ts";
import { openTranscript, type TranscriptFile } from "./transcript-file.ts";
import { type NewTurns, newTurns } from "./turns.ts";

interface ToRetain {
  readonly session: string;
  readonly transcript: string | null;
  /** The last reply, which the transcript may not contain yet. */
  readonly reply: string;
  /** Save all pending turns, however few. */
  readonly all: boolean;
  /** A sub-agent talks to another agent, so only its marks and activity are saved, as part of the session that started it. */
  readonly ofAgent: boolean;
}

interface Steps {
  readonly progress: Progress;
  /** Writes the progress file. Throws if it cannot. */
  save(change: Partial<Progress>): Progress;
  /** Of the session, also when an agent's own transcript is read. */
  readonly pending: PendingActivity;
  hasTime(): boolean;
}

export interface RetainedNow {
  turns: number;
  memories: number;
  /** Failures; the next hook retries. */
  readonly problems: string[];
}

interface Retaining {
  readonly memory: HookMemory;
  readonly wanted: ToRetain;
  readonly steps: Steps;
  readonly auto: AutoRetain;
  /** So far. */
  readonly done: RetainedNow;
}

/** Turns per step; progress is written after each. */
const BATCH = 100;
/** Claude Code writes its transcript about 100 ms after a reply. */
const LAG_MS = 300;
const LOOK_AGAIN_MS = 20;

/** Throws what storing throws; completed steps stay stored. */
export async function retainSession(
  memory: HookMemory,
  wanted: ToRetain,
  steps: Steps,
): Promise<RetainedNow> {
  const done: RetainedNow = { turns: 0, memories: 0, problems: [] };
  const { session } = wanted;
  const before = placed(steps.progress, memory, session);
  const reply = markedIn(wanted.reply);
  const name = tag(reply.text);
  const isNew = reply.marks.length > 0 && !before.ahead.includes(name);
  const awaited = isNew ? name : null;
  const auto = autoRetainOf(memory.settings, memory.keepEpisode);
  const retaining = { memory, wanted, steps: { ...steps, progress: before }, auto, done };
  const { after, isMuted } = await fromFile(retaining, awaited);
  // The transcript doesn't contain the reply yet: save it now, and skip it when it appears.
  if (isNew && !isMuted && !after.ahead.includes(name) && done.problems.length === 0) {
    const keep = wanted.ofAgent ? keepMarksOnly : keepMarked;
    const { stored, memories, problems } = await keep(memory, session, [reply]);
    done.memories += memories;
    done.problems.push(...problems);
    if (problems.length === 0)
      steps.save({ ...after, turns: after.turns + stored, ahead: [...after.ahead, name] });
  }
  return done;
}

/** If the workspace has changed, turns are counted again. */
function placed(progress: Progress, memory: HookMemory, session: string): Progress {
  const { root } = memory;
  if (progress.root === "" || progress.root === root) return { ...progress, root };
  return { ...progress, root, turns: spokenIn(memory, session).length };
}

async function fromFile(
  retaining: Retaining,
  awaited: string | null,
): Promise<{ readonly after: Progress; readonly isMuted: boolean }> {
  const { wanted, steps } = retaining;
  const until = performance.now() + LAG_MS;
  for (;;) {
    const file = wanted.transcript === null ? null : openTranscript(wanted.transcript);
    try {
      const looked = file === null ? null : lookThrough(file, steps.progress, wanted.ofAgent);
      const isMuted = looked?.upTo.talk.isMuted ?? false;
      const isThere = awaited === null || isMuted || (looked?.replies.has(awaited) ?? false);
      if (isThere || performance.now() > until) {
        if (file === null || looked === null) return { after: steps.progress, isMuted };
        return { after: await keepFrom(file, looked, retaining), isMuted };
      }
    } finally {
      file?.close();
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

interface Looked {
  readonly prompts: number;
  readonly hasMarks: boolean;
  /** The assistant's replies, as tags. */
  readonly replies: ReadonlySet<string>;
  readonly upTo: NewTurns["upTo"];
}

/** The turns since the last look; all turns if the file has been replaced. */
function lookThrough(file: TranscriptFile, progress: Progress, ofAgent: boolean): Looked {
  const all = { ofAgent, most: Number.POSITIVE_INFINITY };
  const { turns, prompts, upTo } = newTurns(file, progress.seen, progress, all);
  return {
    prompts: prompts + (file.from(progress.seen) === 0 ? 0 : progress.prompts),
    hasMarks: turns.some(({ marks }) => marks.length > 0),
    replies: new Set(turns.flatMap(({ role, text }) => (role === "assistant" ? tag(text) : []))),
    upTo,
  };
}

async function keepFrom(
  file: TranscriptFile,
  { prompts, hasMarks, upTo }: Looked,
  retaining: Retaining,
): Promise<Progress> {
  const { memory, wanted, steps, auto, done } = retaining;
  const { session, all, ofAgent } = wanted;
  const keepsTurns = auto.enabled && !ofAgent;
  if (!hasMarks && !all && !ofAgent && !(keepsTurns && prompts >= auto.everyTurns))
    return steps.save({ ...steps.progress, seen: upTo, prompts });
  if (keepsTurns && auto.keep !== null)
    done.turns += await sendEpisode(file, {
      ...{ session, chat: memory.chat, since: steps.progress.since, sentTo: file.from(steps.progress.kept) },
      ...{ mode: auto.mode, overlapTurns: auto.overlapTurns, keep: auto.keep },
    });
  let { progress } = steps;
  while (steps.hasTime()) {
    const batch = newTurns(file, progress.kept, progress, { ofAgent, most: BATCH });
    const after = await keepBatch(batch, progress, retaining);
    if (after === null) break;
    progress = after;
    if (!batch.more) break;
  }
  return progress;
}

/** null if something could not be saved. */
async function keepBatch(
  batch: NewTurns,
  progress: Progress,
  { memory, wanted: { session, ofAgent }, steps, auto, done }: Retaining,
): Promise<Progress | null> {
  const isLocal = auto.enabled && auto.keep === null;
  const keepsTurns = isLocal && !ofAgent;
  const kept = await (keepsTurns && batch.turns.length > 0
    ? keepAll(memory, session, batch.turns, progress.turns)
    : (ofAgent ? keepMarksOnly : keepMarked)(memory, session, batch.turns));
  done.turns += keepsTurns ? batch.turns.length : 0;
  done.memories += kept.memories;
  done.problems.push(...kept.problems);
  if (kept.problems.length > 0) return null;
  const keepsActivity = isLocal && memory.settings.hook_activity;
  const activity = keepsActivity ? activityOf(batch.done, progress.cwd) : NO_ACTIVITY;
  if (ofAgent) steps.pending.add(activity);
  else await addActivity(memory, session, steps.pending, activity);
  return steps.save({
    ...progress,
    ...(batch.more ? {} : { seen: batch.upTo, prompts: 0 }),
    kept: batch.upTo,
    turns: progress.turns + kept.stored,
    lines: [...progress.lines, ...batch.turns.map(({ uuid }) => tag(uuid))],
    ahead: [
      ...progress.ahead,
      ...batch.turns.flatMap(({ marks, text }) => (marks.length > 0 ? tag(text) : [])),
    ],
  });
}

/** Also what the session's sub-agents did. */
async function addActivity(
  memory: HookMemory,
  session: string,
  pending: PendingActivity,
  activity: Activity,
): Promise<void> {
  const ofAgents = pending.read();
  const all = together(ofAgents, activity);
  if (isActive(all)) await memory.addActivity(session, all);
  pending.remove(ofAgents);
}
