import { Option } from "commander";
import { toListRow } from "../../core/documents/render.ts";
import { type ListedDocument, NO_DOCUMENTS } from "../../documents/list.ts";
import { SORT_KEYS, type SortKey } from "../../documents/sort.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { truncate } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions, collect, countFor } from "../options.ts";
import { type Cell, heading, table } from "../output.ts";

interface ListOptions extends CommonOptions {
  collection?: string;
  filter?: string[];
  format: "table" | "json";
  sort: SortKey;
  reverse?: boolean;
  limit?: number;
}

export const list: CliCommand<ListOptions> = {
  define(command) {
    command
      .option("--collection <name>", "only this collection")
      .takes("collection")
      .option("--filter <expression>", "tags=a,b  priority!=low  created_at>=2026-01-01; repeatable", collect)
      .takes("filter")
      .addOption(new Option("--format <format>", "table or json").choices(["table", "json"]).default("table"))
      .addOption(
        new Option("--sort <key>", "the order; times sort newest first")
          .choices([...SORT_KEYS])
          .default("updated"),
      )
      .option("--reverse", "reverse the order")
      .option("--limit <count>", "at most this many", countFor("--limit"))
      .takes("text");
    addExamples(command, [
      "retain list",
      "retain list --filter tags=gpu,metal --filter priority=high",
      "retain list --collection notes --sort title --limit 20",
    ]);
  },

  async run(context, _args, options) {
    const { documents, total } = await context.open().documents.list({
      collection: options.collection,
      filters: options.filter ?? [],
      sort: options.sort,
      reverse: options.reverse,
      limit: options.limit,
    });
    const rows = () => documents.map(toListRow);
    const json = () => JSON.stringify(rows(), null, 2);
    // Getters: with ten thousand documents, only the requested format is built.
    return {
      get data() {
        return { documents: rows(), total };
      },
      get text() {
        return options.format === "json" ? json() : asTable(context, documents, total);
      },
      get quiet() {
        return options.format === "json" ? json() : documents.map((document) => document.id).join("\n");
      },
    };
  },
};

/** Columns that are shortened on a narrow terminal. */
const [ID, TITLE, TAGS] = [0, 1, 3];

function asTable({ terminal }: Context, documents: readonly ListedDocument[], total: number): string {
  if (total === 0) return NO_DOCUMENTS;
  const isMixed = new Set(documents.map(({ origin }) => origin)).size > 1;
  const rows = documents.map(({ id, title, collection, tags, created_at, origin }): Cell[] => [
    { text: id, style: "cyan" },
    truncate(title, 40),
    collection,
    truncate(tags.join(", "), 30),
    created_at === null ? "-" : localDay(created_at),
    ...(isMixed ? [origin] : []),
  ]);
  const count =
    documents.length === total ? plural(total, "document") : `${documents.length} of ${total} documents`;
  const header = heading("ID", "TITLE", "COLLECTION", "TAGS", "CREATED", ...(isMixed ? ["ORIGIN"] : []));
  return [...table(terminal, [header, ...rows], [TITLE, TAGS, ID]), terminal.style("dim", count)].join("\n");
}
