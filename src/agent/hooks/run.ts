/**
 * One hook, from what Claude Code tells to what it is told; each loads its own part alone. What goes wrong throws, and is for the
 * caller to log.
 */
import { existsSync } from "node:fs";
import { plural } from "../../util/text.ts";
import type { HookEvent } from "./events.ts";
import type { HookInput } from "./input.ts";
import type { HookPorts } from "./ports.ts";
import { newProgress, type Progress, ProgressFiles, tag } from "./progress.ts";
import type { RetainedNow } from "./retain.ts";

export interface HookOutcome {
  /** For the model; "" for nothing. */
  readonly context: string;
  /** What was done, in a few words for the log; "" where that was nothing. */
  readonly done: string;
  readonly problems: readonly string[];
  /** Something that should have been stored was not. */
  readonly isUnstored?: boolean;
  /** What can wait until the answer is given. Throws as the hook itself. */
  readonly afterwards?: () => Promise<void>;
}

const NOTHING: HookOutcome = { context: "", done: "", problems: [] };
/** Kept free of what the whole may take, for what follows. */
const RESERVE_MS = 250;
const FLUSH_MS = 1_500;
/** Loading the model, and the half second that a search would take for it. */
const TIME_TO_EMBED_MS = 900;
/** Another hook of the same session may be at work. */
const PATIENCE_MS = 1_000;

export async function runHook(event: HookEvent, input: HookInput, ports: HookPorts): Promise<HookOutcome> {
  if (event === "session-start") return start(input, ports);
  if (event === "user-prompt-submit") return recall(input, ports);
  return retain(event, input, ports);
}

async function start({ source, session: said }: HookInput, ports: HookPorts): Promise<HookOutcome> {
  const memory = ports.open(ports.cwd);
  if (memory.isOff) return NOTHING;
  const session = sessionName(said);
  const files = new ProgressFiles(ports.home);
  const before = session === "" ? null : files.read(session);
  const { sessionContext } = await import("./session-start.ts");
  const { text, change } = await sessionContext(memory, session, source, before, ports.clock());
  return {
    context: text,
    done: text === "" ? "" : `added the context, ${plural(text.length, "character")}`,
    problems: [],
    async afterwards() {
      if (session === "" || Object.keys(change).length === 0 || memory.settings.incognito) return;
      const isWorthAFile = change.since !== undefined || (change.told ?? []).length > 0;
      if (!existsSync(ports.home) && !isWorthAFile) return;
      files.change(session, newProgress(ports.cwd), change);
      files.removeOld(ports.clock());
    },
  };
}

async function recall({ prompt, session: said }: HookInput, ports: HookPorts): Promise<HookOutcome> {
  const memory = ports.open(ports.cwd);
  if (memory.isOff) return NOTHING;
  const session = sessionName(said);
  const files = new ProgressFiles(ports.home);
  const before = session === "" ? null : files.read(session);
  const told = new Set(before?.told);
  const patience = Math.max(0, ports.left() - RESERVE_MS);
  const { recallForPrompt } = await import("./prompt-recall.ts");
  const { nameOf } = await import("./already-shown.ts");
  const { text, recalled } = await recallForPrompt(memory, session, prompt, told, patience);
  if (text === "") return NOTHING;
  return {
    context: text,
    done: `recalled ${plural(recalled.length, "memory", "memories")}`,
    problems: [],
    async afterwards() {
      await memory.count(recalled);
      if (session === "" || memory.settings.incognito) return;
      const change = { told: [...told, ...recalled.map(nameOf)] };
      files.change(session, newProgress(ports.cwd), change);
    },
  };
}

async function retain(event: HookEvent, input: HookInput, ports: HookPorts): Promise<HookOutcome> {
  const ofAgent = event === "subagent-stop";
  // One without a type summarises the conversation: what it says was said before.
  if (input.session === "" || (ofAgent && (input.agent?.type ?? "") === "")) return NOTHING;
  const session = sessionName(input.session, ofAgent ? input.agent?.id : undefined);
  const files = new ProgressFiles(ports.home);
  // A sub-agent's memory is that of who started it.
  const parent = ofAgent ? files.read(sessionName(input.session)) : null;
  const before = files.read(session) ?? newProgress(parent?.cwd ?? ports.cwd);
  const memory = ports.open(existsSync(before.cwd) ? before.cwd : ports.cwd);
  // Of a session that was kept before, only the moment: a later hook passes over what was said up to now.
  if (memory.settings.incognito && files.read(session) !== null)
    files.change(session, before, { since: ports.clock().toISOString() });
  if (memory.isOff || !memory.settings.hook_retain) return NOTHING;
  const { self, isGone } = ports;
  const patience = Math.min(PATIENCE_MS, ports.left() / 2);
  const { retainSession } = await import("./retain.ts");
  const outcome = await files.alone(session, { self, isGone, patience }, () => {
    const progress: Progress = files.read(session) ?? before;
    return retainSession(
      memory,
      {
        session,
        ofAgent,
        transcript: ofAgent ? (input.agent?.transcript ?? null) : input.transcript,
        reply: input.reply,
        all: event === "pre-compact" || event === "session-end",
      },
      {
        progress,
        save: (change) => files.change(session, progress, change),
        hasTime: () => ports.left() > RESERVE_MS,
      },
    );
  });
  if (outcome === null)
    return {
      ...NOTHING,
      problems: ["Another hook of this session is still running; the next hook continues."],
    };
  return {
    context: "",
    ...describe(outcome),
    async afterwards() {
      await memory.learn();
      await memory.flush(flushMs(ports));
      if ((event === "pre-compact" || event === "session-end") && ports.left() > TIME_TO_EMBED_MS)
        await memory.embed();
    },
  };
}

function describe({ turns, memories, problems }: RetainedNow) {
  const parts = [
    ...(memories > 0 ? [plural(memories, "memory", "memories")] : []),
    ...(turns > 0 ? [plural(turns, "turn")] : []),
  ];
  return {
    done: parts.length === 0 ? "" : `saved ${parts.join(" and ")}`,
    problems,
    isUnstored: problems.length > 0,
  };
}

function flushMs(ports: HookPorts): number {
  return Math.max(0, Math.min(FLUSH_MS, ports.left() - RESERVE_MS));
}

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

/** As the session is stored: what Claude Code calls it, where that can be a file's name. "" where it has no name. */
function sessionName(said: string, agent?: string): string {
  if (said === "") return "";
  const whole = agent === undefined ? said : `${said}-agent-${agent}`;
  return PLAIN.test(whole) ? whole : `claude-${tag(whole)}`;
}
