/** Which new bullet took which old one's place, when a person edited a file. */

interface Said {
  readonly text: string;
  readonly category: string;
}

interface Hunk {
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/** Less in common is another fact. */
const LEAST_ALIKE = 0.3;

/** From the id of each new fact to that of the old one it replaced. `lost` and `fresh` hold the texts that count. */
export function pairs(
  hunks: readonly Hunk[],
  lost: ReadonlyMap<string, Said>,
  fresh: ReadonlyMap<string, Said>,
): Map<string, string> {
  const took = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (id: string, old: string) => {
    took.set(id, old);
    taken.add(old);
  };
  for (const hunk of hunks) {
    const gone = hunk.gone.filter((id) => lost.has(id));
    const come = hunk.come.filter((id) => fresh.has(id));
    for (const [id, old] of alike(come, gone, fresh, lost)) pair(id, old);
    const left = gone.filter((id) => !taken.has(id));
    const others = come.filter((id) => !took.has(id));
    // As many lines as before, in the same place and under the same heading: each was edited.
    if (left.length !== others.length) continue;
    for (const [index, id] of others.entries()) {
      const old = left[index] as string;
      if (lost.get(old)?.category === fresh.get(id)?.category) pair(id, old);
    }
  }
  const moved = [...fresh.keys()].filter((id) => !took.has(id));
  const left = [...lost.keys()].filter((id) => !taken.has(id));
  for (const [id, old] of alike(moved, left, fresh, lost)) pair(id, old);
  return took;
}

/** The most alike first; each is paired once. */
function alike(
  come: readonly string[],
  gone: readonly string[],
  fresh: ReadonlyMap<string, Said>,
  lost: ReadonlyMap<string, Said>,
): [id: string, old: string][] {
  const candidates = come
    .flatMap((id) =>
      gone.map((old) => ({ id, old, share: shared(fresh.get(id)?.text ?? "", lost.get(old)?.text ?? "") })),
    )
    .filter(({ share }) => share >= LEAST_ALIKE)
    .sort((a, b) => b.share - a.share);
  const used = new Set<string>();
  return candidates.flatMap(({ id, old }) => {
    if (used.has(id) || used.has(old)) return [];
    used.add(id).add(old);
    return [[id, old] as [string, string]];
  });
}

/** The share of words that two texts have in common. */
function shared(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  if (left === undefined || right === undefined || left.size + right.size === 0) return 0;
  const both = [...left].filter((word) => right.has(word)).length;
  return (2 * both) / (left.size + right.size);
}
