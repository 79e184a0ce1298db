/** Memories in tool results, fenced as data so that a model neither obeys them nor saves them again. */
import { fenced } from "../../context/fence.ts";
import { recalledItem } from "../../context/recalled.ts";
import { choose } from "../../context/shorten.ts";
import type { Written } from "../../facts/write/written.ts";
import type { RecallHit } from "../../recall/recall.ts";
import type { SearchHit } from "../../recall/search.ts";
import { localDay } from "../../util/days.ts";
import { oneLine, truncate } from "../../util/text.ts";

/** Facts replaced by newer ones. Fenced too, because a stranger may have written them. */
export function replacedText(superseded: Written["superseded"]): string {
  const lines = superseded.map(({ id, text, by, why }) =>
    oneLine(`- fact ${id}, replaced by fact ${by} (${why}): ${text}`),
  );
  return fenced("Replaced", lines.join("\n"));
}

interface FittingMemories {
  readonly text: string;
  readonly included: readonly RecallHit[];
  /** How many more were found. */
  readonly left: number;
}

/** Characters per token when a text is cut to fit. */
const CHARACTERS = 2;

/** As many whole memories as fit, best first; if none fits, a part of the best one. */
export function fittingMemories(
  title: string,
  hits: readonly RecallHit[],
  tokens: number,
): FittingMemories | null {
  const items = hits
    .map((memory) => ({ memory, printed: recalledItem(memory) }))
    .filter(({ printed }) => printed !== "");
  const render = (chosen: readonly (typeof items)[number][]) =>
    fenced(title, chosen.map(({ printed }) => printed).join("\n"));
  const [first] = items;
  if (first === undefined) return null;
  const cut = () => {
    const memory = { ...first.memory, text: truncate(first.memory.text, tokens * CHARACTERS) };
    return [{ memory: first.memory, printed: recalledItem(memory) }];
  };
  const best =
    choose(items, ({ printed }) => printed, render, tokens) ??
    choose(cut(), ({ printed }) => printed, render, tokens);
  if (best === null) return { text: "", included: [], left: items.length };
  const included = best.chosen.map(({ memory }) => memory);
  return { text: best.text, included, left: items.length - included.length };
}

/** One hit, for programs. */
export function hitData({
  kind,
  id,
  collection,
  origin,
  at,
  score,
  trust,
  unconfirmed = false,
  heading,
  text,
  tags,
  session,
  guessed,
  until = null,
}: Omit<SearchHit, "parts" | "until"> & { readonly until?: string | null }) {
  const date = at === null ? null : localDay(at);
  const said = { heading, text, tags, session, guessed, until };
  return { kind, id, collection, origin, date, score, trust, unconfirmed, ...said };
}
