/**
 * Saves requests to remember something from finished turns, and sends turns to a backend on a server: after every few turns, after a
 * turn with such a request, when a conversation ends, and before older messages are summarised. It asks no model. Progress is stored
 * as a message of the conversation, so nothing is done twice and the next start finishes what a kill interrupted. An error becomes a
 * notice, and the next turns try again.
 */
import type { Settings } from "../config/schema.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import { requestsIn } from "../core/language/requests.ts";
import { BY_MEMORY } from "../core/sessions/conversation.ts";
import { retainedMark } from "../facts/auto-retain-turns.ts";
import {
  type Exchange,
  episodeOf,
  exchangesOf,
  ownText,
  retainedTo,
  type SaidMessage,
} from "../facts/transcript.ts";
import type { SaidByUser } from "../facts/write/write-requests.ts";
import type { DraftEvent } from "./events.ts";
import type { AutoRetain, ChatPorts } from "./ports.ts";
import { reportSaved } from "./save-marks.ts";

/** A conversation whose turns are processed. */
interface LookedThrough {
  /** null if the conversation is not stored. */
  readonly id: string | null;
  readonly chat: string;
  readonly title: string | null;
  /** All messages, including those that a summary replaces. */
  readonly said: readonly SaidMessage[];
  /** Records in the conversation that everything up to this message is processed. */
  markRetained(last: SaidMessage): Promise<void>;
}

interface Reach {
  /** Do nothing until enough turns are pending. */
  readonly whenDue: boolean;
  /** Up to this message; to the end by default. */
  readonly upTo?: number;
}

type Ports = Pick<ChatPorts, "facts" | "autoRetain">;

export async function* retainTurns(
  ports: Ports,
  conversation: LookedThrough,
  { whenDue, upTo = Number.POSITIVE_INFINITY }: Reach,
): AsyncGenerator<DraftEvent, void> {
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
      yield* reportSaved(kept);
      // Not marked as processed, so the next turns try it again.
      const [failure] = kept.failed;
      if (failure !== undefined) throw new RetainError("partial", failure.why);
    }
    await conversation.markRetained(last);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    yield warning(`Could not process the last turns, will retry: ${error.message}`);
  }
}

/** Throws `remote` for whatever a backend throws: a custom backend may throw anything. */
async function* keepEpisode(
  { keep, mode, overlapTurns }: AutoRetain,
  { id, chat, title }: LookedThrough,
  exchanges: readonly Exchange[],
  fresh: number,
): AsyncGenerator<DraftEvent, void> {
  if (keep === null || id === null) return;
  const from = mode === "full-session" ? 0 : Math.max(0, fresh - overlapTurns);
  const episode = episodeOf({ session: id, chat, title }, exchanges, { from, to: exchanges.length });
  if (episode === null) return;
  await keep(episode).catch((error: unknown) => {
    throw error instanceof RetainError ? error : new RetainError("remote", messageOf(error));
  });
}

/** answerFromMemory has already saved the requests of the turns it answered. */
function requestsOf({ messages }: Exchange, done: number): SaidByUser[] {
  if (messages.some(({ details }) => details.model === BY_MEMORY)) return [];
  return messages
    .filter(
      ({ id, role, content }) => role === "user" && id > done && requestsIn(ownText(content)).length > 0,
    )
    .map(({ id, content, timestamp }) => ({ message: id, content, at: timestamp }));
}

function warning(text: string): DraftEvent {
  return { type: "notice", level: "warning", text };
}

/** Processes sessions whose process was killed, before they are summarised. */
export async function* retainLeft(
  ports: Ports & Pick<ChatPorts, "store" | "isGone">,
): AsyncGenerator<DraftEvent, void> {
  const { store } = ports;
  if (!ports.autoRetain.enabled) return;
  for (const { id, chat, title, updated_at, openedBy } of store.unsummarised((holder) =>
    ports.isGone(holder),
  )) {
    // No process ever opened it, so it was imported.
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

/** Reads the settings. `keep` sends episodes to a server; null if memory is local. */
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
