/**
 * Gives sessions their summaries: by a model where there is one, else of their own sentences. A session that nobody closed,
 * because its process was killed, gets its summary from the next one that starts.
 */
import { messageOf, RetainError } from "../core/errors.ts";
import type { Model } from "../core/ports/documents.ts";
import { storable } from "../core/secrets/storable.ts";
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
  /** null where nothing was said that could be summarised. */
  readonly summary: string | null;
  readonly by: "model" | "extract";
}

/** Where the signal ends the wait for the model, the summary is made without. Throws as `findSession`. */
export async function summarise(
  places: SessionWorkspaces,
  id: string,
  model: Model | null,
  signal?: AbortSignal,
): Promise<Summarised> {
  return summariseFound(places, findSession(places, id), model, signal);
}

async function summariseFound(
  { warn }: SessionWorkspaces,
  { workspace, session }: FoundSession,
  model: Model | null,
  signal?: AbortSignal,
): Promise<Summarised> {
  const all = workspace.sessions.messages(session.id);
  const said = all.filter(isSpoken);
  const asked = model === null || said.length === 0 ? null : await askedFor(model, said, warn, signal);
  const summary = asked ?? (storable(extractSummary(said), false) || null);
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

/** null where the model cannot be asked, or says nothing. */
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
    if (summary === null) warn("The model gave no summary: the session is summarised without it.");
    return summary;
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    if (!signal?.aborted) warn(`${messageOf(error)} The session is summarised without a model.`);
    return null;
  }
}

/** A conversation is about to begin: so many take half a second, and each that a model makes may cost money. */
const MOST_AT_ONCE = 200;
const MOST_BY_MODEL = 3;

/** The newest sessions that nobody has open and that were not closed, oldest first. What goes wrong with one is a warning. */
export async function summariseLeft(
  places: SessionWorkspaces,
  model: Model | null,
  signal?: AbortSignal,
): Promise<Summarised[]> {
  const all = places.read.flatMap((workspace) =>
    workspace.sessions
      .unsummarised((holder) => places.isGone(holder))
      .map((session) => ({ workspace, session: { ...session, origin: workspace.origin } })),
  );
  const left = all.sort(byAge).slice(-MOST_AT_ONCE);
  const done: Summarised[] = [];
  for (const [index, found] of left.entries()) {
    const asked = index >= left.length - MOST_BY_MODEL ? model : null;
    try {
      const summarised = await summariseClaimed(places, found, asked, signal);
      if (summarised !== null) done.push(summarised);
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      places.warn(`The session ${found.session.id} has no summary yet: ${messageOf(error)}`);
    }
  }
  return done;
}

function byAge({ session: a }: FoundSession, { session: b }: FoundSession): number {
  return a.updated_at === b.updated_at ? 0 : a.updated_at < b.updated_at ? -1 : 1;
}

/** null where another process has it by now, or has done it. */
async function summariseClaimed(
  places: SessionWorkspaces,
  found: FoundSession,
  model: Model | null,
  signal?: AbortSignal,
): Promise<Summarised | null> {
  const { sessions } = found.workspace;
  const { id } = found.session;
  const holder = await sessions.claim(id, places.self, (other) => places.isGone(other));
  if (holder !== places.self) return null;
  try {
    const isLeft = sessions.session(id)?.summary === found.session.summary;
    return isLeft ? await summariseFound(places, found, model, signal) : null;
  } finally {
    await sessions.release(id, places.self);
  }
}
