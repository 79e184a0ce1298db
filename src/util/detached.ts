/** Copies a string that will be kept: a slice would keep its whole parent string in memory. */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}
