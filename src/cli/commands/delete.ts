import type { Retain } from "../../app.ts";
import { restoreCommand } from "../../core/documents/versions.ts";
import { RetainError } from "../../core/errors.ts";
import type { DeleteResult } from "../../documents/remove.ts";
import type { CliCommand } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface DeleteOptions extends CommonOptions {
  collection?: string;
}

export const remove: CliCommand<DeleteOptions> = {
  define(command) {
    command
      .argument("<ids...>", "the ids of the documents")
      .takes("document")
      .option("--collection <name>", "the collection, if several contain this id")
      .takes("collection");
    addExamples(command, ["retain delete old-research", "retain delete old-research --collection knowledge"]);
  },

  async run(context, ids, options) {
    const retain = context.open();
    const deleted: DeleteResult[] = [];
    context.onInterrupt(() => `Interrupted: ${deleted.length} of ${ids.length} deleted.`);
    const found = [];
    for (const id of new Set(ids)) found.push(await locateBeforeDeleting(retain, id, options.collection));
    for (const { id, collection } of found) deleted.push(await retain.documents.delete(id, { collection }));
    const lines = deleted.map((ref) => {
      const undo = context.terminal.style("dim", `Undo: ${restoreCommand(ref)}`);
      return `${context.terminal.style("green", `✓ Deleted document: ${ref.id}`)}\n${undo}`;
    });
    return { data: deleted.length === 1 ? deleted[0] : { deleted }, text: lines.join("\n"), quiet: "" };
  },
};

/** Finds every document before the first is deleted. */
async function locateBeforeDeleting(retain: Retain, id: string, collection?: string) {
  try {
    return await retain.documents.locateOwn(id, { collection });
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    throw new RetainError(error.code, `${error.message} Nothing was deleted.`, error.hint);
  }
}
