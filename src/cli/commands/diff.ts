import type { DiffResult } from "../../documents/history.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface DiffOptions extends CommonOptions {
  collection?: string;
  from?: string;
  to?: string;
}

export const diff: CliCommand<DiffOptions> = {
  define(command) {
    command
      .argument("<id>", "the document's id")
      .takes("document")
      .option("--from <version>", "the earlier version (default: the previous one)")
      .takes("version")
      .option("--to <version>", "the later version (default: the current one)")
      .takes("version")
      .option("--collection <name>", "the collection, if several contain this id")
      .takes("collection");
    addExamples(command, [
      "retain diff gpu-patterns",
      "retain diff gpu-patterns --from v1 --to v2",
      "retain diff gpu-patterns --from HEAD~1 --to HEAD",
    ]);
  },

  async run(context, args, options) {
    const { collection, from, to } = options;
    const result = await context.open().documents.diff(args[0] ?? "", { collection, from, to });
    return { data: result, text: asText(context, result) };
  },
};

function asText({ terminal }: Context, { id, from, to, hunks }: DiffResult): string {
  if (hunks.length === 0) return `'${id}' is the same in ${from} and ${to}.`;
  const lines = hunks.flatMap(({ old_start, old_lines, new_start, new_lines, lines: changed }) => [
    terminal.style("cyan", `@@ -${old_start},${old_lines} +${new_start},${new_lines} @@`),
    ...changed.map((line) => {
      if (line.startsWith("+")) return terminal.style("green", line);
      return line.startsWith("-") ? terminal.style("red", line) : line;
    }),
  ]);
  return [
    terminal.style("bold", `--- ${id} (${from})`),
    terminal.style("bold", `+++ ${id} (${to})`),
    ...lines,
  ].join("\n");
}
