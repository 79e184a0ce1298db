/** The current directory, environment and home directory, unless the caller passes others. */
import { homedir } from "node:os";
import type { Surroundings } from "../config/workspace.ts";
import { RetainError } from "../core/errors.ts";
import { runSync } from "../util/runtime.ts";

export function surroundingsOf(options: Partial<Omit<Surroundings, "userId">>): Surroundings {
  return {
    cwd: options.cwd ?? currentDirectory(),
    env: options.env ?? process.env,
    homeDirectory: options.homeDirectory ?? homedir(),
    userId: process.getuid?.() ?? null,
  };
}

/** The user's login name. */
export function userNameIn({ LOGNAME, USER, USERNAME }: Surroundings["env"]): string {
  return LOGNAME || USER || USERNAME || accountName() || "unknown";
}

/** Bun's `userInfo` only reads $USER, which cron and containers leave unset. */
function accountName(): string {
  try {
    return runSync(["/usr/bin/id", "-un"], { env: {} }).stdout.toString().trim();
  } catch {
    return "";
  }
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new RetainError("io", "The current directory no longer exists.", "Change to another one: cd ~");
  }
}
