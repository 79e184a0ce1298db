import type { Retain } from "../../app.ts";
import { restoreCommand } from "../../core/documents/versions.ts";
import { RetainError } from "../../core/errors.ts";
import type { CliCommand } from "../command.ts";
import { factNamed } from "../fact-named.ts";
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
    const deleted = await deleteAll(retain, [...new Set(ids)], options.collection);
    const lines = deleted.map((ref) => {
      const undo = context.terminal.style("dim", `Undo: ${restoreCommand(ref)}`);
      return `${context.terminal.style("green", `✓ Deleted document: ${ref.id}`)}\n${undo}`;
    });
    return { data: deleted.length === 1 ? deleted[0] : { deleted }, text: lines.join("\n"), quiet: "" };
  },
};

async function deleteAll(retain: Retain, ids: readonly string[], collection?: string) {
  try {
    return await retain.documents.deleteMany(ids, { collection });
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    for (const id of error.code === "not_found" && collection === undefined ? ids : []) {
      const fact = await factNamed(retain, id);
      if (fact !== null)
        throw new RetainError(
          "usage",
          `${id} is a fact, not a document. Nothing was deleted.`,
          `If it is no longer true, save what is: retain remember --replaces ${fact.id} "...". To remove every trace of it: retain forget ${fact.id}`,
        );
    }
    throw new RetainError(error.code, `${error.message} Nothing was deleted.`, error.hint);
  }
}
