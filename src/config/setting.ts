/** What a setting consists of, and shapes that several settings share. */
import type { CommandReference } from "../core/hint.ts";
import * as z from "../util/zod.ts";

/** A project's config comes with a repository and is untrusted, so only the user may set some settings. */
type Setter = "anyone" | "user" | "project";

export interface Setting<T> {
  /** Created on demand: most commands validate no value. */
  readonly schema: () => z.ZodMiniType<T>;
  readonly default: T;
  readonly description: string;
  readonly setBy: Setter;
  /** The command that changes it, if its value doesn't fit in one argument or variable. */
  readonly command: CommandReference | null;
}

export function setting<T>(
  schema: () => z.ZodMiniType<T>,
  fallback: T,
  description: string,
  setBy: Setter = "anyone",
  change: CommandReference | null = null,
): Setting<T> {
  return { schema, default: fallback, description, setBy, command: change };
}

/** How projects share memory. */
export const SCOPINGS = ["global", "per-project", "per-project-tagged"] as const;

export const turns = () => z.int().check(z.minimum(1), z.maximum(1_000));
