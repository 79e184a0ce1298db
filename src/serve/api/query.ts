/** Query parameters, checked like bodies, and pages of a list. */
import { TAG_MATCHES, type TagMatch, type TagRule } from "../../core/tag-rule.ts";
import { invalid } from "./errors.ts";

const MOST_PER_PAGE = 1_000;
const PER_PAGE = 100;

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export class Query {
  constructor(private readonly given: URLSearchParams) {}

  text(name: string): string | null {
    return this.given.get(name) || null;
  }

  /** A repeated parameter. */
  texts(name: string): string[] {
    return this.given.getAll(name);
  }

  flag(name: string, fallback: boolean): boolean {
    const said = this.given.get(name);
    if (said === null) return fallback;
    if (/^(?:true|1)$/i.test(said)) return true;
    if (/^(?:false|0)$/i.test(said)) return false;
    throw invalid(["query", name], "Input should be true or false.", "bool_parsing");
  }

  /** null if it isn't given. */
  oneOf<const T extends string>(name: string, choices: readonly T[]): T | null {
    const said = this.text(name);
    if (said === null) return null;
    const known = choices.find((choice) => choice === said);
    if (known !== undefined) return known;
    throw invalid(["query", name], `Input should be one of: ${choices.join(", ")}.`, "enum");
  }

  /** Throws 422 unless both are numbers from 0. A page has at most 1,000 entries. */
  page(): Page {
    return {
      limit: Math.min(this.#count("limit", PER_PAGE), MOST_PER_PAGE),
      offset: this.#count("offset", 0),
    };
  }

  /** null if no tags are asked for. */
  tagRule(fallback: TagMatch): TagRule | null {
    const match = this.oneOf("tags_match", TAG_MATCHES) ?? fallback;
    const tags = this.texts("tags");
    return tags.length === 0 && match !== "exact" ? null : { tags, match };
  }

  #count(name: string, fallback: number): number {
    const said = this.given.get(name);
    if (said === null) return fallback;
    if (/^\d{1,9}$/.test(said)) return Number(said);
    throw invalid(["query", name], "Input should be a whole number from 0.", "int_parsing");
  }
}

/** One page of a list, with the total. */
export function paged<T>(all: readonly T[], { limit, offset }: Page) {
  return { items: all.slice(offset, offset + limit), total: all.length, limit, offset };
}
