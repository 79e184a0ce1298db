/** Installs alternatives with npm for a run. Never a dependency. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../processes.ts";

const LIMIT_MS = 600_000;

export const PACKAGES = {
  "sqlite-vec": "0.1.9",
  "@tobilu/qmd": "2.8.3",
  "@oh-my-pi/pi-mnemopi": "18.2.3",
  "@modelcontextprotocol/server-memory": "2026.8.31",
} as const;

export type PackageName = keyof typeof PACKAGES;

/** Installs into its own folder below `directory`, unless present. Returns its node_modules; throws if npm fails. */
export async function install(name: PackageName, directory: string): Promise<string> {
  const root = join(directory, name.replace("@", "").replace("/", "-"));
  const modules = join(root, "node_modules");
  if (installedVersion(modules, name) === PACKAGES[name]) return modules;
  console.error(`Installing ${name} ${PACKAGES[name]} ...`);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "package.json"), '{ "private": true }\n');
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  await run(["npm", "install", "--ignore-scripts", ...quiet, `${name}@${PACKAGES[name]}`], {
    limitMs: LIMIT_MS,
    cwd: root,
  });
  return modules;
}

/** The SQLite extension for this machine. */
export async function installSqliteVec(directory: string): Promise<string> {
  const modules = await install("sqlite-vec", directory);
  const { getLoadablePath } = (await import(join(modules, "sqlite-vec/index.mjs"))) as {
    getLoadablePath(): string;
  };
  return getLoadablePath();
}

function installedVersion(modules: string, name: string): string | null {
  const manifest = join(modules, name, "package.json");
  if (!existsSync(manifest)) return null;
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
