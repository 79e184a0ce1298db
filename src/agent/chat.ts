/**
 * The chat, as every face uses it: a line in, events out. It holds the conversation that is going on, who answers, and what tools
 * may do; what happens in a turn, and what commands do, is written elsewhere.
 */

import type { AssembledContext } from "../context/parts.ts";
import { RetainError } from "../core/errors.ts";
import type { ChatModel } from "../core/model.ts";
import { asModel } from "../llm/complete.ts";
import type { SearchHit } from "../recall/search.ts";
import { plural } from "../util/text.ts";
import { Conversation } from "./conversation.ts";
import type { ChatDesk } from "./desk.ts";
import type { ChatEvent, ChatFace } from "./events.ts";
import { changesOf } from "./keep-reply.ts";
import { NO_MODEL } from "./model-messages.ts";
import { answers, fromMemory, MOST_LOOKED_AT, MOST_PASSAGES, toldOf, toRemember } from "./offline.ts";
import type { ChatPorts } from "./ports.ts";
import type { CallRunner } from "./run-calls.ts";
import { skillsPrompt } from "./skills.ts";
import { completeSlash, type FoundCommand, findSlash } from "./slash/table.ts";
import { Spending } from "./spending.ts";
import type { Decision, ToolMode } from "./tool.ts";
import { Approvals } from "./tools/approval.ts";
import { answerByModel, type TurnEnd } from "./turn.ts";

export interface ChatOptions {
  /** By default the project's, or "main". */
  chat?: string;
  /** A session's id, or "last". */
  resume?: string;
  /** Keep nothing. */
  incognito?: boolean;
  /** "provider/model"; "none" answers from memory alone. */
  model?: string;
  /** By default "ask". */
  tools?: ToolMode;
  /** Somebody can be asked. */
  interactive: boolean;
}

export class Chat implements ChatFace, ChatDesk {
  conversation: Conversation;
  model: ChatModel | null;
  approvals: Approvals;
  readonly spending = new Spending();
  readonly #waiting = new Map<string, (decision: Decision) => void>();
  /** Summaries of conversations that were left. */
  readonly #leaving = new Set<Promise<unknown>>();
  #toldAboutModel = false;
  #closing = false;

  /** Throws what a person can mend: a session that is not there or is open elsewhere, a model that makes no sense. */
  static async open(ports: ChatPorts, options: ChatOptions): Promise<Chat> {
    const model = options.model === "none" ? null : await ports.models.open(options.model);
    const { chat = ports.chat, incognito = false } = options;
    const conversation =
      options.resume === undefined
        ? new Conversation(ports, { chat, incognito })
        : await Conversation.resume(ports, options.resume, chat);
    return new Chat(ports, options, conversation, model);
  }

  private constructor(
    readonly ports: ChatPorts,
    private readonly options: ChatOptions,
    conversation: Conversation,
    model: ChatModel | null,
  ) {
    this.conversation = conversation;
    this.model = model;
    this.approvals = new Approvals(options.tools ?? "ask");
  }

  async *start(): AsyncGenerator<ChatEvent> {
    yield this.conversation.sessionEvent();
    yield this.modelEvent();
    yield { type: "tools", mode: this.approvals.mode };
    this.model?.prepare?.();
    yield* this.#caught(this.#upkeep());
    if (this.model === null && this.options.interactive && this.options.model === undefined)
      yield* this.#offerModels();
    yield { type: "done", reason: "finished" };
  }

  async *send(line: string, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const command = findSlash(line);
    const reason = yield* this.#caught(
      command === null ? this.#say(line.trim(), signal) : this.#obey(command, signal),
    );
    yield { type: "done", reason };
  }

  answer(id: string, decision: Decision): void {
    this.#waiting.get(id)?.(decision);
  }

  complete(beginning: string) {
    return completeSlash(this, beginning);
  }

  async *close(signal: AbortSignal): AsyncGenerator<ChatEvent> {
    this.#closing = true;
    await Promise.all([this.#leave(this.conversation, signal), ...this.#leaving]);
    yield { type: "done", reason: "finished" };
  }

  change(to: Conversation): ChatEvent {
    const left = this.#leave(this.conversation, new AbortController().signal).finally(() =>
      this.#leaving.delete(left),
    );
    this.#leaving.add(left);
    this.conversation = to;
    this.approvals = new Approvals(this.approvals.mode);
    return to.sessionEvent();
  }

  modelEvent(): ChatEvent {
    const { name = null, contextTokens = null } = this.model ?? {};
    return { type: "model", name, contextTokens };
  }

  async contextFor(query?: string): Promise<AssembledContext> {
    const { id, chat, compactedTo } = this.conversation;
    const session = id === null ? {} : { session: id };
    return this.ports.context({ chat, compactedTo, incognito: true, ...session, ...(query && { query }) });
  }

  async *#say(text: string, signal: AbortSignal): AsyncGenerator<ChatEvent, TurnEnd> {
    const { conversation, model, ports, spending } = this;
    if (text === "") return "finished";
    const isFirst = conversation.id === null;
    const asked = await conversation.add("user", text);
    yield { type: "user", text };
    if (isFirst && conversation.id !== null)
      yield { type: "named", id: conversation.id, title: conversation.title };
    if (model === null) return yield* this.#answerFromMemory(text, asked);
    spending.newTurn();
    const skills = skillsPrompt(ports.skills());
    const turn = { ports, conversation, model, runner: this.#runner(), spending, skills };
    return yield* answerByModel(turn, text, signal);
  }

  async *#obey(command: FoundCommand, signal: AbortSignal): AsyncGenerator<ChatEvent, TurnEnd> {
    yield* command.run(this, signal);
    return signal.aborted ? "interrupted" : "finished";
  }

  #runner(): CallRunner {
    const { approvals, ports, options } = this;
    return {
      tools: approvals.mode === "none" ? [] : ports.tools(),
      approvals,
      ask: options.interactive ? (id, signal) => this.#ask(id, signal) : null,
    };
  }

  #ask(id: string, signal: AbortSignal): Promise<Decision> {
    return new Promise((resolve) => {
      const settle = (decision: Decision) => {
        this.#waiting.delete(id);
        signal.removeEventListener("abort", refuse);
        resolve(decision);
      };
      const refuse = () => settle("no");
      if (signal.aborted) return refuse();
      signal.addEventListener("abort", refuse);
      this.#waiting.set(id, settle);
    });
  }

  async *#answerFromMemory(text: string, asked: number | null): AsyncGenerator<ChatEvent, TurnEnd> {
    const { conversation, ports } = this;
    const fact = toRemember(text);
    let answer: string;
    let hits: readonly SearchHit[] = [];
    if (fact !== null && !conversation.incognito) {
      const kept = await ports.memories.remember(fact);
      answer = kept.saved.length > 0 ? "I will remember that." : "I know that already.";
      yield { type: "memory", ...changesOf(kept) };
    } else {
      const found = await ports.recall(text, { limit: MOST_LOOKED_AT, scopes: ["", conversation.chat] });
      const isAsked = ({ kind, id }: SearchHit) => kind === "message" && id === String(asked);
      hits = found.filter((hit) => answers(hit, text) && !isAsked(hit)).slice(0, MOST_PASSAGES);
      answer = fromMemory(hits);
    }
    yield { type: "text", text: answer };
    // What it told is stored by its ids: as text it would be found twice.
    const id = await conversation.add("assistant", "", { model: NO_MODEL, context: toldOf(hits) });
    yield { type: "message", id, text: answer, interrupted: false };
    if (!this.#toldAboutModel) yield { type: "notice", level: "info", text: this.#noModel() };
    this.#toldAboutModel = true;
    return "finished";
  }

  #noModel(): string {
    return `No model is configured: answers come from memory alone. ${this.ports.models.howToGetOne}`;
  }

  /** Old notes become facts, and sessions that were never closed get their summaries. */
  async *#upkeep(): AsyncGenerator<ChatEvent> {
    const { memories, sessions } = this.ports;
    if (this.conversation.incognito) return;
    for (const { removed, notes } of await memories.compactIfDue())
      if (removed.length > 0)
        yield {
          type: "notice",
          level: "info",
          text: `${plural(notes.length, "old note")} taken into MEMORY.md. To take that back: retain undo`,
        };
    const patient = new AbortController().signal;
    await sessions.summariseLeft(this.options.interactive ? this.#summariser(patient) : null);
  }

  async *#offerModels(): AsyncGenerator<ChatEvent> {
    const offers = await this.ports.models.offers();
    yield { type: "notice", level: "info", text: this.#noModel() };
    this.#toldAboutModel = true;
    if (offers.length === 0) return;
    const items = offers.map(({ name, detail }) => ({ value: name, label: name, detail }));
    yield { type: "picker", picker: { title: "A model is here. Use it?", command: "/model", items } };
  }

  /**
   * The summary of a conversation that is over; by the model, unless the signal says that there is no time. Where it fails, the
   * next start makes it.
   */
  async #leave({ id }: Conversation, signal: AbortSignal): Promise<void> {
    if (id === null) return;
    const { sessions, store, self } = this.ports;
    try {
      await sessions.summarise(id, signal.aborted ? null : this.#summariser(signal), signal);
      // It may have been taken up again meanwhile.
      if (this.#closing || this.conversation.id !== id) await store.release(id, self);
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
    }
  }

  #summariser(signal: AbortSignal) {
    return this.model === null ? null : asModel(this.model, signal);
  }

  /** What a person can mend is told, not thrown. */
  async *#caught<T>(events: AsyncGenerator<ChatEvent, T>): AsyncGenerator<ChatEvent, T | "failed"> {
    try {
      return yield* events;
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      yield { type: "error", code: error.code, message: error.message, hint: error.hint ?? null };
      return "failed";
    }
  }
}
