/** The chats that are open on the server, one for each conversation, whichever tabs show it. */
import type { FileList } from "../../agent/attachments/file-list.ts";
import type { ChatOptions } from "../../agent/chat.ts";
import type { SetupQuestion } from "../../agent/setup-question.ts";
import type { Retain } from "../../app.ts";
import { RetainError } from "../../core/errors.ts";
import { OpenChat } from "./open-chat.ts";

interface ChatRequest {
  /** A chat that may still be open: then it is returned. */
  readonly chat?: string | undefined;
  /** The session to resume: its id, or the beginning of it. */
  readonly session?: string | undefined;
  /** Resume it even if another process has it open. */
  readonly take?: boolean | undefined;
  readonly incognito?: boolean | undefined;
}

interface ChatsOptions {
  readonly retain: Retain;
  /** Questions of the first start. */
  readonly setup: readonly SetupQuestion[];
  /** Other machines can reach the server, so its chats use no files and run no commands. */
  readonly isRemote: boolean;
  report(error: Error): void;
}

const RESUME = /^\/resume\s+(\S+)\s*$/i;

export class Chats {
  readonly #open = new Map<string, OpenChat>();
  /** One is opened after the other, so that two tabs get the same chat for a session. */
  #lastInTurn: Promise<unknown> = Promise.resolve();
  /** Read once. */
  #files: Promise<FileList> | null = null;
  /** Aborts when the server stops: then no summary waits for a model. */
  readonly #ending = new AbortController();

  constructor(private readonly options: ChatsOptions) {}

  /** Throws what `Retain.chat` throws: `conflict` if another process has the session open. */
  open(request: ChatRequest): Promise<OpenChat> {
    return this.#inTurn(() => this.#opened(request));
  }

  /** Runs `work`, such as deleting the session, while no chat has it open. An open one is closed, without waiting for a model. */
  withoutChat<T>(session: string, work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const holder = this.#holderOf(session);
      if (holder !== null) await this.#end(holder, AbortSignal.abort());
      return work();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastInTurn.then(work);
    this.#lastInTurn = done.catch(() => {});
    return done;
  }

  async #opened({ chat: id, session: said, take, incognito }: ChatRequest): Promise<OpenChat> {
    const { retain, setup, isRemote, report } = this.options;
    const same = id === undefined ? undefined : this.#open.get(id);
    if (same?.keep()) return same;
    const session = said === undefined ? null : (await retain.sessions.find(said)).id;
    const holder = session === null ? null : this.#holderOf(session);
    if (holder?.keep()) return holder;
    if (holder !== null) await this.#end(holder, this.#ending.signal);

    if (this.#ending.signal.aborted) throw new RetainError("interrupted", "The server is stopping.");
    const options: ChatOptions = {
      ...{ interactive: true, setup, memoryOnly: isRemote },
      ...(session !== null && { resume: session }),
      ...(take && { take }),
      ...(incognito && { incognito }),
    };
    const chat = new OpenChat(await retain.chat(options), {
      session,
      report,
      onUnused: () => {
        this.close(chat.id).catch(report);
      },
    });
    this.#open.set(chat.id, chat);
    return chat;
  }

  /** Throws `not_found` if it isn't open, or is closing: then whoever opens its session waits for that. */
  get(id: string): OpenChat {
    const chat = this.#open.get(id);
    if (chat === undefined || chat.isClosing)
      throw new RetainError("not_found", "This chat is no longer open.", "Open its session again.");
    return chat;
  }

  /** Throws `conflict` if the chat is busy, or if the line resumes a session that another chat has open. */
  async send(id: string, line: string): Promise<void> {
    const chat = this.get(id);
    const [, wanted] = RESUME.exec(line) ?? [];
    const found =
      wanted === undefined ? null : await this.options.retain.sessions.find(wanted).catch(() => null);
    const holder = found === null ? null : this.#holderOf(found.id);
    if (holder !== null && holder !== chat)
      throw new RetainError(
        "conflict",
        "Another chat on this server has that session open.",
        "Continue there.",
      );
    // It may have begun to close in the meantime.
    this.get(id).send(line);
  }

  /** References to the files that a message can attach, best match first. An empty part reads the list of files again. */
  async files(part: string): Promise<ReturnType<FileList["find"]>> {
    const { retain, isRemote } = this.options;
    if (isRemote) return [];
    this.#files ??= retain.fileList().then(async (list) => {
      await list.refresh();
      return list;
    });
    const list = await this.#files;
    if (part === "") await list.refresh();
    return list.find(part);
  }

  #holderOf(session: string): OpenChat | null {
    return this.#open.values().find((chat) => chat.session === session) ?? null;
  }

  /** Waits until the session is summarised and released. Does nothing if the chat isn't open. */
  close(id: string): Promise<void> {
    const chat = this.#open.get(id);
    return chat === undefined ? Promise.resolve() : this.#end(chat, this.#ending.signal);
  }

  #end(chat: OpenChat, signal: AbortSignal): Promise<void> {
    return chat.close(signal).finally(() => this.#open.delete(chat.id));
  }

  async closeAll(): Promise<void> {
    this.#ending.abort();
    await this.#lastInTurn;
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }
}
