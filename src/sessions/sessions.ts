/** What people and programs do with stored conversations. Each verb is loaded when it is first used. */

import type { Model } from "../core/ports/documents.ts";
import type { Message, StoredMessage } from "../core/sessions/conversation.ts";
import type { RemoveOptions, TagChange } from "./change.ts";
import type { ExportFormat, ShownSession } from "./export.ts";
import type { FindOptions, SessionsAsked } from "./find.ts";
import type { OwnedSession, SessionWorkspaces } from "./ports.ts";
import type { Summarised } from "./summarise.ts";

/** How many messages around one are shown with it. */
const AROUND = 2;

/** An id is meant by its beginning too, where that is unambiguous; "last" is the one in which something was said last. */
export class Sessions {
  constructor(private readonly places: () => SessionWorkspaces) {}

  /** Of the project and of the home workspace, the newest first. Sessions in which nothing was said are left out. */
  async list(asked: SessionsAsked = {}): Promise<OwnedSession[]> {
    const { listSessions } = await import("./find.ts");
    return listSessions(this.places(), asked);
  }

  /** Throws `not_found` or `ambiguous`, as all that follow. */
  async find(id: string, options: FindOptions = {}): Promise<OwnedSession> {
    const { findSession } = await import("./find.ts");
    return findSession(this.places(), id, options).session;
  }

  /** With all of its messages. */
  async show(id: string, options: FindOptions = {}): Promise<ShownSession> {
    const { findSession } = await import("./find.ts");
    const { workspace, session } = findSession(this.places(), id, options);
    return { ...session, conversation: workspace.sessions.messages(session.id) };
  }

  /** One message by its number, with the messages before and after it; null where there is none. */
  async message(id: number): Promise<{ message: StoredMessage; around: Message[] } | null> {
    for (const { sessions } of this.places().read) {
      const message = sessions.message(id);
      if (message !== null) return { message, around: sessions.around(message, AROUND) };
    }
    return null;
  }

  /** As JSON in the schema of spec 000, or as Markdown for a reader. */
  async export(id: string, format: ExportFormat, options: FindOptions = {}): Promise<string> {
    const { exported } = await import("./export.ts");
    return exported(await this.show(id, options), format);
  }

  /** Throws `invalid_input` and `secret` too, with nothing changed. */
  async rename(id: string, title: string): Promise<OwnedSession> {
    const { renameSession } = await import("./change.ts");
    return renameSession(this.places(), id, title);
  }

  /** Throws as `rename`. */
  async tag(id: string, change: TagChange): Promise<OwnedSession> {
    const { tagSession } = await import("./change.ts");
    return tagSession(this.places(), id, change);
  }

  /** For good, with its working memory. Throws `conflict` where another process has it open, unless forced. */
  async remove(id: string, options: RemoveOptions = {}): Promise<OwnedSession> {
    const { removeSession } = await import("./change.ts");
    return removeSession(this.places(), id, options);
  }

  /** Removes old sessions, for good; returns those that went or, in a dry run, would. Those that a process has open stay. */
  async prune(before: Date, options: { dryRun?: boolean; chat?: string } = {}): Promise<OwnedSession[]> {
    const { pruneSessions } = await import("./change.ts");
    return pruneSessions(this.places(), before, options);
  }

  /** Two or three sentences: by the model, or without one, or where it fails, of the conversation's own. */
  async summarise(id: string, model: Model | null, signal?: AbortSignal): Promise<Summarised> {
    const { summarise } = await import("./summarise.ts");
    return summarise(this.places(), id, model, signal);
  }

  /** Summarises sessions that nobody has open and that were not closed: up to 200 at once. What goes wrong is a warning. */
  async summariseLeft(model: Model | null, signal?: AbortSignal): Promise<Summarised[]> {
    const { summariseLeft } = await import("./summarise.ts");
    return summariseLeft(this.places(), model, signal);
  }
}
