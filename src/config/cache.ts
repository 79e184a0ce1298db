/** The cache directory: shared by all workspaces of a user, and safe to delete. */
import { isAbsolute, join } from "node:path";
import type { Surroundings } from "./workspace.ts";

export function cacheDirectory({ env, homeDirectory }: Surroundings): string {
  // A relative path would depend on the current directory, which may be untrusted.
  if (env.RETAIN_CACHE && isAbsolute(env.RETAIN_CACHE)) return env.RETAIN_CACHE;
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, "retain");
  return join(
    homeDirectory,
    ...(process.platform === "darwin" ? ["Library", "Caches"] : [".cache"]),
    "retain",
  );
}
