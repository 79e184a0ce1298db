/** Expands a leading "~", which no shell does in a config or a program's environment. */
export function expandTilde(path: string, homeDirectory: string): string {
  return path.replace(/^~(?=\/|$)/, () => homeDirectory);
}
