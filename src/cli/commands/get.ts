import { Option } from "commander";
import type { Identified } from "../../app/find-by-id.ts";
import { toContextText, toNestedObject } from "../../core/documents/render.ts";
import { shareableDocument } from "../../core/secrets/shareable.ts";
import type { GotDocument } from "../../documents/read.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { type Output, toJson } from "../output.ts";
import { showText } from "../sessions/text.ts";
import { isTerminal } from "../tty.ts";
import { noteText } from "./notes.ts";
import { versionRows } from "./versions.ts";

interface GetOptions extends CommonOptions {
  collection?: string;
  format: "context" | "json" | "raw";
  version?: string;
  showVersions?: boolean;
}

export const get: CliCommand<GetOptions> = {
  define(command) {
    command
      .argument("<id>", "the id of a document, or of anything else that Retain lists")
      .takes("any-document")
      .option("--collection <name>", "the collection, if several contain this id")
      .takes("collection")
      .addOption(
        new Option(
          "--format <format>",
          "context: for a model (if piped, without private parts and secrets); json: every field; raw: the content only",
        )
          .choices(["context", "json", "raw"])
          .default("context"),
      )
      .option("--version <version>", "an earlier version: v2, or any git revision (HEAD~2)")
      .takes("version")
      .option("--show-versions", "also list its versions");
    addExamples(command, [
      "retain get gpu-patterns",
      "retain get gpu-patterns --format raw > gpu.md",
      "retain get gpu-patterns --version v1",
    ]);
  },

  async run(context, args, options) {
    const [id = ""] = args;
    const retain = context.open();
    const { collection, version } = options;
    const found = await retain.find(id, { collection, version });
    if (found.kind !== "document") return shownOther(context, found);
    const { file_path, etag, ...document } = found.document;
    const nested = { ...toNestedObject(document), file_path, etag };
    const past = options.showVersions ? await retain.documents.versions(id, { collection }) : null;
    const data = past === null ? nested : { ...nested, versions: past.versions };
    const shown = options.json ? document : shownAs(options.format, document);
    if (shown.content !== document.content)
      context.warn("Private parts and secrets are omitted. For the whole document, pass --format raw.");
    const text = render(options.format, shown, data);
    const footer =
      past === null || options.format === "json"
        ? ""
        : `\n\nVersions:\n${versionRows(context.terminal, past.versions).join("\n")}\n`;
    return { data, text: text + footer, exact: options.format === "raw" };
  },
};

/** A fact, note, message or conversation has one form to show. */
function shownOther({ terminal }: Context, found: Exclude<Identified, { kind: "document" }>): Output {
  if (found.kind === "fact") return { data: found.provenance.fact, text: found.provenance.fact.text };
  if (found.kind === "note") return { data: found.note, text: noteText(terminal, found.note) };
  if (found.kind === "message") return { data: found.message, text: found.message.content };
  return { data: found.session, text: showText(terminal, found.session) };
}

type Shown = Omit<GotDocument, "file_path" | "etag">;

/** On a terminal the owner reads it. Piped context text goes to a model, so it is redacted. */
function shownAs(format: GetOptions["format"], document: Shown): Shown {
  return format === "context" && !isTerminal("stdout") ? shareableDocument(document) : document;
}

function render(format: GetOptions["format"], document: Shown, data: unknown): string {
  if (format === "json") return toJson(data, 2);
  return format === "raw" ? document.content : toContextText(document);
}
