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

/** A copy is edited, so that the document changes at once and whole, with a version kept, and never under somebody. */
export const edit: CliCommand<EditOptions> = {
  define(command) {
    command
      .argument("<id>", "the document's id")
      .option("--collection <name>", "the collection, where several hold this id")
      .option("--updated-by <name>", "who the change is signed by");
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
        context.warn(`Cannot remove the copy that was edited, ${copy}: ${messageOf(error)}`);
      }
    };
    context.onInterrupt(() => `Interrupted. Nothing was changed; your text is in ${copy}`);
    try {
      await openEditor(copy, retain.config.settings.editor, options.json === true);
      const edited = readIfThere(copy);
      if (edited === null)
        throw new RetainError("io", "The editor left no file behind; nothing was changed.");
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
        error.code === "conflict" ? "Somebody changed it meanwhile: edit it again." : (error.hint ?? "");
      throw new RetainError(
        error.code,
        error.message,
        typed ? `${hint} Your text is safe in ${copy}`.trim() : hint,
      );
    }
  },
};

/** In a new directory for temporary files. Throws `io`. */
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
