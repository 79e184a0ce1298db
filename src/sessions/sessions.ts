/** What people and programs do with stored conversations. Each verb is loaded when it is first used. */

import type { Model } from "../core/ports/documents.ts";
import { type Message, type StoredMessage, shownMessages } from "../core/sessions/conversation.ts";
import type { RemoveOptions, TagChange } from "./change.ts";
import type { ExportFormat, ShownSession } from "./export.ts";
import type { FindOptions, SessionsAsked } from "./find.ts";
import type { LastContext } from "./last-context.ts";
import type { OwnedSession, SessionWorkspaces } from "./ports.ts";
import type { Summarised } from "./summarise.ts";

/** How many messages around one are shown with it. */
const AROUND = 2;

/** An id may be an unambiguous prefix, or "last": the session with the newest message, except if all its messages failed. */
export class Sessions {
  constructor(private readonly workspaces: () => SessionWorkspaces) {}

  /** Sessions of the project and the home workspace, newest first, without empty ones. */
  async list(asked: SessionsAsked = {}): Promise<OwnedSession[]> {
    const { listSessions } = await import("./find.ts");
    return listSessions(this.workspaces(), asked);
  }

  /** Throws `not_found` or `ambiguous`, like all methods with an id. */
  async find(id: string, options: FindOptions = {}): Promise<OwnedSession> {
    const { findSession } = await import("./find.ts");
    return findSession(this.workspaces(), id, options).session;
  }

  /** The session with all its messages, except failed ones that were sent again. */
  async show(id: string, options: FindOptions = {}): Promise<ShownSession> {
    const { findSession } = await import("./find.ts");
    const { workspace, session } = findSession(this.workspaces(), id, options);
    return { ...session, conversation: shownMessages(workspace.sessions.messages(session.id)) };
  }

  /** One message by its number, with the messages before and after it; null where there is none. */
  async message(id: number): Promise<{ message: StoredMessage; around: Message[] } | null> {
    for (const { sessions } of this.workspaces().read) {
      const message = sessions.message(id);
      if (message !== null) return { message, around: sessions.around(message, AROUND) };
    }
    return null;
  }

  /** What the newest reply was based on; null if the newest sessions have no reply with a context. */
  async lastContext(): Promise<LastContext | null> {
    const { lastContext } = await import("./last-context.ts");
    return lastContext(this.workspaces());
  }

  /** JSON or Markdown. */
  async export(id: string, format: ExportFormat, options: FindOptions = {}): Promise<string> {
    const { exported } = await import("./export.ts");
    return exported(await this.show(id, options), format);
  }

  /** Also throws `invalid_input` and `secret`. */
  async rename(id: string, title: string, options: FindOptions = {}): Promise<OwnedSession> {
    const { renameSession } = await import("./change.ts");
    return renameSession(this.workspaces(), id, title, options);
  }

  /** Throws like `rename`. */
  async tag(id: string, change: TagChange, options: FindOptions = {}): Promise<OwnedSession> {
    const { tagSession } = await import("./change.ts");
    return tagSession(this.workspaces(), id, change, options);
  }

  /**
   * Permanent; also removes its working memory, and its copy on a backend. Throws `conflict` if another process has it open, unless
   * forced, and `remote` if the backend fails.
   */
  async remove(id: string, options: RemoveOptions = {}): Promise<OwnedSession> {
    const { removeSession } = await import("./change.ts");
    return removeSession(this.workspaces(), id, options);
  }

  /** Permanently removes old sessions that no process has open. Returns them; in a dry run, those it would remove. */
  async prune(before: Date, options: { dryRun?: boolean; chat?: string } = {}): Promise<OwnedSession[]> {
    const { pruneSessions } = await import("./change.ts");
    return pruneSessions(this.workspaces(), before, options);
  }

  /** Two or three sentences, written by the model. Without a model, or if it fails, quoted from the conversation. */
  async summarise(id: string, model: Model | null, signal?: AbortSignal): Promise<Summarised> {
    const { summarise } = await import("./summarise.ts");
    return summarise(this.workspaces(), id, model, signal);
  }

  /** Summarises up to 200 sessions whose process ended without closing them. Errors become warnings. */
  async summariseLeft(model: Model | null, signal?: AbortSignal): Promise<Summarised[]> {
    const { summariseLeft } = await import("./summarise.ts");
    return summariseLeft(this.workspaces(), model, signal);
  }
}
