/** The chats that are open on the server, one for each conversation, whichever tabs show it. */
import type { ChatOptions } from "../../agent/chat.ts";
import type { SetupQuestion } from "../../agent/setup-question.ts";
import type { Retain } from "../../app.ts";
import { RetainError } from "../../core/errors.ts";
import { OpenChat } from "./open-chat.ts";

export interface ChatRequest {
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
  report(error: Error): void;
}

const RESUME = /^\/resume\s+(\S+)\s*$/i;

export class Chats {
  readonly #open = new Map<string, OpenChat>();
  /** One is opened after the other, so that two tabs get the same chat for a session. */
  #opening: Promise<unknown> = Promise.resolve();
  /** Aborts when the server stops: then no summary waits for a model. */
  readonly #ending = new AbortController();

  constructor(private readonly options: ChatsOptions) {}

  /** Throws what `Retain.chat` throws: `conflict` if another process has the session open. */
  open(request: ChatRequest): Promise<OpenChat> {
    const opened = this.#opening.then(() => this.#opened(request));
    this.#opening = opened.catch(() => {});
    return opened;
  }

  async #opened({ chat: id, session: said, take, incognito }: ChatRequest): Promise<OpenChat> {
    const { retain, setup, report } = this.options;
    const same = id === undefined ? undefined : this.#open.get(id);
    if (same !== undefined) return same;
    const session = said === undefined ? null : (await retain.sessions.find(said)).id;
    const shared = session === null ? null : this.#holderOf(session);
    if (shared !== null) return shared;

    if (this.#ending.signal.aborted) throw new RetainError("interrupted", "The server is stopping.");
    const options: ChatOptions = {
      ...{ interactive: true, setup },
      ...(session !== null && { resume: session }),
      ...(take && { take }),
      ...(incognito && { incognito }),
      ...(await this.#chosenModel()),
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

  /** Somebody may have chosen another model since the server was started. */
  async #chosenModel(): Promise<Pick<ChatOptions, "model">> {
    const { retain } = this.options;
    const { value } = await retain.settings.get("model");
    return typeof value === "string" && value !== "" && value !== retain.config.settings.model
      ? { model: value }
      : {};
  }

  /** Throws `not_found` if it isn't open. */
  get(id: string): OpenChat {
    const chat = this.#open.get(id);
    if (chat === undefined)
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
    chat.send(line);
  }

  #holderOf(session: string): OpenChat | null {
    return this.#open.values().find((chat) => chat.session === session) ?? null;
  }

  /** Waits until the session is summarised and released. Does nothing if the chat isn't open. */
  close(id: string): Promise<void> {
    const chat = this.#open.get(id);
    if (chat === undefined) return Promise.resolve();
    const closed = chat.close(this.#ending.signal).finally(() => this.#open.delete(id));
    // Whoever opens the session meanwhile waits for it.
    this.#opening = Promise.all([this.#opening, closed]).catch(() => {});
    return closed;
  }

  async closeAll(): Promise<void> {
    this.#ending.abort();
    await this.#opening;
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }
}
