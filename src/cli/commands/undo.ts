import { HISTORY } from "../../core/memory-paths.ts";
import { localDay } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";

export const undo: CliCommand = {
  define(command) {
    addExamples(command, ["retain undo", "retain undo --global"]);
  },

  async run(context) {
    const change = await context.open().memories.undo();
    const { terminal } = context;
    const shown = change.files.filter(({ path }) => !path.endsWith(`/${HISTORY}`));
    const lines = shown.flatMap(({ path, removed, inserted }) => [
      terminal.style("dim", path),
      ...changed("-", inserted).map((line) => terminal.style("red", line)),
      ...changed("+", removed).map((line) => terminal.style("green", line)),
    ]);
    const title = terminal.style("green", `✓ Taken back: ${change.label} of ${localDay(change.at)}`);
    return { data: change, text: [title, ...lines].join("\n"), quiet: "" };
  },
};

function changed(sign: string, text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => `${sign} ${line}`);
}
