/** Where what can be made again is kept: shared by all workspaces of a user, and safe to delete. */
import { join } from "node:path";
import type { Surroundings } from "./workspace.ts";

export function cacheDirectory({ env, homeDirectory }: Surroundings): string {
  if (env.RETAIN_CACHE) return env.RETAIN_CACHE;
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, "retain");
  return join(
    homeDirectory,
    ...(process.platform === "darwin" ? ["Library", "Caches"] : [".cache"]),
    "retain",
  );
}
