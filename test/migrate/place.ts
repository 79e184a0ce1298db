/** A directory of another system, and a home workspace to take it over into. */
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { openRetain, type Retain } from "../../src/index.ts";
import type { MigratedItem, MigrationReport } from "../../src/migrate/report.ts";
import { sha256 } from "../../src/util/hash.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import type { Sandbox } from "../helpers/sandbox.ts";

const FIXTURES = join(import.meta.dir, "../fixtures/migrate");

/** A copy of a fixture, in the place where commands run. */
export function fixture(sandbox: Sandbox, name: string): string {
  const directory = join(sandbox.work, name);
  cpSync(join(FIXTURES, name), directory, { recursive: true });
  return directory;
}

export function writeAll(directory: string, files: Record<string, string>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

/** Every entry with what it says and when it was last changed: nothing may differ afterwards. */
export function fingerprint(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mode, mtimeMs } = lstatSync(path);
      const content = entry.isFile()
        ? sha256(readFileSync(path))
        : entry.isSymbolicLink()
          ? readlinkSync(path)
          : "";
      return `${path.slice(directory.length)} ${mode} ${mtimeMs} ${content}`;
    })
    .sort();
}

export function open(sandbox: Sandbox): Retain {
  const retain = openRetain({
    cwd: sandbox.work,
    homeDirectory: sandbox.home,
    env: sandbox.env(),
  });
  afterThisTest(() => retain.close());
  return retain;
}

/** What a file of the home workspace says. */
export function read(sandbox: Sandbox, path: string): string {
  return readFileSync(join(sandbox.memory, path), "utf8");
}

/** "imported name", in order. */
export function outcomesOf({ items }: MigrationReport, kind?: MigratedItem["kind"]): string[] {
  return items
    .filter((item) => kind === undefined || item.kind === kind)
    .map(({ outcome, name }) => `${outcome} ${name}`);
}

export function importedIn(report: MigrationReport): number {
  return report.items.filter(({ outcome }) => outcome === "imported").length;
}
