import { localDay } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";
import { heading, table } from "../output.ts";

/** Columns to shorten on a narrow terminal, in this order. */
const FOLDER = 3;
const NAME = 0;

export const collections: CliCommand = {
  define(command) {
    addExamples(command, ["retain collections", "retain collections --global --json"]);
  },

  async run(context) {
    const all = await context.open().documents.collections();
    const rows = all.map(({ name, count, updated_at, folder }) => [
      name,
      String(count),
      updated_at === null ? "-" : localDay(updated_at),
      folder === null ? "" : `read from ${folder}`,
    ]);
    const text =
      all.length === 0
        ? "No collections yet."
        : table(
            context.terminal,
            [heading("COLLECTION", "DOCUMENTS", "UPDATED"), ...rows],
            [FOLDER, NAME],
          ).join("\n");
    return { data: { collections: all }, text, quiet: all.map(({ name }) => name).join("\n") };
  },
};
