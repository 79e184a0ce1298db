import type { Retain } from "../../app.ts";
import { explain } from "../../recall/explain.ts";
import { guessedRemark, NOTHING_FOUND } from "../../recall/outcome.ts";
import { reservation, type SearchHit } from "../../recall/search.ts";
import { snippetOf } from "../../recall/snippet.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, countFor } from "../options.ts";
import { fit, type Style, type Terminal } from "../output.ts";
import { addSearchOptions, queryOf, type SearchFlags, toSearchOptions } from "../search-options.ts";
import { terminalWidth } from "../tty.ts";

/** The largest --limit. */
const MOST_HITS = 1_000;

interface SearchCommandOptions extends SearchFlags {
  limit: number;
  explain?: boolean;
}

export const search: CliCommand<SearchCommandOptions> = {
  freeText: true,

  define(command) {
    command.argument("<query...>", 'words, a question, "a phrase", -without, tag:x, auth*').takes("text");
    addSearchOptions(command);
    command
      .option("--limit <count>", "at most this many", countFor("--limit", MOST_HITS), 10)
      .takes("text")
      .option("--explain", "show why each hit was found");
    addExamples(command, [
      "retain search how do we rotate tokens",
      `retain search '"refresh token" -draft tag:auth'`,
      "retain search deploys --since 'last month' --explain",
    ]);
  },

  async run(context, args, options) {
    const query = queryOf(args);
    const asked = { ...toSearchOptions(options), limit: options.limit };
    const retain = context.open();
    const { hits, by, words } = await retain.search(query, asked);
    if (hits.length === 0) tellIfEmpty(context, retain);
    const explained = options.explain ?? false;
    return {
      data: { query, by, results: hits.map((hit) => toJson(hit, explained)) },
      // A getter: only the text needs the time zone, which takes 5 ms to look up.
      get text() {
        return hits.length === 0 ? NOTHING_FOUND : asText(context, hits, words, explained);
      },
      quiet: hits.map((hit) => nameAmong(hits, hit)).join("\n"),
    };
  },
};

/** Adds a hint if memory is empty. */
export function tellIfEmpty({ terminal }: Context, retain: Retain): void {
  if (retain.index.isEmpty()) terminal.say("Memory is empty. Store something: retain put notes.md");
}

/** Score parts only with --explain. */
function toJson({ parts, ...hit }: SearchHit, explained: boolean) {
  return explained ? { ...hit, parts, explanation: explain(parts) } : hit;
}

/** The id; if it is ambiguous, with the options that `get` needs to find this one. */
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
  const isMixed = hits.some(({ origin }) => origin !== "home");
  const blocks = hits.map((hit) => {
    const lines = [...headline(terminal, hit, isMixed), ...wrap(snippetOf(hit.text, words, SNIPPET_LENGTH))];
    const width = terminalWidth() ?? Number.POSITIVE_INFINITY;
    if (explained)
      lines.push(...explain(hit.parts).map((line) => terminal.style("dim", fit(`    ${line}`, width))));
    return lines.join("\n");
  });
  return [
    ...blocks,
    terminal.style("dim", `${plural(hits.length, "memory", "memories")}${guessedRemark(hits)}`),
  ].join("\n");
}

/**
 * Id, heading, and the rest in brackets. If they don't fit on one line, the rest gets its own line, and so does
 * the heading after a long id. The origin is shown unless all hits are from the home workspace.
 */
function headline(terminal: Terminal, hit: SearchHit, isMixed: boolean): string[] {
  const kind = hit.speaker === null ? hit.kind : `${hit.kind} of ${hit.speaker}`;
  const day = hit.at === null ? "" : `, ${localDay(hit.at)}`;
  const origin = isMixed ? `, ${hit.origin}` : "";
  const id = oneLine(hit.id);
  const heading = hit.heading === hit.id ? "" : oneLine(hit.heading);
  const tags = hit.tags.length === 0 ? "" : `, tags: ${hit.tags.join(", ")}`;
  const rest = oneLine(
    `(${hit.collection ?? kind}${reservation(hit)}${day}${origin}, ${hit.score.toFixed(2)}${tags})`,
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
/** A heading shortened further would say nothing. */
const LEAST_HEADING = 12;

/** Wraps to the terminal's width, indented by two spaces. Words longer than a line are broken. */
function wrap(text: string): string[] {
  const width = Math.max(8, (terminalWidth() ?? 100) - 4);
  return Bun.wrapAnsi(text, width, { hard: true })
    .split("\n")
    .map((line) => GAP + line);
}
