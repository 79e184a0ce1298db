/**
 * Fuzzy word search: misspelt words and parts of longer words. The trigram index finds texts that share enough trigrams with the
 * word; the texts then show how close the match is.
 */
import type { MemoryFilter, WordHit } from "../../core/ports/search.ts";
import { editDistance } from "../../util/text.ts";
import { sqlFilter } from "../chunks/filter.ts";
import type { Database } from "../driver.ts";

/** The most texts to check per word, those with the most trigrams first. */
const LOOKED_INTO = 300;
/** The most words to match fuzzily, longest first. A text of only unknown words is in another language, not misspelt. */
const MOST_GUESSED = 8;
/** Longer strings aren't words. */
const LONGEST = 64;
/** From this length on, a word may match inside a longer one; a shorter one only at its start. */
const INNER = 5;

export function byFuzzyWords(
  database: Database,
  words: readonly string[],
  filter: MemoryFilter,
  limit: number,
): WordHit[] {
  const scores = new Map<number, number>();
  const guessed = [...new Set(words)]
    .filter(({ length }) => length <= LONGEST)
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_GUESSED);
  for (const word of guessed) {
    for (const { chunk_id, text } of similarTexts(database, word, filter)) {
      const score = bestLikeness(word, text) / words.length;
      if (score > 0) scores.set(chunk_id, (scores.get(chunk_id) ?? 0) + score);
    }
  }
  return [...scores]
    .map(([chunkId, score]) => ({ chunkId, score }))
    .sort((a, b) => b.score - a.score || b.chunkId - a.chunkId)
    .slice(0, limit);
}

function similarTexts(database: Database, word: string, filter: MemoryFilter) {
  const pieces = trigramsOf(word);
  if (pieces.length === 0) return [];
  const match = pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join(" OR ");
  const { where, values } = sqlFilter(filter);
  return database
    .query<{ chunk_id: number; text: string }, (string | number)[]>(
      `SELECT chunk_id, heading || char(10) || chunks.text AS text
       FROM trigrams CROSS JOIN chunks ON chunk_id = trigrams.rowid
       WHERE trigrams MATCH ? ${where === "" ? "" : `AND ${where}`} ORDER BY trigrams.rank LIMIT ?`,
    )
    .all(match, ...values, LOOKED_INTO);
}

function trigramsOf(word: string): string[] {
  const characters = Array.from(word);
  return characters.slice(2).map((last, index) => `${characters[index]}${characters[index + 1]}${last}`);
}

/** 1 if the word is part of a longer one, less for each wrong letter, 0 if nothing is similar. */
function bestLikeness(word: string, text: string): number {
  const lower = text.toLowerCase();
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  let best = 0;
  for (const candidate of new Set(lower.match(/[\p{L}\p{N}]+/gu) ?? [])) {
    if (candidate.startsWith(word) || (word.length > INNER && candidate.includes(word))) return 1;
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(word, candidate);
    if (distance <= allowed) best = Math.max(best, 1 - distance / word.length);
  }
  return best;
}
