import { deletedText, restoreCommand, type Version } from "../../core/documents/versions.ts";
import type { CliCommand } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { type Terminal, table } from "../output.ts";

interface VersionsOptions extends CommonOptions {
  collection?: string;
}

export const versions: CliCommand<VersionsOptions> = {
  define(command) {
    command
      .argument("<id>", "the document's id")
      .takes("document")
      .option("--collection <name>", "the collection, if several contain this id")
      .takes("collection");
    addExamples(command, ["retain versions gpu-patterns", "retain versions gpu-patterns --json"]);
  },

  async run(context, args, options) {
    const result = await context.open().documents.versions(args[0] ?? "", { collection: options.collection });
    const note = result.deleted
      ? [`${deletedText(result, result.saved_at)} Restore it: ${restoreCommand(result)}`]
      : [];
    const names = result.versions.map(({ version }) => version).join("\n");
    return {
      data: result,
      text: [...note, ...versionRows(context.terminal, result.versions)].join("\n"),
      quiet: names,
    };
  },
};

/** One line per version, newest first, with the current one marked. */
export function versionRows(terminal: Terminal, all: readonly Version[]): string[] {
  return table(
    terminal,
    all.map(({ version, timestamp, author, message, current }) => [
      current ? "*" : " ",
      version,
      timestamp ?? "-",
      author ?? "-",
      message ?? "",
    ]),
    [4],
  );
}
