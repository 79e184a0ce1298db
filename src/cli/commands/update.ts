import type { CliCommand } from "../command.ts";
import { addFieldOptions, type FieldOptions, fieldsFrom } from "../fields.ts";
import { readTextInput } from "../input.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface UpdateOptions extends CommonOptions, FieldOptions {
  content?: string;
  collection?: string;
  mergeTags?: boolean;
  updatedBy?: string;
  ifVersion?: string;
  snapshot?: boolean;
}

export const update: CliCommand<UpdateOptions> = {
  define(command) {
    command
      .argument("<id>", "the document's id")
      .takes("document")
      .option("--content <file>", "a file with the new content, or '-' for stdin")
      .takes("file")
      .option("--collection <name>", "the collection, if several contain this id")
      .takes("collection");
    addFieldOptions(command);
    command
      .option("--merge-tags", "add the tags instead of replacing them")
      .option("--updated-by <name>", "the author of the change")
      .takes("text")
      .option(
        "--if-version <version>",
        "fail (exit 3) unless the document is at this version: a number or an etag",
      )
      .takes("version")
      .option("--snapshot", "keep a version of the old text even if auto_version is off");
    addExamples(command, [
      "retain update gpu-patterns --content updated.md",
      "retain update gpu-patterns --tags metal --merge-tags",
      `retain update gpu-patterns --metadata '{"priority": "high"}' --if-version 2`,
    ]);
  },

  async run(context, args, options) {
    const [id = ""] = args;
    const retain = context.open();
    const limit = retain.config.settings.max_document_bytes;
    const result = await retain.documents.update(id, {
      ...fieldsFrom(options),
      content: options.content === undefined ? undefined : await readTextInput(options.content, limit),
      collection: options.collection,
      mergeTags: options.mergeTags,
      updated_by: options.updatedBy,
      ifVersion: options.ifVersion,
      snapshot: options.snapshot,
    });
    const kept = result.kept_version === null ? "" : `, ${result.kept_version} kept`;
    const verb = result.action === "updated" ? "Updated" : "Unchanged";
    const headline = context.terminal.style(
      "green",
      `✓ ${verb} document: ${result.id} (version ${result.version}${kept})`,
    );
    return { data: result, text: `${headline}\nFile: ${result.file_path}`, quiet: "" };
  },
};
