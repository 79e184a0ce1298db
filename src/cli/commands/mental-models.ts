import { Argument } from "commander";
import type { MentalModelInfo } from "../../agent/mental-models/models.ts";
import type { Refreshed } from "../../agent/mental-models/refresh.ts";
import type { Retain } from "../../app.ts";
import { type ActionOf, actionsOf } from "../../core/command-effects.ts";
import { RetainError } from "../../core/errors.ts";
import { MENTAL_MODEL_STATES } from "../../core/mental-model.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { shellWord } from "../../util/shell-word.ts";
import { askPerson, canAsk, isYes } from "../ask.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions, collect, refuseSurplus } from "../options.ts";
import { type Cell, heading, type Output, type Style, table } from "../output.ts";

interface MentalModelsOptions extends CommonOptions {
  tag?: string[];
  force?: boolean;
  yes?: boolean;
}

type Action = ActionOf<"mental-models">;

export const mentalModels: CliCommand<MentalModelsOptions> = {
  define(command) {
    command
      .addArgument(new Argument("[action]", "what to do").choices(actionsOf("mental-models")).default("list"))
      .argument("[name]", "the mental model's name")
      .takes(([action]) => (action === "list" || action === "add" ? "text" : "mental-model"))
      .argument("[question...]", "with add: the question to answer")
      .takes("text")
      .option("--tag <tag>", "with add: use only memories with this tag; repeatable", collect)
      .takes("tag")
      .option("--force", "with refresh: even if nothing changed, or it was edited by hand")
      .option("--yes", "do not ask for confirmation");
    addExamples(command, [
      "retain mental-models",
      'retain mental-models add team "Who is in the team, and what does each do?" --tag people',
      "retain mental-models show user-preferences",
      "retain mental-models refresh                    # those whose sources changed",
      "retain mental-models refresh team --force",
      "retain mental-models pin team                   # stop refreshing it",
    ]);
  },

  async run(context, args, options) {
    const [action = "list", name, ...words] = args as [Action?, string?, ...string[]];
    refuseSurplus(
      "mental-models",
      action,
      action === "list" ? name : action === "add" ? undefined : words[0],
    );
    if (options.tag !== undefined && action !== "add")
      throw new RetainError("usage", "--tag only works with 'mental-models add'.");
    if (options.force && action !== "refresh")
      throw new RetainError("usage", "--force only works with 'mental-models refresh'.");
    const retain = context.open();
    if (action === "list") return listed(context, await retain.mentalModels.list());
    if (action === "refresh") return refreshed(context, retain, name, options);
    if (name === undefined)
      throw new RetainError(
        "usage",
        "The mental model's name is missing.",
        `For example: retain mental-models ${action} ${action === "add" ? 'team "Who is in the team?"' : "team"}`,
      );
    return RUN[action](context, retain, name, { ...options, question: words.join(" ") });
  },
};

interface Named extends MentalModelsOptions {
  readonly question: string;
}

type Run = (context: Context, retain: Retain, name: string, options: Named) => Promise<Output>;

const RUN: Record<Exclude<Action, "list" | "refresh">, Run> = {
  async show(context, retain, name) {
    const model = await retain.mentalModels.show(name);
    const { question, answer, problem } = model;
    if (problem !== null) context.warn(problem);
    const dim = (text: string) => context.terminal.style("dim", text);
    const head = [
      ...(question === "" ? [] : [question]),
      dim(`${stateOf(model).text} ${originOf(model)}`.trim()),
    ];
    const text = [
      ...head,
      "",
      answer || "No answer yet: memory has nothing on it.",
      "",
      dim(model.path),
    ].join("\n");
    return { data: model, text, quiet: answer };
  },

  async add(context, retain, name, { question, tag: tags = [] }) {
    const model = await retain.mentalModels.add(name, question === "" ? undefined : question, { tags });
    const done = context.terminal.style("green", `✓ Added '${name}'`);
    const answer =
      model.answer || "No answer yet: memory has nothing on it. Retain will answer once it does.";
    return { data: model, text: [done, "", answer].join("\n"), quiet: model.path };
  },

  async remove(context, retain, name) {
    const removed = await retain.mentalModels.remove(name);
    const text = `${context.terminal.style("green", `✓ Removed '${name}'`)}\n${context.terminal.style("dim", "Undo: retain undo")}`;
    return { data: removed, text, quiet: "" };
  },

  async pin(context, retain, name) {
    const model = await retain.mentalModels.pin(name);
    return { data: model, text: context.terminal.style("green", `✓ Pinned '${name}'`), quiet: "" };
  },

  async unpin(context, retain, name) {
    const model = await retain.mentalModels.pin(name, false);
    const text =
      model.state === "edited"
        ? `Unpinned '${name}', but it was edited by hand, so it is not refreshed. To replace the edit: retain mental-models refresh ${name} --force`
        : `✓ Unpinned '${name}'. Retain refreshes it again.`;
    return { data: model, text: context.terminal.style("green", text), quiet: "" };
  },
};

const STYLES: Record<MentalModelInfo["state"], Style> = {
  fresh: "green",
  pinned: "yellow",
  edited: "yellow",
  removed: "dim",
};

function stateOf({ state, problem }: MentalModelInfo): { text: string; style: Style } {
  if (problem !== null) return { text: "unreadable", style: "red" };
  return { text: MENTAL_MODEL_STATES[state], style: STYLES[state] };
}

const BY = {
  extract: "quoted from memory",
  model: "written by a model",
  hindsight: "by Hindsight",
  hand: "",
};

/** "(written by a model, 2026-11-15, from 4 memories)". */
function originOf({ by, refreshed_at, sources }: MentalModelInfo): string {
  const parts = [
    by === null ? "" : BY[by],
    refreshed_at === null ? "" : localDay(refreshed_at),
    sources.length === 0 ? "" : `from ${plural(sources.length, "memory", "memories")}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `(${parts.join(", ")})`;
}

function listed({ terminal }: Context, found: readonly MentalModelInfo[]): Output {
  const rows = found.map((model): Cell[] => [
    { text: model.name, style: "cyan" },
    model.origin,
    stateOf(model),
    model.refreshed_at === null ? "" : localDay(model.refreshed_at),
    model.problem ?? model.question,
  ]);
  const isByHand = found.some(({ state }) => state === "edited");
  const hint =
    "Answers edited by hand are not refreshed. To replace one: retain mental-models refresh <name> --force";
  const header = heading("NAME", "ORIGIN", "STATE", "REFRESHED", "QUESTION");
  const text =
    found.length === 0
      ? 'No mental models yet. Add one: retain mental-models add team "Who is in the team?"'
      : table(terminal, [header, ...rows], [4]).join("\n");
  return {
    data: { models: found, total: found.length },
    text: isByHand ? `${text}\n${terminal.style("dim", hint)}` : text,
    quiet: found.map(({ name }) => name).join("\n"),
  };
}

const OUTCOMES: Record<Refreshed["outcome"], string> = {
  refreshed: "refreshed",
  unchanged: "nothing changed",
  recent: "just refreshed; --force refreshes it again",
  pinned: "pinned, skipped",
  edited: "edited by hand, skipped",
  nothing: "memory has nothing on it yet",
  failed: "failed",
};

async function refreshed(
  context: Context,
  retain: Retain,
  name: string | undefined,
  options: MentalModelsOptions,
): Promise<Output> {
  const { force = false } = options;
  const overwrite = force && name !== undefined && (await mayOverwrite(retain, name, options));
  const done = await retain.mentalModels.refresh({ ...(name !== undefined && { name }), force, overwrite });
  for (const { name: one, notice } of done) if (notice !== null) context.warn(`${one}: ${notice}`);
  const rows = done.map((one): Cell[] => [
    { text: one.name, style: "cyan" },
    one.origin,
    { text: OUTCOMES[one.outcome], style: one.outcome === "refreshed" ? "green" : "dim" },
  ]);
  const text = done.length === 0 ? "Nothing to refresh." : table(context.terminal, rows, [2]).join("\n");
  const changed = done.filter(({ outcome }) => outcome === "refreshed").map((one) => one.name);
  const failed = done.filter(({ outcome }) => outcome === "failed").length;
  return {
    data: { models: done },
    text,
    quiet: changed.join("\n"),
    ...(failed > 0 && {
      failure: new RetainError("partial", `${plural(failed, "mental model")} could not be refreshed.`),
    }),
  };
}

/** Replaces text a person wrote only with that person's confirmation. Throws `unconfirmed`. */
async function mayOverwrite(retain: Retain, name: string, options: MentalModelsOptions): Promise<boolean> {
  const model = (await retain.mentalModels.list()).find((one) => one.name === name);
  if (model === undefined || (model.state !== "pinned" && model.state !== "edited")) return false;
  if (options.yes) return true;
  const state = MENTAL_MODEL_STATES[model.state];
  if (!canAsk(options))
    throw new RetainError(
      "unconfirmed",
      `'${name}' is ${state}, so replacing it needs confirmation.`,
      `To confirm: retain mental-models refresh ${shellWord(name)} --force --yes`,
    );
  const answer = await askPerson(`'${name}' is ${state}. Replace its answer? [y/N] `);
  if (isYes(answer)) return true;
  throw new RetainError("unconfirmed", "Nothing was changed.");
}
