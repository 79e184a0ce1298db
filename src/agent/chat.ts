/**
 * The chat behind every front end: a line in, events out. It holds the current conversation, the model and the tool approvals. Turns
 * are in turn.ts, commands in slash/.
 */

import { isDeepStrictEqual } from "node:util";
import { RetainError } from "../core/errors.ts";
import type { ChangedMemory } from "../core/facts/memory-changes.ts";
import { checked } from "../core/facts/memory-paths.ts";
import { command, type Hint, option } from "../core/hint.ts";
import type { ChatModel } from "../core/model.ts";
import { BY_MEMORY } from "../core/sessions/conversation.ts";
import { NO_MODEL } from "../llm/spec.ts";
import { type Attachments, NOTHING_ATTACHED, shownFile } from "./attachments/attachments.ts";
import { retainTurns } from "./auto-retain.ts";
import { Conversation } from "./conversation.ts";
import type { ChatEvent, ChatFace, DraftEvent, Offer, SendOptions } from "./events.ts";
import { firstQuestion } from "./first-start.ts";
import { learnedNews, offerLearning } from "./learn/in-chat.ts";
import { Notices } from "./notices.ts";
import { offeredTools } from "./offered-tools.ts";
import { followed, offersFor, quotedIn, savedByTools, type TurnNews } from "./offers.ts";
import { answerFromMemory } from "./offline.ts";
import { OpenCalls } from "./open-calls.ts";
import type { ChatPorts } from "./ports.ts";
import type { CallRunner } from "./run-calls.ts";
import { caught, runToCompletion } from "./run-to-completion.ts";
import type { SetupQuestion } from "./setup-question.ts";
import { skillsPrompt } from "./skills/skills.ts";
import { Known } from "./slash/known.ts";
import { completeSlash, type FoundCommand, findSlash, hintInChat } from "./slash/table.ts";
import type { SlashContext } from "./slash-context.ts";
import { Spending } from "./spending.ts";
import { asDecision, type Decision, type ToolMode } from "./tool.ts";
import { Approvals } from "./tools/approval.ts";
import { answerByModel, type TurnEnd } from "./turn.ts";
import { Upkeep } from "./upkeep.ts";

export interface ChatOptions {
  /** By default the project's, or "main". */
  chat?: string;
  /** A session's id, or "last". */
  resume?: string;
  /** Resume it even if another process seems to have it open. */
  take?: boolean;
  /** Store nothing. */
  incognito?: boolean;
  /** "provider/model"; "none" answers from memory alone. */
  model?: string;
  /** By default "ask". */
  tools?: ToolMode;
  /** The mode is "none" whatever is asked for, and messages attach no files. */
  memoryOnly?: boolean;
  /** A person can answer questions. */
  interactive: boolean;
  /** Questions of the first start besides the model. */
  setup?: readonly SetupQuestion[];
}

export class Chat implements ChatFace, SlashContext {
  conversation: Conversation;
  model: ChatModel | null;
  approvals: Approvals;
  spending: Spending;
  searched = "";
  changed: readonly ChangedMemory[] = [];
  readonly known: Known;
  /** Facts that the last turn or learning showed. */
  #shown: readonly string[] = [];
  #offered: readonly Offer[] = [];
  readonly #upkeep: Upkeep;
  readonly #calls = new OpenCalls();
  readonly #notices: Notices;
  #busy = false;

  /** Throws RetainError: the session does not exist or is open in another process, or the model's name is invalid. */
  static async open(ports: ChatPorts, options: ChatOptions): Promise<Chat> {
    const model = options.model === NO_MODEL ? null : await ports.models.open(options.model);
    const { incognito = ports.settings.incognito, resume, take } = options;
    const chat = checked("chat", options.chat ?? ports.chat);
    if (incognito && resume !== undefined)
      throw new RetainError(
        "usage",
        "An incognito conversation cannot resume a session.",
        "Drop one of the two: incognito, or the session.",
      );
    const conversation =
      resume === undefined
        ? new Conversation(ports, { chat, incognito })
        : await Conversation.resume(ports, resume, chat, take);
    return new Chat(ports, options, conversation, model);
  }

  private constructor(
    readonly ports: ChatPorts,
    readonly options: ChatOptions,
    conversation: Conversation,
    model: ChatModel | null,
  ) {
    this.conversation = conversation;
    this.model = model;
    this.approvals = new Approvals(options.memoryOnly ? "none" : (options.tools ?? "ask"));
    this.spending = new Spending(conversation);
    this.#upkeep = new Upkeep(ports);
    this.known = new Known(ports);
    const isFromMemory = conversation.said.some(({ details }) => details.model === BY_MEMORY);
    this.#notices = new Notices(ports, isFromMemory);
  }

  start(): AsyncGenerator<ChatEvent> {
    return this.#rendered(this.#begin());
  }

  async *#begin(): AsyncGenerator<DraftEvent, void> {
    const { interactive, model } = this.options;
    yield this.conversation.sessionEvent();
    yield this.modelEvent();
    yield { type: "tools", mode: this.approvals.mode };
    if (!this.options.incognito) yield* this.#notices.unstored();
    this.model?.prepare?.();
    if (!this.conversation.incognito) {
      yield* caught(this.#upkeep.compactNotes());
      this.#upkeep.summariseLeft(interactive ? this.model : null);
      if (!this.ports.isOff) this.ports.mentalModels.begin();
    }
    yield* this.#learned();
    yield* caught(this.#offers({ changed: [], usedTools: false }, 0));
    yield* this.#notices.incidents();
    const needsModel = this.model === null && model === undefined;
    if (interactive && needsModel) yield* this.#notices.missingModel();
    if (interactive && !this.conversation.incognito) yield* firstQuestion(this, needsModel);
    yield { type: "done", reason: "finished" };
  }

  async *send(line: string, signal: AbortSignal, options: SendOptions = {}): AsyncGenerator<ChatEvent> {
    if (this.#busy) {
      yield BUSY;
      yield { type: "done", reason: "failed" };
      return;
    }
    this.#busy = true;
    try {
      yield* this.#rendered(runToCompletion((stop) => this.#answer(line, options, stop), signal));
    } finally {
      this.#busy = false;
    }
  }

  async *#answer(line: string, options: SendOptions, signal: AbortSignal): AsyncGenerator<DraftEvent, void> {
    const command = findSlash(line);
    const before = this.conversation.said.at(-1)?.id ?? Number.NEGATIVE_INFINITY;
    if (command === null) {
      this.changed = [];
      this.#shown = [];
    }
    const news: TurnNews = { changed: [], usedTools: false };
    const reason = yield* followed(this.#turn(line, command, options, signal), news);
    if (command === null) this.#shown = [...this.#shown, ...quotedIn(this.conversation)];
    yield* caught(this.#offers(news, before));
    yield { type: "done", reason };
  }

  async *#turn(
    line: string,
    command: FoundCommand | null,
    options: SendOptions,
    signal: AbortSignal,
  ): AsyncGenerator<DraftEvent, TurnEnd> {
    const events = command === null ? this.#say(line.trim(), options, signal) : this.#obey(command, signal);
    const reason = yield* caught(events);
    const isTurn = command === null || command.command.isTurn === true;
    if (isTurn && !signal.aborted) yield* retainTurns(this.ports, this.conversation, { whenDue: true });
    yield* this.#upkeep.takeNotices();
    yield* this.#learned();
    if (isTurn && this.model !== null && this.options.interactive)
      yield* caught(offerLearning(this.ports, this.conversation, this.model.name));
    if (isTurn) this.#refreshModels();
    if (this.options.interactive) yield* this.#notices.server();
    this.ports.turnEnded();
    yield* this.#notices.incidents();
    yield* this.#notices.warnings();
    return reason;
  }

  /** `before` is the last message before the turn. Yields nothing if the offers are the same as before. */
  async *#offers({ changed, usedTools }: TurnNews, before: number): AsyncGenerator<DraftEvent, void> {
    if (!this.options.interactive) return;
    const { id } = this.conversation;
    const byTools = usedTools && id !== null ? await savedByTools(this.ports, id, before) : [];
    const all = [...this.changed, ...changed, ...byTools];
    this.changed = [...new Map(all.map((one) => [one.id, one])).values()];
    const offers = await offersFor(this.ports, this.changed, this.#shown);
    if (isDeepStrictEqual(offers, this.#offered)) return;
    this.#offered = offers;
    yield { type: "offers", offers };
  }

  answer(id: string, decision: Decision): void {
    this.#calls.answer(id, asDecision(decision));
  }

  stopTool(id: string): void {
    this.#calls.stop(id);
  }

  complete(beginning: string) {
    return completeSlash(this, beginning);
  }

  onCompletions(listener: () => void): void {
    this.known.onChange = listener;
  }

  async *close(signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const { id } = this.conversation;
    this.ports.unreadWarnings.end();
    await this.ports.mentalModels.end();
    await this.#upkeep.end(this.conversation, this.model, signal);
    yield* this.#rendered(this.#upkeep.takeNotices(), String);
    this.#wakeLearning();
    if (id !== null && this.options.interactive)
      yield {
        type: "notice",
        level: "info",
        text: `Resume with: ${command("chat", option("resume", id))}`,
      };
    yield { type: "done", reason: "finished" };
  }

  /** A person in a chat reads slash commands; one at a shell, the commands to type. */
  async *#rendered(
    events: AsyncIterable<DraftEvent> | Iterable<DraftEvent>,
    say: (hint: Hint) => string = this.options.interactive ? hintInChat : String,
  ): AsyncGenerator<ChatEvent> {
    for await (const event of events) {
      if (event.type === "error") yield { ...event, hint: event.hint && say(event.hint) };
      else if (event.type === "notice") yield { ...event, text: say(event.text) };
      else yield event;
    }
  }

  /** Shows what the worker found, and starts it if turns are due. */
  async *#learned(): AsyncGenerator<DraftEvent, void> {
    if (this.conversation.incognito) return;
    if (this.options.interactive) {
      const learned = yield* caught(learnedNews(this.ports));
      if (learned !== "failed") this.#shown = [...this.#shown, ...learned];
    }
    this.#wakeLearning();
  }

  #wakeLearning(): void {
    if (!this.conversation.incognito) this.ports.learning.wake();
  }

  change(to: Conversation): ChatEvent {
    const { conversation: left } = this;
    this.conversation = to;
    this.#upkeep.leaveBehind(left, this.model, () => this.conversation.id === left.id);
    this.approvals = new Approvals(this.approvals.mode);
    this.spending = new Spending(to);
    this.changed = [];
    this.#shown = [];
    return to.sessionEvent();
  }

  /** Runs in the background. Without a model for one-shot questions, and not at all for incognito conversations. */
  #refreshModels(): void {
    const { ports, model, conversation, spending } = this;
    if (conversation.incognito || ports.isOff) return;
    const writer = this.options.interactive ? model : null;
    ports.mentalModels.afterTurn({
      model: writer,
      onUsage: (usage) => writer !== null && spending.count(usage, writer),
    });
  }

  modelEvent(): ChatEvent {
    const { name = null, contextTokens = null } = this.model ?? {};
    return { type: "model", name, contextTokens };
  }

  async *#say(
    text: string,
    { own = text }: SendOptions,
    signal: AbortSignal,
    again: Conversation["failed"] = null,
  ): AsyncGenerator<DraftEvent, TurnEnd> {
    const { conversation, model, ports, spending } = this;
    if (text === "") return "finished";
    const attached = yield* this.#attachments(text, own, again);
    const isFirst = conversation.id === null;
    conversation.refresh();
    const { files } = attached;
    const asked = await conversation.add("user", text, files.length === 0 ? {} : { files });
    if (again !== null) await conversation.markRetried(again.id);
    const shown = [...files.map(shownFile), ...attached.leftOut];
    yield { type: "user", text, ...(shown.length > 0 && { files: shown }) };
    if (isFirst && conversation.id !== null)
      yield { type: "named", id: conversation.id, title: conversation.title };
    if (model === null) {
      yield* answerFromMemory(ports, conversation, text, own, asked);
      yield* this.#notices.missingModel();
      return "finished";
    }
    spending.newTurn();
    await ports.mentalModels.ready(signal);
    const skills = skillsPrompt(ports.skills());
    const turn = { ports, conversation, model, runner: this.#runner(), spending, skills };
    const before = conversation.failed;
    const end = yield* answerByModel(turn, text, signal);
    if (this.options.interactive && conversation.failed?.id !== before?.id) yield FAILED;
    return end;
  }

  async *retry(text: string, signal: AbortSignal): AsyncGenerator<DraftEvent, TurnEnd> {
    const { failed } = this.conversation;
    if (failed === null)
      throw new RetainError("not_found", "No message has failed.", "Just send your message.");
    return yield* this.#say(text || failed.text, {}, signal, failed);
  }

  /**
   * The same text is sent again with the same files: it may contain piped text, which attaches nothing. Throws `unsafe` after the
   * event that returns the text to the user.
   */
  *#attachments(
    text: string,
    own: string,
    again: Conversation["failed"],
  ): Generator<DraftEvent, Attachments> {
    // Without a model, they would not be read.
    if (this.model === null || this.options.memoryOnly) return NOTHING_ATTACHED;
    if (again?.text === text) return { files: again.files, leftOut: [] };
    try {
      return this.ports.attachments(own);
    } catch (error) {
      yield { type: "unsent", text };
      throw error;
    }
  }

  async *#obey({ command, args }: FoundCommand, signal: AbortSignal): AsyncGenerator<DraftEvent, TurnEnd> {
    const end = yield* command.run(this, args, signal);
    return end ?? (signal.aborted ? "interrupted" : "finished");
  }

  #runner(): CallRunner {
    const { approvals, options, ports } = this;
    return {
      tools: offeredTools(this),
      approvals,
      withoutKeys: ports.withoutKeys,
      ask: options.interactive ? this.#calls.ask : null,
      running: this.#calls.running,
    };
  }
}

const BUSY: ChatEvent = {
  type: "error",
  code: "conflict",
  message: "A reply is still in progress.",
  hint: "Wait for it to finish, or stop it.",
};

const FAILED: DraftEvent = {
  type: "notice",
  level: "info",
  text: "Your message failed, so the model does not see it. To send it again: /retry. To edit it first: /retry, a space and Tab.",
};
