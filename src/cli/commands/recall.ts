import { NOTHING_FOUND } from "../../recall/outcome.ts";
import { plural } from "../../util/in-words.ts";
import type { CliCommand } from "../command.ts";
import { addExamples, countFor } from "../options.ts";
import { addSearchOptions, queryOf, type SearchFlags, toSearchOptions } from "../search-options.ts";
import { tellIfEmpty } from "./search.ts";

interface RecallCommandOptions extends SearchFlags {
  budget: number;
}

export const recall: CliCommand<RecallCommandOptions> = {
  freeText: true,

  define(command) {
    command.argument("<query...>", "a question, or the current task").takes("text");
    addSearchOptions(command);
    command.option("--budget <tokens>", "maximum size of the text", countFor("--budget"), 1024).takes("text");
    addExamples(command, [
      "retain recall how do we deploy",
      'retain recall "what does Ada prefer" --budget 400',
      "retain recall 'token rotation' | pbcopy",
    ]);
  },

  async run(context, args, options) {
    const query = queryOf(args);
    const asked = { ...toSearchOptions(options), budget: options.budget };
    const retain = context.open();
    const { text, tokens, hits, left } = await retain.recall(query, asked);
    if (hits.length + left === 0) tellIfEmpty(context, retain);
    context.terminal.explain(
      `${plural(hits.length, "memory", "memories")}, about ${tokens} tokens${left === 0 ? "" : `; ${left} more did not fit`}`,
    );
    return {
      data: { query, text, tokens, left, memories: hits.map(({ parts: _, ...hit }) => hit) },
      text: text === "" ? nothing(left) : text,
      quiet: text,
    };
  },
};

function nothing(left: number): string {
  return left === 0
    ? NOTHING_FOUND
    : `Found ${plural(left, "memory", "memories")}, but none fits the budget. Raise --budget.`;
}
