import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import { textOf } from "../../documents/read.ts";
import { readIfThere } from "../../util/fs.ts";
import type { CliCommand } from "../command.ts";
import { openEditor } from "../editor.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface EditOptions extends CommonOptions {
  collection?: string;
  updatedBy?: string;
}

/** Edits a copy, so that the document changes atomically, keeps a version, and detects a concurrent change. */
export const edit: CliCommand<EditOptions> = {
  define(command) {
    command
      .argument("<id>", "the document's id")
      .takes("document")
      .option("--collection <name>", "the collection, if several contain this id")
      .takes("collection")
      .option("--updated-by <name>", "the author of the change")
      .takes("text");
    addExamples(command, ["retain edit gpu-patterns", "EDITOR='code --wait' retain edit gpu-patterns"]);
  },

  async run(context, args, options) {
    const retain = context.open();
    const found = await retain.documents.locateOwn(args[0] ?? "", { collection: options.collection });
    const { id, collection, text, etag } = await retain.documents.source(found.id, {
      collection: found.collection,
    });
    const copy = copyOf(id, text);
    const removeCopy = () => {
      try {
        rmSync(dirname(copy), { recursive: true, force: true });
      } catch (error) {
        context.warn(`Cannot remove the temporary copy ${copy}: ${messageOf(error)}`);
      }
    };
    context.onInterrupt(() => `Interrupted. The document is unchanged; your text is in ${copy}`);
    try {
      await openEditor(copy, retain.config.settings.editor, options.json === true);
      const edited = readIfThere(copy);
      if (edited === null)
        throw new RetainError("io", "The editor removed the file. The document is unchanged.");
      const update = { collection, updated_by: options.updatedBy, ifVersion: etag };
      const result = await retain.documents.rewrite(id, textOf(edited, copy), update);
      removeCopy();
      const kept = result.kept_version === null ? "" : `, ${result.kept_version} kept`;
      const verb = result.action === "updated" ? "Updated" : "Unchanged";
      const headline = context.terminal.style(
        "green",
        `✓ ${verb} memory: ${id} (version ${result.version}${kept})`,
      );
      return { data: result, text: `${headline}\nFile: ${result.file_path}`, quiet: "" };
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      const left = readIfThere(copy);
      const typed = left !== null && new TextDecoder("utf-8", { ignoreBOM: true }).decode(left) !== text;
      if (!typed) removeCopy();
      const hint =
        error.code === "conflict"
          ? "The document changed while you were editing. Edit it again."
          : (error.hint ?? "");
      throw new RetainError(
        error.code,
        error.message,
        typed ? `${hint} Your text is in ${copy}`.trim() : hint,
      );
    }
  },
};

/** In a new temporary directory. Throws `io`. */
function copyOf(id: string, text: string): string {
  let directory: string | null = null;
  try {
    directory = mkdtempSync(join(tmpdir(), "retain-edit-"));
    const copy = join(directory, `${id}.md`);
    writeFileSync(copy, text, { mode: 0o600 });
    return copy;
  } catch (error) {
    if (directory !== null) rmSync(directory, { recursive: true, force: true });
    throw ioError(error, `Cannot write a copy to edit in ${directory ?? tmpdir()}`);
  }
}
