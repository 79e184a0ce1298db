/** A leading "~" is the home directory also where no shell has seen to it: in a config, and in a program's environment. */
export function expandTilde(path: string, homeDirectory: string): string {
  return path.replace(/^~(?=\/|$)/, () => homeDirectory);
}
