import { undoneLines } from "../../facts/undo.ts";
import { localDay } from "../../util/days.ts";
import type { CliCommand } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface UndoOptions extends CommonOptions {
  skip?: boolean;
}

export const undo: CliCommand<UndoOptions> = {
  define(command) {
    command.option("--skip", "keep the last change; the next undo reverts the one before it");
    addExamples(command, ["retain undo", "retain undo --global"]);
  },

  async run(context, _args, { skip }) {
    const retain = context.open();
    const change = await retain.facts.undo({ skip: skip ?? false });
    const { terminal } = context;
    const colour = (line: string) =>
      line.startsWith("- ") ? "red" : line.startsWith("+ ") ? "green" : "dim";
    const lines = skip ? [] : undoneLines(change).map((line) => terminal.style(colour(line), line));
    const done = skip ? "Skipped" : "Undone";
    const where = change.origin === retain.workspace.kind ? "" : ", in the memory of all projects";
    const title = terminal.style("green", `✓ ${done}: ${change.label} (${localDay(change.at)}${where})`);
    return { data: change, text: [title, ...lines].join("\n"), quiet: "" };
  },
};
