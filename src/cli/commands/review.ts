import { RetainError } from "../../core/errors.ts";
import { DECISIONS, type Doubt, type ReviewDecision } from "../../retention/review.ts";
import { localDay, plural } from "../../util/text.ts";
import { askKey, canAsk } from "../ask.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface ReviewOptions extends CommonOptions, Partial<Record<ReviewDecision, boolean>> {}

export const review: CliCommand<ReviewOptions> = {
  define(command) {
    command
      .argument(
        "[id]",
        "a fact in doubt, by its id or the beginning of one; by default all, one after the other",
      )
      .option("--newer", "the newer fact is right: the older one ends")
      .option("--both", "both facts hold")
      .option("--older", "the older fact is right: the newer one ends");
    addExamples(command, ["retain review", "retain review 3f9a2x --newer"]);
  },

  async run(context, [id], options) {
    const { memories } = context.open();
    const chosen = DECISIONS.filter((decision) => options[decision]);
    const [decision] = chosen;
    if (chosen.length > 1 || (id === undefined) !== (decision === undefined))
      throw new RetainError(
        "usage",
        "A decision takes the id of a fact in doubt and one of --newer, --both and --older.",
        "For example: retain review 3f9a2x --newer. 'retain review' alone lists the pairs.",
      );
    if (id !== undefined && decision !== undefined) {
      const pair = await memories.decide(id, decision);
      return { data: { decided: [{ ...pair, decision }] }, text: `✓ ${outcome(pair, decision)}` };
    }
    const pairs = await memories.doubts();
    if (pairs.length === 0) return { data: { pairs }, text: "No facts are in doubt." };
    if (!canAsk(options)) return { data: { pairs }, text: listed(context, pairs) };
    let decided = 0;
    for (const pair of pairs) {
      const answer = await asked(pair);
      if (answer === "quit") break;
      if (answer === "later") continue;
      await memories.decide(pair.newer.id, answer);
      decided++;
    }
    return { data: { decided }, text: `✓ Decided ${plural(decided, "pair")} (undo: retain undo)` };
  },
};

const ANSWERS: Readonly<Record<string, ReviewDecision | "quit" | "later">> = {
  n: "newer",
  b: "both",
  o: "older",
  q: "quit",
  "\r": "later",
};

async function asked(pair: Doubt): Promise<ReviewDecision | "later" | "quit"> {
  const key = await askKey(
    `\n${printed(pair)}\n[n]ewer is right, [b]oth hold, [o]lder is right, [q]uit, Enter for later: `,
    Object.keys(ANSWERS),
  );
  return ANSWERS[key ?? "q"] ?? "later";
}

function printed({ older, newer }: Doubt): string {
  const line = (name: string, fact: Doubt["older"]) =>
    `  ${name}  ${localDay(fact.created_at)}  ${fact.id}  ${fact.text}`;
  return [line("older", older), line("newer", newer)].join("\n");
}

function listed({ terminal }: Context, pairs: readonly Doubt[]): string {
  const hint = "Decide one: retain review <id> --newer, --both or --older";
  return [
    ...pairs.map(printed),
    `${plural(pairs.length, "pair")} in doubt. ${terminal.style("dim", hint)}`,
  ].join("\n\n");
}

function outcome({ older, newer }: Doubt, decision: ReviewDecision): string {
  if (decision === "both") return "Both facts hold.";
  const ended = decision === "newer" ? older : newer;
  return `Ended: ${ended.text} (undo: retain undo)`;
}
