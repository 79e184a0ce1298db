/**
 * The current conversation: what the model sees and what is stored. A message is durable before anything else happens with it. An
 * incognito conversation stores nothing.
 */
import { tokensOf } from "../context/tokens.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import type { ModelMessage, ToolCall, ToolResult } from "../core/model.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import { storable } from "../core/secrets/storable.ts";
import type {
  AttachedFile,
  Message,
  MessageDetails,
  NewMessage,
  Role,
  SessionChange,
} from "../core/sessions/conversation.ts";
import { titleOf } from "../sessions/title.ts";
import { localDay } from "../util/days.ts";
import { shownProcess } from "../util/process.ts";
import type { ChatEvent } from "./events.ts";
import { sinceCompaction, toModelMessages, toPast } from "./model-messages.ts";
import type { ChatPorts } from "./ports.ts";

interface ConversationOptions {
  readonly chat: string;
  readonly incognito: boolean;
}

export class Conversation {
  readonly chat: string;
  /** Also true if the store is not writable. */
  readonly incognito: boolean;
  #id: string | null = null;
  #title: string | null = null;
  /** As stored; in an incognito conversation, as they would be stored. */
  #messages: Message[] = [];
  /** Original texts by message id, with secrets and private parts: the model may see them, the database may not. */
  readonly #said = new Map<number, string>();
  /** Ids for messages that are not stored: negative, so that none matches a stored message. */
  #unstored = Number.MIN_SAFE_INTEGER;

  constructor(
    private readonly ports: Pick<ChatPorts, "store" | "clock" | "self">,
    { chat, incognito }: ConversationOptions,
  ) {
    this.chat = chat;
    this.incognito = incognito || ports.store.unwritable !== null;
  }

  /**
   * Resumes a stored session by its id, an id prefix, or "last", the last one of that chat. Throws `not_found`, `ambiguous`, and
   * `conflict` if another process has it open.
   */
  static async resume(ports: ChatPorts, said: string, chat: string, take = false): Promise<Conversation> {
    const found = await ports.sessions.find(said, { chat });
    const { id } = found;
    if (found.origin !== ports.origin)
      throw new RetainError(
        "not_found",
        `Session ${id} belongs to the ${found.origin} workspace, but this chat uses another one.`,
        found.origin === "home"
          ? hint`Resume it with: ${command("chat", option("global"), option("resume", id))}`
          : hint`Drop ${option("global")}.`,
      );
    const holder = await ports.store.claim(id, ports.self, (other) => take || ports.isGone(other));
    if (holder !== ports.self)
      throw new RetainError(
        "conflict",
        `Session ${id} is open in another process (${shownProcess(holder)}).`,
        hint`Continue there, or close it first. If that process is gone: ${command("chat", option("resume", id), option("take"))}`,
      );
    const conversation = new Conversation(ports, { chat: found.chat, incognito: false });
    conversation.#id = id;
    conversation.#title = found.title;
    conversation.#messages = ports.store.messages(id);
    // Whoever was to answer it was killed.
    const last = conversation.#messages.findLast(({ role }) => role !== "system");
    if (last?.role === "user" && last.details.failed === undefined && !conversation.incognito)
      await conversation.markFailed();
    return conversation;
  }

  /** null before the first message, and in an incognito conversation. */
  get id(): string | null {
    return this.#id;
  }

  get title(): string | null {
    return this.#title;
  }

  /** Replaces the older messages; null if the conversation was never compacted. */
  get summary(): Message | null {
    return sinceCompaction(this.#messages).summary;
  }

  /** Id of the last summarised message; 0 if none is. */
  get compactedTo(): number {
    return Math.max(0, this.summary?.details.compactsTo ?? 0);
  }

  /** The messages that the model sees verbatim. */
  get messages(): readonly Message[] {
    return sinceCompaction(this.#messages).messages;
  }

  /** All messages, including those that the summary replaces. */
  get said(): readonly Message[] {
    return this.#messages;
  }

  /** The user's last message that got no reply and was not sent again, with secrets if they are known; null if there is none. */
  get failed(): {
    readonly id: number;
    readonly text: string;
    readonly files: readonly AttachedFile[];
  } | null {
    const message = this.#messages.findLast(({ details }) => details.failed === "unanswered");
    if (message === undefined) return null;
    const { id, content, details } = message;
    return { id, text: this.#said.get(id) ?? content, files: details.files ?? [] };
  }

  /** Marks the user's last message as failed: requests leave it out. */
  async markFailed(): Promise<void> {
    const last = this.#messages.findLast(({ role }) => role === "user");
    if (last !== undefined) await this.#mark(last.id, { failed: last.id });
  }

  /** Marks a failed message as sent again. */
  async markRetried(id: number): Promise<void> {
    await this.#mark(id, { retried: id });
  }

  async #mark(id: number, change: Pick<SessionChange, "failed" | "retried">): Promise<void> {
    if (this.#id !== null) await this.ports.store.change(this.#id, change);
    const failed = change.failed === undefined ? "retried" : "unanswered";
    this.#messages = this.#messages.map((message) =>
      message.id === id ? { ...message, details: { ...message.details, failed } } : message,
    );
  }

  /** Records that auto-retain has processed everything up to this message. */
  async markRetained({ id }: Pick<Message, "id">): Promise<void> {
    await this.add("system", "", { retainedTo: id });
  }

  /** Reloads the messages, since `forget` and others change them in the database. */
  refresh(): void {
    if (this.#id === null) return;
    this.#messages = this.ports.store.messages(this.#id);
    for (const { id, content } of this.#messages)
      if (storable(this.#said.get(id) ?? "", false) !== content) this.#said.delete(id);
  }

  forModel(): ModelMessage[] {
    return toModelMessages(
      this.#messages.map((message) => ({
        ...message,
        content: this.#said.get(message.id) ?? message.content,
      })),
    );
  }

  sessionEvent(): ChatEvent {
    const { chat, incognito } = this;
    return {
      type: "session",
      id: this.#id,
      chat,
      title: this.#title,
      incognito,
      past: toPast(this.#messages),
    };
  }

  /** Durable on return, unless incognito. Returns the stored message's id, or null. */
  async add(role: Role, text: string, details: MessageDetails = {}, tokens?: number): Promise<number | null> {
    const message: NewMessage = {
      role,
      speaker: null,
      content: storable(text, false),
      timestamp: this.ports.clock().toISOString(),
      token_count: tokens ?? tokensOf(text),
      details: storableDetails(details),
    };
    const stored = this.incognito ? this.#withoutStoring(message) : await this.#store(message);
    this.#messages.push(stored);
    this.#said.set(stored.id, text);
    return this.incognito ? null : stored.id;
  }

  renamed(title: string | null): void {
    this.#title = title;
  }

  async #store(message: NewMessage): Promise<Message> {
    const { store, clock, self } = this.ports;
    if (this.#id !== null) {
      const [stored] = await store.append({ id: this.#id, chat: this.chat, title: this.#title }, [message]);
      return required(stored);
    }
    this.#title ??= titleOf(message.content);
    const day = localDay(clock().toISOString());
    const begun = await store.begin({ chat: this.chat, title: this.#title, day, openedBy: self }, [message]);
    this.#id = begun.id;
    return required(begun.messages[0]);
  }

  #withoutStoring(message: NewMessage): Message {
    return { ...message, id: this.#unstored++, details: message.details ?? {} };
  }
}

function required(message: Message | undefined): Message {
  if (message === undefined) throw new Error("A message was not stored");
  return message;
}

/** Tools read files, and files contain secrets: those are redacted before anything is stored. */
function storableDetails(details: MessageDetails): MessageDetails {
  const { answer, calls, files, results, thinking, ...others } = details;
  return {
    ...others,
    ...(answer !== undefined && { answer: storable(answer, false) }),
    // Thinking is signed, so it is stored unchanged or not at all.
    ...(thinking && { thinking: thinking.filter(({ text }) => storable(text, false) === text) }),
    ...(calls && { calls: calls.map(storableCall) }),
    ...(files && {
      files: files.map((file) => ({
        ...file,
        path: redactSecrets(file.path),
        text: redactSecrets(file.text),
      })),
    }),
    ...(results && { results: results.map(storableResult) }),
  };
}

function storableResult({ output, brief, diff, ...others }: ToolResult): ToolResult {
  return {
    ...others,
    output: redactSecrets(output),
    ...(brief !== undefined && { brief: redactSecrets(brief) }),
    ...(diff !== undefined && { diff: redactSecrets(diff) }),
  };
}

function storableCall({ id, name, input, invalid }: ToolCall): ToolCall {
  const why = invalid === undefined ? {} : { invalid: redactSecrets(invalid) };
  return { id: redactSecrets(id), name: redactSecrets(name), input: withoutSecrets(input), ...why };
}

function withoutSecrets(input: unknown): unknown {
  if (typeof input === "string") return redactSecrets(input);
  if (typeof input !== "object" || input === null) return input;
  if (Array.isArray(input)) return input.map(withoutSecrets);
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [redactSecrets(key), withoutSecrets(value)]),
  );
}
