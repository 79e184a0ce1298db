/**
 * Looks through finished turns: after every few, after one that asks to remember something, when a conversation ends or is left, and
 * before older messages are summarised. No model is asked. How far it has come is a message of the conversation, so nothing is done
 * twice and the next start does what a kill left undone. An error becomes a notice, and the next turns try again.
 */
import type { Settings } from "../config/schema.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import { retainedMark } from "../facts/auto-retain-turns.ts";
import {
  type Exchange,
  episodeOf,
  exchangesOf,
  ownText,
  retainedTo,
  type SaidMessage,
} from "../facts/transcript.ts";
import { requestsIn } from "../facts/write/requests.ts";
import type { SaidByUser } from "../facts/write/write-requests.ts";
import type { ChatEvent } from "./events.ts";
import { BY_MEMORY } from "./model-messages.ts";
import type { AutoRetain, ChatPorts } from "./ports.ts";
import { tellKept } from "./save-marks.ts";

/** A conversation, to one who looks through it. */
export interface LookedThrough {
  /** null where nothing of it is kept. */
  readonly id: string | null;
  readonly chat: string;
  readonly title: string | null;
  /** All of it, also what a summary stands for. */
  readonly said: readonly SaidMessage[];
  /** Says in the conversation that all up to this message was looked through. */
  markRetained(last: SaidMessage): Promise<void>;
}

export interface Reach {
  /** Only where so many turns have come together. */
  readonly whenDue: boolean;
  /** Up to this message; to the end by default. */
  readonly upTo?: number;
}

type Ports = Pick<ChatPorts, "facts" | "autoRetain">;

export async function* retainTurns(
  ports: Ports,
  conversation: LookedThrough,
  { whenDue, upTo = Number.POSITIVE_INFINITY }: Reach,
): AsyncGenerator<ChatEvent, void> {
  const { enabled, everyTurns } = ports.autoRetain;
  if (!enabled || conversation.id === null) return;
  const done = retainedTo(conversation.said);
  const exchanges = exchangesOf(conversation.said).filter(({ last }) => last <= upTo);
  const fresh = exchanges.findIndex(({ last }) => last > done);
  const last = exchanges.at(-1)?.messages.at(-1);
  if (fresh < 0 || last === undefined) return;
  const asked = ports.autoRetain.requests
    ? exchanges.slice(fresh).flatMap((one) => requestsOf(one, done))
    : [];
  if (whenDue && asked.length === 0 && exchanges.length - fresh < everyTurns) return;
  try {
    yield* keepEpisode(ports.autoRetain, conversation, exchanges, fresh);
    if (asked.length > 0) {
      const kept = await ports.facts.writeRequests(conversation.id, asked);
      yield* tellKept(kept);
      // It is tried again with the next turns.
      const [failure] = kept.failed;
      if (failure !== undefined) throw new RetainError("partial", failure.why);
    }
    await conversation.markRetained(last);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    yield warning(`The last turns were not looked through: ${error.message}`);
  }
}

/** Throws `remote` for whatever a backend throws: a program's own may throw anything. */
async function* keepEpisode(
  { keep, mode, overlapTurns }: AutoRetain,
  { id, chat, title }: LookedThrough,
  exchanges: readonly Exchange[],
  fresh: number,
): AsyncGenerator<ChatEvent, void> {
  if (keep === null || id === null) return;
  const from = mode === "full-session" ? 0 : Math.max(0, fresh - overlapTurns);
  const episode = episodeOf({ session: id, chat, title }, exchanges, { from, to: exchanges.length });
  if (episode === null) return;
  await keep(episode).catch((error: unknown) => {
    throw error instanceof RetainError ? error : new RetainError("remote", messageOf(error));
  });
}

/** An answer from memory alone has saved what its question asked to remember. */
function requestsOf({ messages }: Exchange, done: number): SaidByUser[] {
  if (messages.some(({ details }) => details.model === BY_MEMORY)) return [];
  return messages
    .filter(
      ({ id, role, content }) => role === "user" && id > done && requestsIn(ownText(content)).length > 0,
    )
    .map(({ id, content, timestamp }) => ({ message: id, content, at: timestamp }));
}

function warning(text: string): ChatEvent {
  return { type: "notice", level: "warning", text };
}

/** Sessions whose process was killed. What was said in them is looked through before they get their summaries. */
export async function* retainLeft(
  ports: Ports & Pick<ChatPorts, "store" | "isGone">,
): AsyncGenerator<ChatEvent, void> {
  const { store } = ports;
  if (!ports.autoRetain.enabled) return;
  for (const { id, chat, title, updated_at, openedBy } of store.unsummarised((holder) =>
    ports.isGone(holder),
  )) {
    // One that no process had open came from elsewhere.
    if (openedBy === null) continue;
    const left = {
      id,
      chat,
      title,
      said: store.messages(id),
      async markRetained(last: SaidMessage) {
        await store.append({ id, chat, title, updated_at }, [retainedMark(last)]);
      },
    };
    yield* retainTurns(ports, left, { whenDue: false });
  }
}

/** As the settings say; `keep` is where episodes go, and null where this machine holds memory. */
export function autoRetainOf(settings: Settings, keep: AutoRetain["keep"]): AutoRetain {
  if (keep === null)
    return {
      enabled: settings.memory_backend === "local" && settings.local_auto_retain,
      everyTurns: settings.local_retain_every_n_turns,
      overlapTurns: 0,
      mode: "window",
      requests: true,
      keep: null,
    };
  return {
    enabled: settings.hindsight_auto_retain,
    everyTurns: settings.hindsight_retain_every_n_turns,
    overlapTurns: settings.hindsight_retain_overlap_turns,
    mode: settings.hindsight_retain_mode,
    requests: false,
    keep,
  };
}
