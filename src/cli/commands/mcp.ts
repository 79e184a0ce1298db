import { RetainError } from "../../core/errors.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples } from "../options.ts";
import type { Output } from "../output.ts";

export const mcp: CliCommand = {
  define(command) {
    addExamples(command, ["retain mcp"]);
  },

  async run(_context: Context): Promise<Output> {
    throw new RetainError("usage", "Not there yet.");
  },
};
