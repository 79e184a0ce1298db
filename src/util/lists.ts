/** The range in which two lists differ by identity, without their common prefix and suffix. */
export function differing<T>(
  before: readonly T[],
  after: readonly T[],
): { readonly at: number; readonly gone: readonly T[]; readonly come: readonly T[] } {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before[at] === after[at]) at++;
  let same = 0;
  while (same < most - at && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { at, gone: before.slice(at, before.length - same), come: after.slice(at, after.length - same) };
}
