import { RetainError } from "../../core/errors.ts";
import { forWhom } from "../../core/facts/memory-changes.ts";
import type { Confirmed } from "../../facts/unconfirmed/confirm.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface ConfirmOptions extends CommonOptions {
  all?: boolean;
}

export const confirm: CliCommand<ConfirmOptions> = {
  define(command) {
    command
      .argument("[ids...]", "ids of unconfirmed facts, or unique prefixes of them")
      .takes("unconfirmed")
      .option("--all", "confirm all unconfirmed facts");
    addExamples(command, ["retain facts --unconfirmed", "retain confirm 3f9a", "retain confirm --all"]);
  },

  async run(context, ids, { all = false }) {
    if (all === ids.length > 0)
      throw new RetainError(
        "usage",
        all ? "Ids and --all cannot be combined." : "No fact ids given.",
        "For example: retain confirm 3f9a. 'retain facts --unconfirmed' lists them.",
      );
    const confirmed = await context.open().facts.confirm(all ? "all" : ids);
    return {
      data: confirmed,
      text: textOf(context, confirmed),
      quiet: confirmed.confirmed.map(({ id }) => id).join("\n"),
    };
  },
};

function textOf({ terminal }: Context, { confirmed, skipped, superseded }: Confirmed): string {
  const lines = confirmed.map(
    ({ id, text, file, shared }) =>
      `${terminal.style("green", `✓ Confirmed${forWhom({ shared })}, in ${file}:`)} ${text} ${terminal.style("dim", id)}`,
  );
  for (const { text, why } of superseded)
    lines.push(terminal.style("dim", `  replaces: ${text} (${why}; undo: retain undo)`));
  for (const { text, as, why } of skipped)
    lines.push(terminal.style("dim", `  already known: ${text} (${why}: ${as})`));
  return lines.length === 0 ? "No facts are unconfirmed." : lines.join("\n");
}
