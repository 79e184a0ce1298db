/**
 * Summarises sessions: with a model if there is one, otherwise from their own sentences. If a session's process was killed, the next
 * process that starts summarises it.
 */
import { messageOf, RetainError } from "../core/errors.ts";
import type { Model } from "../core/ports/documents.ts";
import { storable } from "../core/secrets/storable.ts";
import { withActivityOf } from "../core/sessions/activity.ts";
import { answeredMessages, shownMessages } from "../core/sessions/conversation.ts";
import { unlessAborted } from "../util/within.ts";
import { extractSummary } from "./extract.ts";
import { type FoundSession, findSession } from "./find.ts";
import type { SessionWorkspace, SessionWorkspaces } from "./ports.ts";
import { isSpoken, type Said, visibleText } from "./prose.ts";
import { summaryIn, summaryQuestion } from "./summary-text.ts";
import { titleOf } from "./title.ts";

export interface Summarised {
  readonly id: string;
  readonly origin: SessionWorkspace["origin"];
  readonly title: string | null;
  /** null if there was nothing to summarise. */
  readonly summary: string | null;
  readonly by: "model" | "extract";
}

/** If the signal aborts, it stops waiting for the model and summarises without it. Throws like `findSession`. */
export async function summarise(
  workspaces: SessionWorkspaces,
  id: string,
  model: Model | null,
  signal?: AbortSignal,
): Promise<Summarised> {
  return summariseFound(workspaces, findSession(workspaces, id), model, signal);
}

async function summariseFound(
  { warn }: SessionWorkspaces,
  { workspace, session }: FoundSession,
  model: Model | null,
  signal?: AbortSignal,
): Promise<Summarised> {
  const all = workspace.sessions.messages(session.id);
  const said = shownMessages(all).filter(isSpoken);
  const answered = answeredMessages(all).filter(isSpoken);
  const asked =
    model === null || answered.length === 0 ? null : await askedFor(model, answered, warn, signal);
  const prose = asked ?? storable(extractSummary(answered.length > 0 ? answered : said), false);
  const summary = withActivityOf(session.summary, prose) || null;
  const title = session.title ?? titleOf(firstWords(said));
  await workspace.sessions.change(session.id, {
    coversTo: all.at(-1)?.id ?? 0,
    ...(summary !== null && { summary }),
    ...(title !== null && { title }),
  });
  const { id, origin } = session;
  return { id, origin, title, summary, by: asked === null ? "extract" : "model" };
}

function firstWords(said: readonly Said[]): string {
  const first = said.find(({ role }) => role === "user");
  return first === undefined ? "" : visibleText(first);
}

/** null if the model fails or gives no summary. */
async function askedFor(
  model: Model,
  said: readonly Said[],
  warn: (message: string) => void,
  signal?: AbortSignal,
): Promise<string | null> {
  if (signal?.aborted) return null;
  try {
    const answer = await unlessAborted(signal, model.complete(summaryQuestion(said)), () => null);
    if (answer === null) return null;
    const summary = summaryIn(answer);
    if (summary === null) warn("The model gave no summary. Summarised the session without it.");
    return summary;
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    if (!signal?.aborted) warn(`${messageOf(error)} Summarised the session without a model.`);
    return null;
  }
}

/** This runs as a chat starts: 200 take half a second, and each summary by a model may cost money. */
const MOST_AT_ONCE = 200;
const MOST_BY_MODEL = 3;

/** Summarises the newest sessions whose process ended without closing them, oldest first. An error becomes a warning. */
export async function summariseLeft(
  workspaces: SessionWorkspaces,
  model: Model | null,
  signal?: AbortSignal,
): Promise<Summarised[]> {
  const all = workspaces.read.flatMap((workspace) =>
    workspace.sessions
      .unsummarised((holder) => workspaces.isGone(holder))
      .map((session) => ({ workspace, session: { ...session, origin: workspace.origin } })),
  );
  const left = all.sort(byAge).slice(-MOST_AT_ONCE);
  const done: Summarised[] = [];
  for (const [index, found] of left.entries()) {
    const asked = index >= left.length - MOST_BY_MODEL ? model : null;
    try {
      const summarised = await summariseClaimed(workspaces, found, asked, signal);
      if (summarised !== null) done.push(summarised);
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      workspaces.warn(`Could not summarise session ${found.session.id}: ${messageOf(error)}`);
    }
  }
  return done;
}

function byAge({ session: a }: FoundSession, { session: b }: FoundSession): number {
  return a.updated_at === b.updated_at ? 0 : a.updated_at < b.updated_at ? -1 : 1;
}

/** null if another process has opened or summarised it meanwhile. */
async function summariseClaimed(
  workspaces: SessionWorkspaces,
  found: FoundSession,
  model: Model | null,
  signal?: AbortSignal,
): Promise<Summarised | null> {
  const { sessions } = found.workspace;
  const { id } = found.session;
  const holder = await sessions.claim(id, workspaces.self, (other) => workspaces.isGone(other));
  if (holder !== workspaces.self) return null;
  try {
    const isLeft = sessions.session(id)?.summary === found.session.summary;
    return isLeft ? await summariseFound(workspaces, found, model, signal) : null;
  } finally {
    await sessions.release(id, workspaces.self);
  }
}
