/** A temporary home and working directory, with the real tools. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findSkills } from "../../src/agent/skills/skills.ts";
import type { ToolOutcome, ToolPlan } from "../../src/agent/tool.ts";
import { type WorkspaceToolsOptions, workspaceTools } from "../../src/agent/tools/table.ts";
import { afterThisTest } from "../helpers/clean-up.ts";

export class Place {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "retain-tools-")));
  readonly home = join(this.root, "home");
  readonly cwd = join(this.home, "work");
  readonly memory = join(this.home, ".retain");

  constructor(readonly options: Partial<WorkspaceToolsOptions> = {}) {
    mkdirSync(this.cwd, { recursive: true });
    afterThisTest(() => rmSync(this.root, { recursive: true, force: true }));
  }

  /** A file below the working directory, or at an absolute path. */
  write(path: string, content: string | Uint8Array): string {
    const file = path.startsWith("/") ? path : join(this.cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  read(path: string): string {
    return readFileSync(join(this.cwd, path), "utf8");
  }

  tools() {
    return workspaceTools({
      cwd: this.cwd,
      env: { PATH: process.env.PATH, HOME: this.home },
      homeDirectory: this.home,
      roots: [this.memory],
      skills: () => findSkills(this.memory, null),
      graceMs: 100,
      ...this.options,
    });
  }

  async plan(tool: string, input: unknown): Promise<ToolPlan> {
    const found = this.tools().find(({ name }) => name === tool);
    if (found === undefined) throw new Error(`There is no ${tool}.`);
    return found.plan(input);
  }

  async run(tool: string, input: unknown, signal = new AbortController().signal): Promise<ToolOutcome> {
    return (await this.plan(tool, input)).run(signal);
  }

  /** Waits, with a timeout, until a file has this many lines. */
  async lines(path: string, count: number): Promise<string[]> {
    const file = join(this.cwd, path);
    for (let round = 0; round < 1_000; round++) {
      const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
      if (lines.length >= count && lines.every((line) => line !== "")) return lines;
      await Bun.sleep(10);
    }
    throw new Error(`${path} did not get ${count} lines.`);
  }
}
