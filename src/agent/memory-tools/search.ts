/** memory_search: lists memories that match a query, one line each; recall returns their texts. */

import { fenced } from "../../context/fence.ts";
import { KINDS } from "../../core/memory.ts";
import { guessedRemark, NOTHING_FOUND } from "../../recall/outcome.ts";
import type { SearchHit } from "../../recall/search.ts";
import { snippetOf } from "../../recall/snippet.ts";
import { localDay, oneLine, plural } from "../../util/text.ts";
import { count, text } from "../tools/input.ts";
import { memoryTool, type ToolAmong } from "./define.ts";
import { mayChoice, mayChoices, mayText, mayTexts } from "./fields.ts";
import { HIT, hitData } from "./memory-text.ts";
import { listOfSchema } from "./output.ts";
import type { ConversationPorts } from "./ports.ts";

const DEFAULT_LIMIT = 10;
const MOST = 100;
const SNIPPET_LENGTH = 200;

export function searchTool(ports: ConversationPorts): ToolAmong {
  return memoryTool({
    name: "memory_search",
    command: "search",
    title: "Search memories",
    description:
      "Lists memories that match a query, each with kind, id and a snippet: use it to find the id of a document for memory_get, or of " +
      "a fact for memory_edit and memory_forget. To learn what memory says about something, use recall.",
    example: { query: "token rotation", collection: "plans" },
    effect: "read",
    destructive: false,
    idempotent: true,
    fields: {
      query: text('Words, a question, "a phrase", -without, tag:x, auth*.'),
      collection: mayText("Only documents of this collection."),
      filters: mayTexts("Document fields, all must match: tags=a,b  priority!=low."),
      kinds: mayChoices("Only these kinds.", KINDS),
      mode: mayChoice('By keyword, by meaning, or "both" (default).', ["both", "text", "semantic"]),
      since: mayText('From this date: "2026-01-31", "2026-01", "last week".'),
      until: mayText("Up to and including this date."),
      limit: count(`At most this many; by default ${DEFAULT_LIMIT}.`, 1, MOST),
    },
    output: { results: listOfSchema(HIT) },
    async run({ query, limit = DEFAULT_LIMIT, kinds, ...options }) {
      const { hits, words } = await ports.search(query, {
        limit,
        ...options,
        ...(kinds?.length && { kinds }),
      });
      const data = { results: hits.map(hitData) };
      const shortfall = ports.shortfall();
      if (hits.length === 0)
        return {
          ok: true,
          text: `${NOTHING_FOUND} ${shortfall}`.trimEnd(),
          data,
          brief: "nothing found",
        };
      const counted = plural(hits.length, "memory", "memories");
      const lines = hits.map((hit) => lineOf(hit, words)).join("\n");
      const said = `${fenced("Found", lines)}\n\n${counted}${guessedRemark(hits)}. ${shortfall}`.trimEnd();
      return { ok: true, text: said, data, brief: counted };
    },
  });
}

function lineOf(
  { kind, id, collection, at, text: said, origin, unconfirmed }: SearchHit,
  words: readonly string[],
): string {
  const name = collection === null ? `${kind} ${id}` : `document ${collection}/${id}`;
  const marks = [
    ...(at === null ? [] : [localDay(at)]),
    name,
    origin,
    ...(unconfirmed ? ["unconfirmed"] : []),
  ];
  return oneLine(`- ${marks.join(", ")}: ${snippetOf(said, words, SNIPPET_LENGTH)}`);
}
