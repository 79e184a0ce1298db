import { resolve } from "node:path";
import { DEFAULT_COLLECTION } from "../../core/documents/names.ts";
import { RetainError } from "../../core/errors.ts";
import type { PutInput, PutResult } from "../../documents/put.ts";
import type { PutManyResult } from "../../documents/put-many.ts";
import { plural } from "../../util/in-words.ts";
import type { CliCommand, Context } from "../command.ts";
import { addFieldOptions, type FieldOptions, fieldsFrom } from "../fields.ts";
import { markdownFiles, readTextInput, STDIN } from "../input.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";

interface PutOptions extends CommonOptions, FieldOptions {
  id?: string;
  collection?: string;
  createdBy?: string;
  overwrite: boolean;
  snapshot?: boolean;
}

export const put: CliCommand<PutOptions> = {
  define(command) {
    command
      .argument("<files...>", "Markdown files or directories, or '-' for stdin")
      .takes("file")
      .option("--id <id>", "the document's id (default: from its title, first heading, or content)")
      .takes("document")
      .option("--collection <name>", `the collection (default: "${DEFAULT_COLLECTION}")`)
      .takes("collection");
    addFieldOptions(command);
    command
      .option("--created-by <name>", "the author")
      .takes("text")
      .option("--no-overwrite", "fail if the document exists")
      .option("--snapshot", "keep a version of the old text even if auto_version is off");
    addExamples(command, [
      'echo "# GPU notes" | retain put - --tags gpu,metal --context "Research for issue 183"',
      "retain put research.md --id gpu-patterns --collection knowledge",
      "retain put notes/ --collection notes",
    ]);
  },

  async run(context, files, options) {
    const retain = context.open();
    const limit = retain.config.settings.max_document_bytes;
    const skipped: string[] = [];
    const named = files.flatMap((file) =>
      markdownFiles(file, retain.workspace.root, (other) => skipped.push(other)),
    );
    if (skipped.length > 0) context.terminal.warn(skippedText(skipped));
    // A file given twice, by name and by its directory, is stored once.
    const paths = [...new Map(named.map((path) => [resolve(path), path])).values()];
    const [first] = paths;
    if (first === undefined)
      throw new RetainError(
        "not_found",
        `No Markdown files in ${files.join(", ")}.`,
        "File names must end in .md or .markdown.",
      );
    const inputOf = (content: string, path: string): PutInput => ({
      ...fieldsFrom(options),
      content,
      date: NAMED_BY_DAY.exec(path)?.[1],
      id: options.id,
      collection: options.collection,
      created_by: options.createdBy,
      noOverwrite: !options.overwrite,
      snapshot: options.snapshot,
    });
    if (paths.length === 1 && files.length === 1 && files[0] === first)
      return describeOne(
        context,
        await retain.documents.put(inputOf(await readTextInput(first, limit), first)),
      );

    if (options.id !== undefined || options.title !== undefined)
      throw new RetainError("usage", "--id and --title only work with a single document.");
    if (paths.includes(STDIN))
      throw new RetainError(
        "usage",
        "'-' cannot be combined with files.",
        "Store stdin with a separate command.",
      );
    let done = 0;
    context.onInterrupt(() => `Interrupted: ${done} of ${paths.length} files stored.`);
    const bar = context.terminal.progress("Storing", paths.length);
    const sources = paths.map((path) => ({
      name: path,
      read: async () => inputOf(await readTextInput(path, limit), path),
    }));
    const result = await retain.documents.putMany(sources, (count) => {
      done = count;
      bar(count);
    });
    return describeMany(result);
  },
};

function skippedText(skipped: readonly string[]): string {
  const others = skipped.length > MOST_NAMED ? ` and ${skipped.length - MOST_NAMED} more` : "";
  const names = skipped.slice(0, MOST_NAMED).join(", ");
  return `${plural(skipped.length, "file is", "files are")} not Markdown and not stored: ${names}${others}. A text file is stored if you name it.`;
}

const MOST_NAMED = 3;

/** A daily note: its file is named by the day it is about. */
const NAMED_BY_DAY = /(?:^|[/\\])(\d{4}-\d\d-\d\d)\.(?:md|markdown)$/;

const VERBS: Record<PutResult["action"], string> = {
  created: "Stored",
  replaced: "Replaced",
  unchanged: "Unchanged",
};

function describeOne({ terminal }: Context, result: PutResult): Output {
  const kept = result.kept_version === null ? "" : `, ${result.kept_version} kept`;
  const version = result.action === "created" ? "" : ` (version ${result.version}${kept})`;
  const text = [
    terminal.style("green", `✓ ${VERBS[result.action]} document: ${result.id}${version}`),
    `Collection: ${result.collection}`,
    `File: ${result.file_path}`,
  ].join("\n");
  return { data: result, text, quiet: result.id };
}

function describeMany({ stored, failed, notTried }: PutManyResult): Output {
  const count = (action: PutResult["action"]) => stored.filter((result) => result.action === action).length;
  const counts = {
    created: count("created"),
    replaced: count("replaced"),
    unchanged: count("unchanged"),
    failed: failed.length,
    not_tried: notTried,
  };
  const failures = failed.map(({ name, error }) => ({
    file: name,
    code: error.code,
    message: error.message,
    hint: error.hint ?? null,
  }));
  const problems = failures.map(
    ({ file, message, hint }) => `${file}: ${message}${hint === null ? "" : ` ${hint}`}`,
  );
  if (notTried > 0) problems.push(`${plural(notTried, "more file was", "more files were")} not attempted.`);
  const refused = failed.every(({ error }) => error.exitCode === 3) ? failed[0]?.error.code : undefined;
  const failure = new RetainError(
    refused ?? "partial",
    `${plural(failed.length + notTried, "file was", "files were")} not stored.`,
  );
  return {
    data: { counts, stored, failed: failures },
    text: `${plural(counts.created, "document")} stored, ${counts.replaced} replaced, ${counts.unchanged} unchanged, ${failed.length} failed`,
    quiet: stored.map((result) => result.id).join("\n"),
    problems,
    failure: failed.length === 0 ? undefined : failure,
  };
}
