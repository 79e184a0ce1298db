import type { Retain } from "../../app.ts";
import { explain } from "../../recall/explain.ts";
import type { SearchHit } from "../../recall/search.ts";
import { snippetOf } from "../../recall/snippet.ts";
import { localDay, oneLine, plural } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, countFor } from "../options.ts";
import { fit, type Style, type Terminal } from "../output.ts";
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
    const retain = context.open();
    const { hits, by, words } = await retain.search(query, asked);
    if (hits.length === 0) tellIfEmpty(context, retain);
    const explained = options.explain ?? false;
    return {
      data: { query, by, results: hits.map((hit) => toJson(hit, explained)) },
      // A getter: the reader's time zone takes 5 ms to find out, for the days of the text alone.
      get text() {
        return hits.length === 0 ? "Nothing relevant is known." : asText(context, hits, words, explained);
      },
      quiet: hits.map((hit) => nameAmong(hits, hit)).join("\n"),
    };
  },
};

/** "Nothing found" says little where there is nothing to find. */
export function tellIfEmpty({ terminal }: Context, retain: Retain): void {
  if (retain.isEmpty())
    terminal.say("There is nothing in memory yet. Put something into it: retain put notes.md");
}

/** The parts of the score only where they were asked for. */
function toJson({ parts, ...hit }: SearchHit, explained: boolean) {
  return explained ? { ...hit, parts, explanation: explain(parts) } : hit;
}

/** The id; where others have it too, with the options by which `get` finds this one. */
function nameAmong(hits: readonly SearchHit[], { id, origin, collection }: SearchHit): string {
  const namesakes = hits.filter((other) => other.id === id);
  const words = [id];
  if (namesakes.some((other) => other.origin !== origin))
    words.push(origin === "project" ? "--local" : "--global");
  if (collection !== null && namesakes.some((other) => (other.collection ?? collection) !== collection))
    words.push("--collection", collection);
  return words.join(" ");
}

const SNIPPET_LENGTH = 240;

function asText(
  { terminal }: Context,
  hits: readonly SearchHit[],
  words: readonly string[],
  explained: boolean,
): string {
  const inProject = hits.some(({ origin }) => origin === "project");
  const blocks = hits.map((hit) => {
    const lines = [
      ...headline(terminal, hit, inProject),
      ...wrap(snippetOf(hit.text, words, SNIPPET_LENGTH)),
    ];
    const width = terminalWidth() ?? Number.POSITIVE_INFINITY;
    if (explained)
      lines.push(...explain(hit.parts).map((line) => terminal.style("dim", fit(`    ${line}`, width))));
    return lines.join("\n");
  });
  const like = hits.length === 1 ? " that looks like it" : " that look like it";
  const guessed = hits.every((hit) => hit.guessed) ? like : "";
  return [...blocks, terminal.style("dim", `${plural(hits.length, "memory", "memories")}${guessed}`)].join(
    "\n",
  );
}

/**
 * Id, heading, and the rest in brackets. Where these are too wide for one line, the rest has a line of its own, and so has the
 * heading beside a long id. The origin is named inside a project, where the home workspace is read too.
 */
function headline(terminal: Terminal, hit: SearchHit, inProject: boolean): string[] {
  const kind = hit.speaker === null ? hit.kind : `${hit.kind} of ${hit.speaker}`;
  const day = hit.at === null ? "" : `, ${localDay(hit.at)}`;
  const origin = inProject ? `, ${hit.origin}` : "";
  const id = oneLine(hit.id);
  const heading = hit.heading === hit.id ? "" : oneLine(hit.heading);
  const tags = hit.tags.length === 0 ? "" : `, tags: ${hit.tags.join(", ")}`;
  const rest = oneLine(
    `(${hit.collection ?? kind}${hit.unconfirmed ? ", unconfirmed" : ""}${day}${origin}, ${hit.score.toFixed(2)}${tags})`,
  );
  const width = terminalWidth() ?? Number.POSITIVE_INFINITY;
  const inner = width - GAP.length;
  const room = inner - Bun.stringWidth(id);
  const show = (style: Style, text: string, space: number) => terminal.style(style, fit(text, space));
  const joined = (...parts: string[]) => parts.filter((part) => part !== "").join(GAP);
  if (Bun.stringWidth(joined(id, heading, rest)) <= width)
    return [joined(show("cyan", id, width), show("bold", heading, width), show("dim", rest, width))];
  const names =
    heading === "" || room >= LEAST_HEADING
      ? [joined(show("cyan", id, width), show("bold", heading, room))]
      : [show("cyan", id, width), GAP + show("bold", heading, inner)];
  return [...names, GAP + show("dim", rest, inner)];
}

const GAP = "  ";
/** Less of a heading tells nothing. */
const LEAST_HEADING = 12;

/** In lines that fit the terminal, two spaces in. Words that are too long, and texts without spaces, are cut at its edge. */
function wrap(text: string): string[] {
  const width = Math.max(8, (terminalWidth() ?? 100) - 4);
  return Bun.wrapAnsi(text, width, { hard: true })
    .split("\n")
    .map((line) => GAP + line);
}
