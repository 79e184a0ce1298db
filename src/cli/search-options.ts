/** Options shared by 'search' and 'recall'. */
import { Option } from "commander";
import { RetainError } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import { KINDS, type Kind } from "../core/memory.ts";
import type { SearchOptions } from "../recall/search.ts";
import type { CommandParser } from "./command-parser.ts";
import { type CommonOptions, collect } from "./options.ts";

export interface SearchFlags extends CommonOptions {
  collection?: string;
  filter?: string[];
  semantic?: boolean;
  text?: boolean;
  kind: string[];
  since?: string;
  until?: string;
  minScore?: number;
}

export function addSearchOptions(parser: CommandParser): void {
  parser
    .option("--collection <name>", "only documents of this collection")
    .takes("collection")
    .option("--filter <expression>", "tags=a,b  priority!=low; repeatable", collect)
    .takes("filter")
    .option("--semantic", "by meaning only")
    .option("--text", "by words only")
    .addOption(
      new Option("--kind <kind>", `${KINDS.join(", ")}; repeatable`).argParser(collect).default([], "all"),
    )
    .takes(KINDS)
    .option("--since <date>", 'from this date on: 2026-01-31, 2026-01, "last week"')
    .takes("text")
    .option("--until <date>", "up to and including this date")
    .takes("text")
    .option(
      "--min-score <score>",
      "omit hits below this score: matching words score about 0.7, meaning alone 0.2 to 0.5",
      parseScore,
    )
    .takes("text");
}

/** The words of a command as a query. Throws `usage` if they name nothing to search for. */
export function queryOf(words: readonly string[]): string {
  const query = words.join(" ");
  if (query.trim() === "" || (SAYS_SOMETHING.test(query) && !NO_TAG.test(query.trim()))) return query;
  throw new RetainError(
    "usage",
    `There is nothing to search for in '${query}'.`,
    hint`Type words, a question or a tag: ${command("search", "tag:work", "rent")}. To list everything: ${command("list")}, ${command("facts")}`,
  );
}

const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const NO_TAG = /^-?tag:$/i;

export function toSearchOptions(flags: SearchFlags): SearchOptions {
  if (flags.semantic && flags.text)
    throw new RetainError(
      "usage",
      "--semantic and --text cannot be combined.",
      "Pass one of them, or neither to search by both.",
    );
  return {
    mode: flags.semantic ? "semantic" : flags.text ? "text" : "both",
    filters: flags.filter ?? [],
    ...(flags.kind.length === 0 ? {} : { kinds: flags.kind.flatMap((kind) => kind.split(",")) as Kind[] }),
    ...given("collection", flags.collection),
    ...given("since", flags.since),
    ...given("until", flags.until),
    ...given("minScore", flags.minScore),
  };
}

function given<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}

function parseScore(value: string): number {
  const score = Number(value);
  if (value.trim() !== "" && Number.isFinite(score)) return score;
  throw new RetainError(
    "usage",
    `--min-score must be a number, not '${value}'.`,
    "For example: --min-score 0.1",
  );
}
