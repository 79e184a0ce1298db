/**
 * Conversations on this machine, one file each. A write is flushed to the file before it is reported as stored; the rows are
 * updated in the same step.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { RetainError } from "../../core/errors.ts";
import { command, hint, option } from "../../core/hint.ts";
import type { FileStamp } from "../../core/ports/documents.ts";
import type { SessionStore, SessionsWanted } from "../../core/ports/sessions.ts";
import type {
  Message,
  NewMessage,
  NewSession,
  SessionChange,
  SessionSummary,
  StoredMessage,
} from "../../core/sessions/conversation.ts";
import {
  changeLine,
  editedSession,
  type FiledChange,
  headerLine,
  messageLines,
  readSession,
} from "../../core/sessions/session-file.ts";
import { idOfFile, type SessionFiles, sessionFileName } from "../../files/session-files.ts";
import type { KnownFile, SqliteSessions } from "../../sqlite/sessions/sessions.ts";
import { nextSessionId, numberedLater } from "./numbers.ts";
import type { SessionsInStep } from "./sync.ts";

export class LocalSessions implements SessionStore {
  readonly #rows: SqliteSessions;
  readonly #files: SessionFiles;

  constructor(private readonly inStep: SessionsInStep) {
    this.#rows = inStep.rows;
    this.#files = inStep.files;
  }

  get unwritable(): string | null {
    return this.#rows.unwritable;
  }

  async begin(
    { chat, title, day, openedBy }: Parameters<SessionStore["begin"]>[0],
    messages: readonly NewMessage[],
  ): Promise<{ id: string; messages: Message[] }> {
    if (messages.length === 0) throw new Error("A session begins with a message");
    return this.inStep.write(() => {
      const known = this.#rows.idsFrom(`session_${day.replaceAll("-", "")}_`, -1);
      // Includes ids of unreadable files.
      const filed = [...this.#files.list().keys()].map(idOfFile);
      const id = nextSessionId(day, [...known, ...filed, this.#files.numbers().session]);
      const added = this.#add({ id, chat, title }, messages);
      this.#rows.open(id, openedBy);
      return { id, messages: added };
    });
  }

  async append(session: NewSession, messages: readonly NewMessage[]): Promise<Message[]> {
    if (messages.length === 0) return [];
    return this.inStep.write(() => {
      this.#check(session);
      return this.#add(session, messages);
    });
  }

  async change(
    id: string,
    { title, tags, summary, coversTo, failed, retried }: SessionChange,
  ): Promise<void> {
    await this.inStep.write(() => {
      if (this.#rows.session(id) === null) this.inStep.requireRows();
      this.#require(id);
      const last = summary === undefined ? undefined : (this.#rows.messages(id).at(-1)?.id ?? 0);
      const to = coversTo ?? last;
      const change: FiledChange = {
        ...(title !== undefined && { title }),
        ...(tags !== undefined && { tags }),
        ...(summary !== undefined && { summary }),
        ...(to !== undefined && { covers_to: to }),
        ...(failed !== undefined && { failed }),
        ...(retried !== undefined && { retried }),
      };
      this.#rows.change(id, change, this.inStep.noted(this.#appendTo(id, changeLine(change))));
    });
  }

  async claim(id: string, openedBy: string, isGone: (holder: string) => boolean): Promise<string> {
    this.sync();
    return this.inStep.database.exclusively(() => {
      const { openedBy: holder } = this.#require(id);
      if (holder !== null && holder !== openedBy && !isGone(holder)) return holder;
      this.#rows.open(id, openedBy);
      return openedBy;
    });
  }

  async release(id: string, openedBy: string): Promise<void> {
    await this.inStep.database.exclusively(() => {
      if (this.#rows.session(id)?.openedBy === openedBy) this.#rows.open(id, null);
    });
  }

  async remove(id: string): Promise<boolean> {
    return this.inStep.write(() => {
      const session = this.#rows.session(id);
      this.inStep.requireRows();
      if (session === null) return false;
      this.#keepNumbers(id);
      const file = this.#fileOf(id);
      this.#files.remove([file.name]);
      this.#rows.drop(file);
      this.inStep.dropped(file);
      return true;
    });
  }

  async rewrite(edit: (content: string) => string): Promise<number> {
    return this.inStep.write(() => {
      let changed = 0;
      for (const file of [...this.inStep.knownFiles().values()]) {
        const bytes = this.#files.read(file.name) ?? new Uint8Array();
        const text = editedSession(bytes, edit);
        if (text === new TextDecoder().decode(bytes)) continue;
        const stamp = this.#files.write(file.name, text);
        const { session } = readSession(Buffer.from(text), file.session ?? "");
        if (session !== null && file.session !== null)
          this.#rows.replace(session, this.inStep.noted({ ...file, ...stamp, seenAt: Date.now() }));
        changed++;
      }
      return changed;
    });
  }

  holding(holds: (text: string) => boolean): string[] {
    return [...this.#files.list().keys()]
      .filter((name) => {
        const bytes = this.#files.read(name) ?? new Uint8Array();
        let isHeld = false;
        editedSession(bytes, (text) => {
          isHeld ||= holds(text);
          return text;
        });
        return isHeld;
      })
      .map((name) => this.#pathOf(name));
  }

  session(id: string): SessionSummary | null {
    return this.inStep.read((rows) => rows.session(id));
  }

  idsFrom(beginning: string, limit: number): string[] {
    return this.inStep.read((rows) => rows.idsFrom(beginning, limit));
  }

  list(wanted: SessionsWanted): SessionSummary[] {
    return this.inStep.read((rows) => rows.list(wanted));
  }

  unsummarised(isGone: (holder: string) => boolean): SessionSummary[] {
    return this.unwritable === null ? this.inStep.read((rows) => rows.unsummarised(isGone)) : [];
  }

  unlearned(since: string): SessionSummary[] {
    return this.unwritable === null ? this.inStep.read((rows) => rows.unlearned(since)) : [];
  }

  chatOf(session: string): string | null {
    return this.session(session)?.chat ?? null;
  }

  message(id: number): StoredMessage | null {
    return this.inStep.read((rows) => rows.message(id));
  }

  around(message: StoredMessage, count: number): Message[] {
    return this.inStep.read((rows) => rows.around(message, count));
  }

  messages(session: string): Message[] {
    return this.inStep.read((rows) => rows.messages(session));
  }

  /** Session files that are damaged or cannot be imported, and why. */
  problems(): { readonly path: string; readonly problem: string }[] {
    return [...this.inStep.read((rows) => rows.files()).values()].flatMap(({ name, problem }) =>
      problem === null ? [] : { path: join(this.#files.directory, name), problem },
    );
  }

  get directory(): string {
    return this.#files.directory;
  }

  /** The directory that `paths` are relative to. */
  get root(): string {
    return dirname(this.#files.directory);
  }

  /** The files of all conversations. */
  paths(): string[] {
    return [...this.#files.list().keys()].map((name) => join(basename(this.#files.directory), name));
  }

  /** Absolute for a project, whose conversations are outside its workspace. */
  #pathOf(name: string): string {
    const path = join(this.#files.directory, name);
    return this.inStep.database.isIn(this.root) ? relative(this.root, path) : path;
  }

  /** Removes the files of all conversations; the caller, which holds the lock, removes the rows. */
  removeFiles(): void {
    if (this.#files.list().size === 0) return;
    this.inStep.alone(() => {
      const ids = this.#rows.idsFrom("", -1);
      this.#keepNumbers(ids.reduce(numberedLater, ""));
      this.#files.remove([...this.#files.list().keys()]);
    });
  }

  rebuild(): void {
    this.inStep.rebuild();
  }

  sync(): boolean {
    return this.inStep.sync();
  }

  close(): void {
    this.inStep.close();
  }

  #add(session: NewSession, messages: readonly NewMessage[]): Message[] {
    const next = Math.max(this.#rows.lastNumber(), this.#files.numbers().message) + 1;
    const added = messages.map(({ details = {}, ...message }, index) => ({
      ...{ id: next + index, details },
      ...message,
    }));
    const created_at = session.created_at ?? messages[0]?.timestamp ?? "";
    const header = { ...session, tags: session.tags ?? [], created_at };
    const lines = messageLines(added, session.updated_at);
    const isNew = this.#rows.session(session.id) === null;
    this.inStep.requireRows();
    const file = isNew
      ? this.#create(session.id, headerLine(header) + lines)
      : this.#appendTo(session.id, lines);
    const updated_at = session.updated_at ?? messages.at(-1)?.timestamp ?? "";
    this.#rows.add({ ...header, updated_at, messages: added }, this.inStep.noted(file));
    return added;
  }

  /** Called before a session is removed, so that its number and its messages' numbers are not reused. */
  #keepNumbers(removed: string): void {
    const { message, session } = this.#files.numbers();
    this.#files.keepNumbers({
      message: Math.max(message, this.#rows.lastNumber()),
      session: numberedLater(session, removed),
    });
  }

  #create(id: string, text: string): KnownFile {
    const name = sessionFileName(id);
    if (existsSync(join(this.#files.directory, name)))
      throw new RetainError(
        "conflict",
        `Nothing was stored: ${join(this.#files.directory, name)} exists but cannot be read as the session ${id}.`,
        "Check the file, then move it away.",
      );
    return known(name, id, this.#files.write(name, text));
  }

  #appendTo(id: string, lines: string): KnownFile {
    const file = this.#fileOf(id);
    return { ...file, ...this.#files.append(file.name, lines, file.size), seenAt: Date.now() };
  }

  #fileOf(id: string): KnownFile {
    const files = this.inStep.knownFiles();
    const usual = files.get(sessionFileName(id));
    const file = usual?.session === id ? usual : [...files.values()].find(({ session }) => session === id);
    if (file === undefined) throw new Error(`The session ${id} has no file`);
    return file;
  }

  #require(id: string): SessionSummary {
    const session = this.#rows.session(id);
    if (session !== null) return session;
    throw new RetainError(
      "not_found",
      `There is no session ${JSON.stringify(id)}.`,
      hint`List sessions with: ${command("sessions list")}`,
    );
  }

  /** Throws `conflict` for a session of another chat, and for one that changed in the meantime. */
  #check({ id, chat, follows }: NewSession): void {
    const session = this.#rows.session(id);
    // Messages of one chat must not be found in another.
    if (session !== null && session.chat !== chat)
      throw new RetainError(
        "conflict",
        `The session ${id} belongs to the chat ${session.chat}, not to ${chat}. Nothing was stored.`,
        hint`Pass ${option("chat", session.chat)}, or use another session.`,
      );
    if (follows !== undefined && this.#rows.length(id) !== follows)
      throw new RetainError("conflict", `The session ${id} changed in the meantime. Nothing was stored.`);
  }
}

function known(name: string, session: string, stamp: FileStamp): KnownFile {
  return { name, session, ...stamp, seenAt: Date.now(), problem: null };
}
