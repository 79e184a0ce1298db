/** A memory file that others stand beside: one that cannot be read is told, and hides none of them. */
import { RetainError } from "../core/errors.ts";
import type { MemoryFile, MemoryFiles } from "../core/ports.ts";

/** null where it cannot be read: `consequence` says what comes of that. */
export function readable(
  { files, warn }: { readonly files: MemoryFiles; warn(message: string): void },
  path: string,
  consequence: string,
): { readonly file: MemoryFile | null } | null {
  try {
    return { file: files.read(path) };
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    warn(`${error.message} ${consequence}`);
    return null;
  }
}
