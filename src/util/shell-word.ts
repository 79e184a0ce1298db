/** Quotes it for a shell command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./\p{L}\p{N}-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
