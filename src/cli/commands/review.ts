import { RetainError } from "../../core/errors.ts";
import type { Facts } from "../../facts/facts.ts";
import type { OwnedFact } from "../../facts/list-facts.ts";
import type { Rejected } from "../../facts/unconfirmed/reject.ts";
import { DECISIONS, type Doubt, type ReviewDecision } from "../../facts/unconfirmed/review.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { askKey, canAsk } from "../ask.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";
import { terminalWidth } from "../tty.ts";

/** On an unconfirmed fact. */
const VERDICTS = ["confirm", "reject"] as const;
type Verdict = (typeof VERDICTS)[number];

interface ReviewOptions extends CommonOptions, Partial<Record<ReviewDecision | Verdict, boolean>> {}

export const review: CliCommand<ReviewOptions> = {
  define(command) {
    command
      .argument(
        "[id]",
        "the id, or its prefix, of a doubtful or unconfirmed fact; without it, review all of them in turn",
      )
      .takes("undecided")
      .option("--newer", "the newer fact is right: the older one ends")
      .option("--both", "both facts are true")
      .option("--older", "the older fact is right: the newer one ends")
      .option("--confirm", "the unconfirmed fact is right: it moves to MEMORY.md")
      .option("--reject", "the unconfirmed fact is wrong: it is removed and never proposed again");
    addExamples(command, ["retain review", "retain review 3f9a2x --newer", "retain review 8d2c1a --reject"]);
  },

  async run(context, [id], options) {
    const { facts } = context.open();
    const chosen = [...DECISIONS, ...VERDICTS].filter((decision) => options[decision]);
    const [decision] = chosen;
    if (chosen.length > 1 || (id === undefined) !== (decision === undefined))
      throw new RetainError(
        "usage",
        "To decide, pass a fact's id and one of --newer, --both, --older, --confirm or --reject.",
        "For example: retain review 3f9a2x --newer. 'retain review' lists the open decisions.",
      );
    if (id !== undefined && decision !== undefined) return decideOne(facts, id, decision);
    const pairs = await facts.doubts();
    const unconfirmed = await facts.list({ unconfirmed: true });
    if (pairs.length + unconfirmed.length === 0)
      return { data: { pairs, unconfirmed }, text: "Nothing to review." };
    if (!canAsk(options)) return { data: { pairs, unconfirmed }, text: listed(context, pairs, unconfirmed) };
    return askAll(context, facts, pairs, unconfirmed);
  },
};

async function decideOne(facts: Facts, id: string, decision: ReviewDecision | Verdict): Promise<Output> {
  if (decision === "confirm") {
    const confirmed = await facts.confirm([id]);
    return { data: confirmed, text: "✓ Confirmed (undo: retain undo)" };
  }
  if (decision === "reject") {
    const rejected = await facts.reject(id);
    return { data: rejected, text: `✓ ${rejection(rejected)}` };
  }
  const pair = await facts.decide(id, decision);
  return { data: { decided: [{ ...pair, decision }] }, text: `✓ ${outcome(pair, decision)}` };
}

async function askAll(
  context: Context,
  facts: Facts,
  pairs: readonly Doubt[],
  unconfirmed: readonly OwnedFact[],
): Promise<Output> {
  let [decided, confirmed, rejected] = [0, 0, 0];
  const done = (): Output => {
    const counts = [
      ...(decided > 0 ? [`${plural(decided, "pair")} decided`] : []),
      ...(confirmed > 0 ? [`${confirmed} confirmed`] : []),
      ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ];
    const undo = `undo${decided + confirmed + rejected > 1 ? " one by one" : ""}: retain undo`;
    const text = counts.length === 0 ? "Nothing decided." : `✓ ${counts.join(", ")} (${undo})`;
    return { data: { decided, confirmed, rejected }, text };
  };
  for (const { newer } of pairs) {
    // An earlier decision may have settled it.
    const pair = (await facts.doubts()).find((one) => one.newer.id === newer.id);
    if (pair === undefined) continue;
    context.terminal.say(`\n${printed(pair)}`);
    const answer = await answered(
      "[n]ewer is right, [b]oth are true, [o]lder is right, [q]uit, Enter to skip: ",
      PAIR_ANSWERS,
    );
    if (answer === "quit") return done();
    if (answer === undefined || answer === "later") continue;
    await facts.decide(pair.id, answer);
    decided++;
  }
  for (const { id } of unconfirmed) {
    // An earlier decision may have ended it.
    const fact = (await facts.list({ unconfirmed: true })).find((one) => one.id === id);
    if (fact === undefined) continue;
    context.terminal.say(`\n${printedFact(fact)}`);
    const answer = await answered("[y] confirm, [n] reject, [s]kip, [q]uit: ", FACT_ANSWERS);
    if (answer === "quit") return done();
    if (answer === "confirm") confirmed += (await facts.confirm([id])).confirmed.length;
    if (answer === "reject") {
      const { restored } = await facts.reject(id);
      for (const { text } of restored) context.terminal.say(`  restored: ${text}`);
      rejected++;
    }
  }
  return done();
}

const LATER = { "\r": "later", "\n": "later" } as const;
const PAIR_ANSWERS: Readonly<Record<string, ReviewDecision | "later" | "quit">> = {
  n: "newer",
  b: "both",
  o: "older",
  q: "quit",
  ...LATER,
};
const FACT_ANSWERS: Readonly<Record<string, Verdict | "later" | "quit">> = {
  y: "confirm",
  n: "reject",
  s: "later",
  q: "quit",
  ...LATER,
};

/** Ctrl-C quits. */
async function answered<T>(question: string, answers: Readonly<Record<string, T>>): Promise<T | undefined> {
  return answers[(await askKey(question, Object.keys(answers))) ?? "q"];
}

function printed({ older, newer }: Doubt): string {
  const line = (name: string, fact: Doubt["older"]) =>
    wrapped(`  ${name}  ${localDay(fact.created_at)}  ${fact.id}  `, fact.text);
  return [line("older", older), line("newer", newer)].join("\n");
}

function printedFact({ id, text, created_at, source }: OwnedFact): string {
  const from = source.session === null ? "" : `  (${source.session})`;
  return wrapped(`  ${localDay(created_at)}  ${id}  `, text + from);
}

/** Narrower text would be harder to read than broken words. */
const LEAST_WIDTH = 20;

/** On a terminal, wraps between words, below the text's beginning. */
function wrapped(start: string, text: string): string {
  const indent = Bun.stringWidth(start);
  const width = (terminalWidth() ?? 0) - indent;
  const lines = width < LEAST_WIDTH ? [text] : Bun.wrapAnsi(text, width, { hard: true }).split("\n");
  return start + lines.join(`\n${" ".repeat(indent)}`);
}

function listed({ terminal }: Context, pairs: readonly Doubt[], unconfirmed: readonly OwnedFact[]): string {
  const decide = "Decide one: retain review <id> --newer, --both or --older";
  const verdict = "Decide one: retain review <id> --confirm or --reject";
  return [
    ...pairs.map(printed),
    ...(pairs.length === 0
      ? []
      : [`${plural(pairs.length, "pair")} in doubt. ${terminal.style("dim", decide)}`]),
    ...(unconfirmed.length === 0
      ? []
      : [
          unconfirmed.map(printedFact).join("\n"),
          `${plural(unconfirmed.length, "unconfirmed fact")}. ${terminal.style("dim", verdict)}`,
        ]),
  ].join("\n\n");
}

function outcome({ older, newer }: Doubt, decision: ReviewDecision): string {
  if (decision === "both") return "Both facts are true (undo: retain undo)";
  const ended = decision === "newer" ? older : newer;
  return `Ended: ${ended.text} (undo: retain undo)`;
}

function rejection({ rejected, restored }: Rejected): string {
  const again = restored.map(({ text }) => ` Restored: ${text}`).join("");
  return `Rejected: ${rejected.text}${again} (undo: retain undo)`;
}
