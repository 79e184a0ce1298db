/**
 * A cache of the built model shared by all tests, built once per state of the sources. Tests of the cache itself use their own
 * directories.
 */
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../src/util/hash.ts";

export function sharedCache(): string {
  const directory = join(import.meta.dir, "../../src/embed/minilm");
  const sources = readdirSync(directory).sort();
  const state = sha256(sources.map((name) => readFileSync(join(directory, name), "utf8")).join("\0"));
  return join(tmpdir(), `retain-test-models-${userInfo().uid}`, state.slice(0, 16));
}
