/** The same text, for one that stays: a part of a larger text would keep the whole of that in memory. */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}
