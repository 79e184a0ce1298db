/** Options and arguments shared by the actions of 'retain sessions'. */
import { RetainError } from "../../core/errors.ts";
import type { ExportFormat } from "../../sessions/export.ts";
import { type CommonOptions, refuseSurplus } from "../options.ts";

export interface SessionsOptions extends CommonOptions {
  chat?: string;
  tag?: string;
  limit?: number;
  format?: ExportFormat;
  output?: string;
  force?: boolean;
  all?: boolean;
  older?: string;
  dryRun?: boolean;
  yes?: boolean;
}

/** The largest --limit. */
export const MOST_SESSIONS = 1_000;

const EXAMPLES: Readonly<Record<string, string>> = {
  show: "show last",
  search: "search token rotation",
  export: "export last",
  delete: "delete 20260218_001",
  prune: "prune --older 1y",
  rename: "rename last Token rotation",
  tag: "tag last work -draft",
};

export function wordMissing(action: string): RetainError {
  const what =
    action === "search" ? "The query is missing." : `Arguments are missing for 'sessions ${action}'.`;
  return new RetainError("usage", what, `For example: retain sessions ${EXAMPLES[action]}`);
}

/** Throws `usage` unless there is exactly one. */
export function onlyWord(action: string, [word, second]: readonly string[]): string {
  if (word === undefined) throw wordMissing(action);
  refuseSurplus("sessions", action, second);
  return word;
}
