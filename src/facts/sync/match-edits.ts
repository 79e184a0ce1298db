/**
 * Matches new bullets to the old ones they replaced when a person edited a file. A search and replace may change every line of a
 * long file, so this never compares every line with every other.
 */
import { shareInCommon, wordsIn } from "../../util/text.ts";

interface Said {
  readonly text: string;
  readonly category: string;
}

/** A range in which two lists differ. */
interface Hunk {
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/** With fewer common words, it is another fact. */
const LEAST_ALIKE = 0.3;
/** Old facts to compare a new one with: those that share its rarest words. */
const MOST_CANDIDATES = 24;

/** Maps each new fact's id to the old one it replaced. Only facts in `lost` and `fresh` are matched. */
export function pairs(
  hunks: readonly Hunk[],
  lost: ReadonlyMap<string, Said>,
  fresh: ReadonlyMap<string, Said>,
): Map<string, string> {
  const took = new Map<string, string>();
  if (lost.size === 0) return took;
  const taken = new Set<string>();
  const words = { come: wordsOfEach(fresh), gone: wordsOfEach(lost) };
  const pair = (id: string, old: string) => {
    took.set(id, old);
    taken.add(old);
  };
  const open = (come: Iterable<string>, gone: Iterable<string>) => ({
    come: [...come].filter((id) => fresh.has(id) && !took.has(id)),
    gone: [...gone].filter((id) => lost.has(id) && !taken.has(id)),
  });
  for (const hunk of hunks) {
    // The same number of lines in the same place: two similar lines, or else two under the same heading, are an edit.
    for (const [id, old] of inPlace(open(hunk.come, hunk.gone)))
      if (shareInCommon(words.come(id), words.gone(old)) >= LEAST_ALIKE) pair(id, old);
    for (const [id, old] of alike(open(hunk.come, hunk.gone), words)) pair(id, old);
    for (const [id, old] of inPlace(open(hunk.come, hunk.gone)))
      if (lost.get(old)?.category === fresh.get(id)?.category) pair(id, old);
  }
  for (const [id, old] of alike(open(fresh.keys(), lost.keys()), words)) pair(id, old);
  return took;
}

type Pair = readonly [id: string, old: string];
type Words = ReadonlySet<string>;

interface WordsOf {
  readonly come: (id: string) => Words;
  readonly gone: (id: string) => Words;
}

/** Pairs line by line if both have the same number of lines. */
function inPlace({ come, gone }: Hunk): Pair[] {
  return come.length === gone.length ? come.map((id, index) => [id, gone[index] as string]) : [];
}

/** Most similar first; each is paired once. */
function alike({ come, gone }: Hunk, words: WordsOf): Pair[] {
  if (come.length === 0 || gone.length === 0) return [];
  const holding = new Map<string, number[]>();
  for (const [index, old] of gone.entries())
    for (const word of words.gone(old)) {
      const indexes = holding.get(word);
      if (indexes === undefined) holding.set(word, [index]);
      else indexes.push(index);
    }
  const candidates = come
    .flatMap((id, index) => {
      const its = words.come(id);
      const near = (index * gone.length) / come.length;
      return sharingRarest(its, holding, near).map((oldIndex) => {
        const old = gone[oldIndex] as string;
        return { id, old, share: shareInCommon(its, words.gone(old)) };
      });
    })
    .filter(({ share }) => share >= LEAST_ALIKE)
    .sort((a, b) => b.share - a.share);
  const [paired, used] = [new Set<string>(), new Set<string>()];
  return candidates.flatMap(({ id, old }): Pair[] => {
    if (paired.has(id) || used.has(old)) return [];
    paired.add(id);
    used.add(old);
    return [[id, old]];
  });
}

/** For words that occur everywhere, the nearest positions. */
function sharingRarest(
  words: Words,
  holding: ReadonlyMap<string, readonly number[]>,
  near: number,
): number[] {
  const found = new Set<number>();
  const lists = [...words].map((word) => holding.get(word) ?? []).sort((a, b) => a.length - b.length);
  for (const indexes of lists) {
    const room = MOST_CANDIDATES - found.size;
    if (room === 0) break;
    const start = Math.min(firstFrom(indexes, near) - Math.floor(room / 2), indexes.length - room);
    for (const index of indexes.slice(Math.max(0, start), Math.max(0, start) + room)) found.add(index);
  }
  return [...found];
}

/** Binary search: the index of the first number that is `least` or more; the count if there is none. */
function firstFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Splits each text into words once, on first use. */
function wordsOfEach(facts: ReadonlyMap<string, Said>): (id: string) => Words {
  const known = new Map<string, Words>();
  return (id) => {
    let words = known.get(id);
    if (words === undefined) {
      words = new Set(wordsIn(facts.get(id)?.text ?? ""));
      known.set(id, words);
    }
    return words;
  };
}

/** The ranges in which two lists of ids differ, in order. Each list has an id at most once. */
export function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const oldIndexes = new Map(before.map((id, index) => [id, index]));
  const common = after.flatMap((id, newAt) => {
    const oldAt = oldIndexes.get(id);
    return oldAt === undefined ? [] : { oldAt, newAt };
  });
  const hunks: Hunk[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const next of [...longestRising(common), { oldAt: before.length, newAt: after.length }]) {
    if (next.oldAt > oldAt || next.newAt > newAt)
      hunks.push({ gone: before.slice(oldAt, next.oldAt), come: after.slice(newAt, next.newAt) });
    [oldAt, newAt] = [next.oldAt + 1, next.newAt + 1];
  }
  return hunks;
}

interface Common {
  readonly oldAt: number;
  readonly newAt: number;
}

/** The longest increasing subsequence. `runs` and `ends` have, for each length, the run that ends earliest, and its end. */
function longestRising(common: readonly Common[]): Common[] {
  interface Run extends Common {
    readonly before: Run | undefined;
  }
  const [runs, ends]: [Run[], number[]] = [[], []];
  for (const one of common) {
    const length = firstFrom(ends, one.oldAt);
    runs[length] = { ...one, before: runs[length - 1] };
    ends[length] = one.oldAt;
  }
  const rising: Common[] = [];
  for (let run = runs.at(-1); run !== undefined; run = run.before) rising.push(run);
  return rising.reverse();
}
