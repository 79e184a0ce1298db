/**
 * Finds messages that answer with an ended fact. A message may say several things, so it is outdated only for questions about the
 * sentence that stated the fact.
 */

import type { StatedFact } from "../core/ports/search.ts";
import { sentencesOf } from "../core/text/sentences.ts";
import { termOf, termsOf } from "../core/text/terms.ts";
import { countInCommon } from "../util/text.ts";

/** When the fact that the message answers with ended; null if the message is still current. */
export function outdatedSince(
  text: string,
  facts: readonly StatedFact[],
  words: readonly string[],
  asOf: number,
): number | null {
  const sentences = sentencesOf(text).map(({ start, end }) => termSet(text.slice(start, end)));
  const stating = (fact: StatedFact) => best(sentences, termSet(fact.text));
  const hasEnded = ({ endedAt }: StatedFact) => endedAt !== null && endedAt <= asOf;
  const live = facts.filter((fact) => !hasEnded(fact));
  const held = new Set(live.map(stating));
  const asked = new Set(words.map(termOf));
  const most = Math.max(0, ...sentences.map((sentence) => countInCommon(sentence, asked)));
  const ended = facts.filter((fact) => {
    if (!hasEnded(fact)) return false;
    // Facts that still hold are memories of their own, so the message isn't needed for them.
    if (most === 0) return true;
    const sentence = stating(fact);
    return !held.has(sentence) && (sentence === null || countInCommon(sentence, asked) === most);
  });
  return ended.length === 0 ? null : Math.max(...ended.map(({ endedAt }) => endedAt ?? 0));
}

type Terms = ReadonlySet<string>;

function termSet(text: string): Terms {
  const { words, pairs } = termsOf(text);
  return new Set([...words, ...pairs]);
}

/** The sentence that shares the most terms with the fact; null if none shares any. */
function best(sentences: readonly Terms[], fact: Terms): Terms | null {
  const [first] = sentences.toSorted((a, b) => countInCommon(b, fact) - countInCommon(a, fact));
  return first !== undefined && countInCommon(first, fact) > 0 ? first : null;
}
