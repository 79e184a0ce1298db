/** The package as users get it: packed, and installed in an empty directory with its dependencies only. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };

const ROOT = join(import.meta.dir, "../..");

export function ran(command: readonly string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout.toString();
}

/** A program's directory, with the programs of test/fixtures/library in it. */
export class InstalledPackage {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), "retain-package-")));
  readonly root = join(this.directory, "node_modules", packageJson.name);

  constructor() {
    ran([process.execPath, join(ROOT, "scripts/build-library.ts")], ROOT);
    ran(["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", this.directory], ROOT);
    const [archive = ""] = readdirSync(this.directory).filter((name) => name.endsWith(".tgz"));
    mkdirSync(this.root, { recursive: true });
    ran(["tar", "xzf", join(this.directory, archive), "--strip-components=1", "-C", this.root], ROOT);
    const optional = Object.keys(packageJson.optionalDependencies);
    for (const name of [...Object.keys(packageJson.dependencies), ...optional, "@types/node", "undici-types"])
      this.#link(name);
    writeFileSync(join(this.directory, "package.json"), '{ "type": "module" }');
    writeFileSync(join(this.directory, "documented.ts"), documentedProgram());
    cpSync(join(ROOT, "test/fixtures/library"), this.directory, { recursive: true });
  }

  #link(name: string): void {
    const [from, to] = [ROOT, this.directory].map((directory) => join(directory, "node_modules", name));
    if (from === undefined || to === undefined || !existsSync(from)) return;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(realpathSync(from), to);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The code in docs/library.md, as one program. */
function documentedProgram(): string {
  const page = readFileSync(join(ROOT, "docs/library.md"), "utf8");
  return [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join("\n");
}
