/**
 * Runs one hook, from Claude Code's input to the output. Each hook loads only its own modules. Errors are thrown; the caller logs
 * them.
 */
import { existsSync } from "node:fs";
import { plural } from "../../util/in-words.ts";
import type { HookEvent } from "./events.ts";
import type { HookInput } from "./input.ts";
import type { HookMemory, HookPorts } from "./ports.ts";
import { newProgress, type Progress, ProgressStore, tag } from "./progress.ts";
import { queryOf } from "./prompt-query.ts";
import type { RetainedNow } from "./retain.ts";

export interface HookOutcome {
  /** For the model; "" for nothing. */
  readonly context: string;
  /** What was done, in a few words for the log; "" if nothing. */
  readonly done: string;
  readonly problems: readonly string[];
  /** One line for the user. */
  readonly notice?: string;
  /** Something that should have been stored was not. */
  readonly isUnstored?: boolean;
  /** Work that can wait until the output is written. Throws as the hook itself. */
  readonly afterwards?: () => Promise<void>;
}

const NOTHING: HookOutcome = { context: "", done: "", problems: [] };
/** Reserved at the end of the time limit for the remaining work. */
const RESERVE_MS = 250;
const FLUSH_MS = 1_500;
/** Loading the embedding model, and half a second to embed. */
const TIME_TO_EMBED_MS = 900;
/** How long to wait for another hook of the same session. */
const PATIENCE_MS = 1_000;

export async function runHook(event: HookEvent, input: HookInput, ports: HookPorts): Promise<HookOutcome> {
  if (event === "session-start") return start(input, ports);
  if (event === "user-prompt-submit") return recall(input, ports);
  if (event === "subagent-start") return startAgent(input, ports);
  return retain(event, input, ports);
}

async function start({ source, session: said }: HookInput, ports: HookPorts): Promise<HookOutcome> {
  const memory = await ports.open(ports.cwd);
  if (memory.isOff) return NOTHING;
  const session = sessionName(said);
  const files = new ProgressStore(ports.home);
  const before = session === "" ? null : files.read(session);
  const { sessionContext } = await import("./session-start.ts");
  const { text, change } = await sessionContext(memory, whose(session, files), source, before, ports.clock());
  return {
    context: text,
    done: describeContext(text),
    problems: [],
    ...(memory.unwritable !== null &&
      memory.settings.hook_retain && {
        notice: `This conversation is not being stored: ${memory.unwritable}.`,
      }),
    async afterwards() {
      await memory.indexLater();
      if (session === "" || Object.keys(change).length === 0 || memory.settings.incognito) return;
      const isWorthAFile = change.since !== undefined || (change.shown ?? []).length > 0;
      if (!existsSync(ports.home) && !isWorthAFile) return;
      files.change(session, newProgress(ports.cwd), change);
      files.removeOld(ports.clock());
    },
  };
}

/** A sub-agent begins with an empty context, so it gets the memory of the session that started it. */
async function startAgent({ agent, session: said }: HookInput, ports: HookPorts): Promise<HookOutcome> {
  if (isSummariser(agent)) return NOTHING;
  const session = sessionName(said);
  const files = new ProgressStore(ports.home);
  const parent = session === "" ? null : files.read(session);
  const memory = await openAt(parent, ports);
  if (memory.isOff) return NOTHING;
  const { agentContext } = await import("./session-start.ts");
  const text = await agentContext(memory, whose(session, files));
  return { context: text, done: describeContext(text), problems: [] };
}

function whose(session: string, files: ProgressStore) {
  return { session, cwdOf: (other: string) => files.read(other)?.cwd ?? null };
}

/** Claude Code starts an agent without a type to summarise a conversation, which has its memory already. */
function isSummariser(agent: HookInput["agent"]): boolean {
  return (agent?.type ?? "") === "";
}

/** The memory of the directory that a session began in. */
function openAt(progress: Progress | null, ports: HookPorts): Promise<HookMemory> {
  return ports.open(progress !== null && existsSync(progress.cwd) ? progress.cwd : ports.cwd);
}

async function recall({ prompt, session: said }: HookInput, ports: HookPorts): Promise<HookOutcome> {
  const query = queryOf(prompt);
  if (query === "") return NOTHING;
  const memory = await ports.open(ports.cwd);
  if (memory.isOff) return NOTHING;
  const session = sessionName(said);
  const files = new ProgressStore(ports.home);
  const before = session === "" ? null : files.read(session);
  const shown = new Set(before?.shown);
  const patience = Math.max(0, ports.left() - RESERVE_MS);
  const { recallForPrompt } = await import("./prompt-recall.ts");
  const { nameOf } = await import("./already-shown.ts");
  const { text, recalled } = await recallForPrompt(memory, session, query, shown, patience);
  if (text === "") return NOTHING;
  return {
    context: text,
    done: `recalled ${plural(recalled.length, "memory", "memories")}`,
    problems: [],
    async afterwards() {
      await memory.count(recalled);
      if (session === "" || memory.settings.incognito) return;
      const change = { shown: [...shown, ...recalled.map(nameOf)] };
      files.change(session, newProgress(ports.cwd), change);
    },
  };
}

async function retain(event: HookEvent, input: HookInput, ports: HookPorts): Promise<HookOutcome> {
  const ofAgent = event === "subagent-stop";
  if (input.session === "" || (ofAgent && isSummariser(input.agent))) return NOTHING;
  const session = sessionName(input.session);
  // A sub-agent has its own transcript, and belongs to the session that started it.
  const reader = ofAgent ? sessionName(input.session, input.agent?.id) : session;
  const files = new ProgressStore(ports.home);
  const known = files.read(reader);
  const before = known ?? newProgress((ofAgent ? files.read(session)?.cwd : undefined) ?? ports.cwd);
  const memory = await openAt(before, ports);
  // If the session was saved before it went incognito, store only the time: later hooks skip everything before it.
  if (memory.settings.incognito && known !== null)
    files.change(reader, before, { since: ports.clock().toISOString() });
  if (memory.isOff || !memory.settings.hook_retain) return NOTHING;
  const { self, isGone } = ports;
  const patience = Math.min(PATIENCE_MS, ports.left() / 2);
  const { retainSession } = await import("./retain.ts");
  const outcome = await files.withSessionLock(reader, { self, isGone, patience }, () => {
    const progress: Progress = files.read(reader) ?? before;
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
        pending: files.pending(session),
        save: (change) => files.change(reader, progress, change),
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

function describeContext(text: string): string {
  return text === "" ? "" : `added the context, ${plural(text.length, "character")}`;
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

/** The stored session's id: Claude Code's own if it is a safe file name. "" if there is none. */
function sessionName(said: string, agent?: string): string {
  if (said === "") return "";
  const whole = agent === undefined ? said : `${said}-agent-${agent}`;
  return PLAIN.test(whole) ? whole : `claude-${tag(whole)}`;
}
