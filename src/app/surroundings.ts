/** Where the current directory, the environment and the home directory come from, unless a caller gives others. */
import { homedir } from "node:os";
import type { Surroundings } from "../config/workspace.ts";
import { RetainError } from "../core/errors.ts";

export function surroundingsOf(options: Partial<Omit<Surroundings, "userId">>): Surroundings {
  return {
    cwd: options.cwd ?? currentDirectory(),
    env: options.env ?? process.env,
    homeDirectory: options.homeDirectory ?? homedir(),
    userId: process.getuid?.() ?? null,
  };
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new RetainError(
      "io",
      "The current directory does not exist any more.",
      "Go to one that does: cd ~",
    );
  }
}
