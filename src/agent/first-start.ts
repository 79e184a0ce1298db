/**
 * The questions of the first start: a model, agents to connect, files to import. Each one is an unprompted picker whose choices are
 * `/setup` commands, and the answer to one brings the next. They are asked once per home, and `/setup` asks them again.
 */
import { RetainError } from "../core/errors.ts";
import { NO_MODEL } from "../llm/spec.ts";
import type { DraftEvent } from "./events.ts";
import type { SetupQuestion } from "./setup-question.ts";
import { notice, type SlashCommand } from "./slash/command.ts";
import type { SlashContext } from "./slash-context.ts";

const SKIP = "skip";

/** Asks about the model in any home, and the rest only in an empty one. */
export async function* firstQuestion(
  chat: SlashContext,
  needsModel: boolean,
): AsyncGenerator<DraftEvent, void> {
  const { setup } = chat.ports;
  if (setup.isAsked()) return;
  const all = questions(chat);
  const due = all.filter(({ name }) => (name === "model" ? needsModel : setup.isNewHome));
  const event = await nextQuestion(due);
  if (event !== null && setup.setAsked()) yield event;
}

export const setup: SlashCommand = {
  name: "setup",
  usage: "",
  detail: "choose a model, connect agents, import CLAUDE.md",
  async *run(chat, said) {
    const all = questions(chat);
    const [name = "", ...rest] = said.split(" ");
    const at = all.findIndex((question) => question.name === name);
    const value = rest.join(" ");
    if (said !== "" && (at < 0 || value === ""))
      throw new RetainError("usage", `/setup does not know '${said}'.`, "Type /setup alone.");
    if (value !== "" && value !== SKIP) yield* taken(chat, all[at], value);
    const next = await nextQuestion(all.slice(at + 1));
    if (next !== null) yield next;
    else if (said === "") yield notice("There is nothing to set up.");
  },
};

/** A failure is shown, and the next question follows. */
async function* taken(
  chat: SlashContext,
  question: SetupQuestion | undefined,
  value: string,
): AsyncGenerator<DraftEvent, void> {
  try {
    const done = await question?.take(value);
    if (question?.name === "model") yield chat.modelEvent();
    if (done !== undefined) yield notice(done);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    yield { type: "error", code: error.code, message: error.message, hint: error.hint ?? null };
  }
}

function questions(chat: SlashContext): SetupQuestion[] {
  return [modelQuestion(chat), ...(chat.options.setup ?? [])];
}

/** null if nothing is left to ask. */
async function nextQuestion(left: readonly SetupQuestion[]): Promise<DraftEvent | null> {
  for (const { name, title, items: itemsOf } of left) {
    const items = (await itemsOf()).map((item) => ({ ...item, value: `${name} ${item.value}` }));
    const skip = `${name} ${SKIP}`;
    if (items.length > 0)
      return { type: "picker", picker: { title, command: "/setup", items, isUnprompted: true, skip } };
  }
  return null;
}

function modelQuestion(chat: SlashContext): SetupQuestion {
  const { models } = chat.ports;
  return {
    name: "model",
    title: "Which model should answer?",
    async items() {
      const offers = await models.offers();
      if (offers.length === 0) return [];
      const none = { value: NO_MODEL, label: NO_MODEL, detail: "answer from memory alone" };
      return [...offers.map(({ name, detail }) => ({ value: name, label: name, detail })), none];
    },
    async take(name) {
      chat.model = name === NO_MODEL ? null : await models.open(name);
      await models.use(name);
      return name === NO_MODEL ? "Models are off." : `Now using ${name}.`;
    },
  };
}
