import type { CliCommand } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface RestoreOptions extends CommonOptions {
  version?: string;
  collection?: string;
  commit?: boolean;
  updatedBy?: string;
}

export const restore: CliCommand<RestoreOptions> = {
  define(command) {
    command
      .argument("<id>", "the document's id")
      .takes("restorable")
      .option(
        "--version <version>",
        "v2, or any git revision (default: the previous one, or the last one of a deleted document)",
      )
      .takes("version")
      .option("--collection <name>", "the collection, if several contain this id")
      .takes("collection")
      .option("--updated-by <name>", "the author of the change")
      .takes("text")
      .option("--commit", "commit this document, and nothing else, to git");
    addExamples(command, [
      "retain restore old-research",
      "retain restore gpu-patterns --version v1",
      "retain restore gpu-patterns --version HEAD~1 --commit",
    ]);
  },

  async run(context, args, options) {
    const { collection, version, commit, updatedBy: updated_by } = options;
    const result = await context
      .open()
      .documents.restore(args[0] ?? "", { collection, version, commit, updated_by });
    const recorded = result.git_ref === null ? "" : `\nCommit: ${result.git_ref}`;
    const from = result.action === "undeleted" ? "the deleted document" : `from ${result.restored_from}`;
    const verb = result.action === "unchanged" ? "Already at that content" : `Restored ${from}`;
    const headline = context.terminal.style("green", `✓ ${verb}: ${result.id} (version ${result.version})`);
    return { data: result, text: `${headline}\nFile: ${result.file_path}${recorded}`, quiet: "" };
  },
};
