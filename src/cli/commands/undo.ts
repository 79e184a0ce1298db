import { HISTORIES } from "../../core/memory-paths.ts";
import { localDay } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface UndoOptions extends CommonOptions {
  skip?: boolean;
}

export const undo: CliCommand<UndoOptions> = {
  define(command) {
    command.option("--skip", "leave the last change as it is; the next undo is of the one before");
    addExamples(command, ["retain undo", "retain undo --global"]);
  },

  async run(context, _args, { skip }) {
    const change = await context.open().memories.undo({ skip: skip ?? false });
    const { terminal } = context;
    const shown = change.files.filter(
      ({ path }) => !HISTORIES.some((history) => path.endsWith(`/${history}`)),
    );
    const lines = shown.flatMap(({ path, removed, inserted }) => [
      terminal.style("dim", path),
      ...changed("-", inserted).map((line) => terminal.style("red", line)),
      ...changed("+", removed).map((line) => terminal.style("green", line)),
    ]);
    const done = skip ? "Left as it is" : "Taken back";
    const title = terminal.style("green", `✓ ${done}: ${change.label} of ${localDay(change.at)}`);
    return { data: change, text: [title, ...(skip ? [] : lines)].join("\n"), quiet: "" };
  },
};

function changed(sign: string, text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => `${sign} ${line}`);
}
