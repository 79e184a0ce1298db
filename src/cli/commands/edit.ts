import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Retain } from "../../app.ts";
import { ioError, messageOf, RetainError, unlessMissing } from "../../core/errors.ts";
import { textOf } from "../../documents/read.ts";
import { readIfThere } from "../../util/fs.ts";
import type { CliCommand, Context } from "../command.ts";
import { openEditor } from "../editor.ts";
import { factNamed } from "../fact-named.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";

interface EditOptions extends CommonOptions {
  collection?: string;
  updatedBy?: string;
}

/** Edits a copy, so that a document changes atomically, keeps a version, and detects a concurrent change. */
export const edit: CliCommand<EditOptions> = {
  define(command) {
    command
      .argument("<id>", "the id of a document or fact")
      .takes("document")
      .option("--collection <name>", "the collection, if several contain this id")
      .takes("collection")
      .option("--updated-by <name>", "the author of a document's change")
      .takes("text");
    addExamples(command, ["retain edit gpu-patterns", "EDITOR='code --wait' retain edit gpu-patterns"]);
  },

  async run(context, [id = ""], options) {
    const retain = context.open();
    const { kind, name, text, save } = await editable(context, retain, id, options);
    const copy = copyOf(name, text);
    const removeCopy = () => {
      try {
        rmSync(dirname(copy), { recursive: true, force: true });
      } catch (error) {
        context.warn(`Cannot remove the temporary copy ${copy}: ${messageOf(error)}`);
      }
    };
    context.onInterrupt(() => `Interrupted. The ${kind} is unchanged; your text is in ${copy}`);
    try {
      await openEditor(copy, retain.config.settings.editor, options.json === true);
      const edited = readIfThere(copy);
      if (edited === null)
        throw new RetainError("io", `The editor removed the file. The ${kind} is unchanged.`);
      const output = await save(textOf(edited, copy));
      removeCopy();
      return output;
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      const left = readIfThere(copy);
      const typed = left !== null && new TextDecoder("utf-8", { ignoreBOM: true }).decode(left) !== text;
      if (!typed) removeCopy();
      const hint =
        error.code === "conflict" && kind === "document"
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

interface Editable {
  readonly kind: "document" | "fact";
  /** Of the copy. */
  readonly name: string;
  readonly text: string;
  save(edited: string): Promise<Output>;
}

async function editable(
  { terminal }: Context,
  retain: Retain,
  id: string,
  { collection: named, updatedBy }: EditOptions,
): Promise<Editable> {
  const green = (text: string) => terminal.style("green", text);
  const document = await unlessMissing(retain.documents.locateOwn(id, { collection: named }));
  const mayBeFact = document === null && named === undefined && updatedBy === undefined;
  const fact = mayBeFact ? await factNamed(retain, id) : null;
  if (fact !== null)
    return {
      ...{ kind: "fact", name: fact.id, text: `${fact.text}\n` },
      async save(edited) {
        const result = await retain.facts.edit(fact.id, edited);
        const verb = result.action === "changed" ? "Updated" : "Unchanged";
        const undo = result.action === "changed" ? "\nUndo: retain undo" : "";
        const text = `${green(`✓ ${verb} fact: ${result.after.text}`)} (${result.after.id})${undo}`;
        return { data: result, text, quiet: result.after.id };
      },
    };
  const found = document ?? (await retain.documents.locateOwn(id, { collection: named }));
  const { collection, text, etag } = await retain.documents.source(found.id, {
    collection: found.collection,
  });
  return {
    ...{ kind: "document", name: found.id, text },
    async save(edited) {
      const update = { collection, updated_by: updatedBy, ifVersion: etag };
      const result = await retain.documents.rewrite(found.id, edited, update);
      const kept = result.kept_version === null ? "" : `, ${result.kept_version} kept`;
      const verb = result.action === "updated" ? "Updated" : "Unchanged";
      const headline = green(`✓ ${verb} memory: ${found.id} (version ${result.version}${kept})`);
      return { data: result, text: `${headline}\nFile: ${result.file_path}`, quiet: "" };
    },
  };
}

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
