/** Default directories of other systems. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const PLACES = [".arcaneum/retain", ".arcaneum/agent-memory", ".kenobot/data"];

/** Each with whether it exists. */
export function wellKnownPlaces(homeDirectory: string): { path: string; exists: boolean }[] {
  return PLACES.map((place) => join(homeDirectory, place)).map((path) => ({
    path,
    exists: existsSync(path),
  }));
}
