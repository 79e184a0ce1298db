import { localDay } from "../../util/days.ts";
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
    const isMixed = new Set(all.map(({ origin }) => origin)).size > 1;
    const rows = all.map(({ name, count, updated_at, folder, origin }) => [
      name,
      String(count),
      updated_at === null ? "-" : localDay(updated_at),
      ...(isMixed ? [origin] : []),
      folder === null ? "" : `read from ${folder}`,
    ]);
    const text =
      all.length === 0
        ? "No collections yet."
        : table(
            context.terminal,
            [heading("COLLECTION", "DOCUMENTS", "UPDATED", ...(isMixed ? ["ORIGIN"] : [])), ...rows],
            [isMixed ? FOLDER + 1 : FOLDER, NAME],
          ).join("\n");
    return { data: { collections: all }, text, quiet: [...new Set(all.map(({ name }) => name))].join("\n") };
  },
};
