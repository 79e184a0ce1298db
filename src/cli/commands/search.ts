import { explain } from "../../recall/explain.ts";
import type { SearchHit } from "../../recall/search.ts";
import { snippetOf } from "../../recall/snippet.ts";
import { localDay, plural } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, countFor } from "../options.ts";
import type { Terminal } from "../output.ts";
import { addSearchOptions, type SearchFlags, toSearchOptions } from "../search-options.ts";
import { terminalWidth } from "../tty.ts";

/** Beyond this it is no search any more. */
const MOST_HITS = 1_000;

interface SearchCommandOptions extends SearchFlags {
  limit: number;
  explain?: boolean;
}

export const search: CliCommand<SearchCommandOptions> = {
  freeText: true,

  define(command) {
    command.argument("<query...>", 'words, a question, "a phrase", -without, tag:x, auth*');
    addSearchOptions(command);
    command
      .option("--limit <count>", "at most this many", countFor("--limit", MOST_HITS), 10)
      .option("--explain", "say why each was found");
    addExamples(command, [
      "retain search how do we rotate tokens",
      `retain search '"refresh token" -draft tag:auth'`,
      "retain search deploys --since 'last month' --explain",
    ]);
  },

  async run(context, args, options) {
    const query = args.join(" ");
    const asked = { ...toSearchOptions(options), limit: options.limit };
    const { hits, by, words } = await context.open().search(query, asked);
    const explained = options.explain ?? false;
    return {
      data: { query, by, results: hits.map((hit) => toJson(hit, explained)) },
      // A getter: the reader's time zone takes 5 ms to find out, for the days of the text alone.
      get text() {
        return hits.length === 0 ? "Nothing found." : asText(context, hits, words, explained);
      },
      quiet: hits.map(({ id }) => id).join("\n"),
    };
  },
};

/** The parts of the score only where they were asked for. */
function toJson({ parts, ...hit }: SearchHit, explained: boolean) {
  return explained ? { ...hit, parts, explanation: explain(parts) } : hit;
}

const SNIPPET_LENGTH = 240;

function asText(
  { terminal }: Context,
  hits: readonly SearchHit[],
  words: readonly string[],
  explained: boolean,
): string {
  const blocks = hits.map((hit) => {
    const lines = [headline(terminal, hit), ...wrap(snippetOf(hit.text, words, SNIPPET_LENGTH))];
    if (explained) lines.push(...explain(hit.parts).map((line) => terminal.style("dim", `    ${line}`)));
    return lines.join("\n");
  });
  const like = hits.length === 1 ? " that looks like it" : " that look like it";
  const guessed = hits.every((hit) => hit.guessed) ? like : "";
  return [...blocks, terminal.style("dim", `${plural(hits.length, "memory", "memories")}${guessed}`)].join(
    "\n",
  );
}

function headline(terminal: Terminal, hit: SearchHit): string {
  const name = terminal.style("cyan", hit.id);
  const heading =
    hit.heading === "" || hit.heading === hit.id ? "" : `  ${terminal.style("bold", hit.heading)}`;
  const where = hit.collection ?? (hit.speaker === null ? hit.kind : `${hit.kind} of ${hit.speaker}`);
  const day = hit.at === null ? "" : `, ${localDay(hit.at)}`;
  const place = hit.place === "project" ? ", project" : "";
  return `${name}${heading}  ${terminal.style("dim", `(${where}${day}${place}, ${hit.score.toFixed(2)})`)}`;
}

/** In lines that fit the terminal, two spaces in. */
function wrap(text: string): string[] {
  const width = Math.max(30, (terminalWidth() ?? 100) - 4);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && Bun.stringWidth(line) + 1 + Bun.stringWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines.map((part) => `  ${part}`);
}
