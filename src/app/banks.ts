/** Banks by name: memories in the home workspace that belong to no directory, each with its own files and index. */
import { bankNames } from "../config/bank-scope.ts";
import type { Workspace } from "../config/workspace.ts";

export function openBanks<R>(home: Workspace, open: (name: string) => R) {
  return {
    /** The names of all banks, those of projects included, from a to z. */
    list: async (): Promise<string[]> => bankNames(home),
    /** Opens a bank by its name; creates nothing before the first write. The caller closes it. Throws `invalid_name`. */
    open: async (name: string): Promise<R> => open(name),
  };
}
