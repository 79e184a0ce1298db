/** A home workspace with memory files, opened at a fixed time and without vectors. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openRetain, type Retain } from "../../src/app.ts";
import { bulletsOf } from "../../src/core/facts/bullets.ts";
import type { Model } from "../../src/core/ports/documents.ts";
import type { CompactionReport } from "../../src/facts/compact/report.ts";
import type { FactWorkspaces } from "../../src/facts/ports.ts";
import { Sandbox } from "../helpers/sandbox.ts";

export const NOW = new Date(2026, 10, 15, 12);

export class Place {
  readonly sandbox = new Sandbox();
  readonly root = join(this.sandbox.memory, "memories");
  readonly warnings: string[] = [];

  constructor(files: Record<string, string | Uint8Array> = {}) {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  open(clock = () => NOW): Retain {
    const { work: cwd, home: homeDirectory } = this.sandbox;
    const onWarning = (message: string) => this.warnings.push(message);
    return openRetain({ cwd, homeDirectory, env: {}, clock, onWarning, settings: { embedding: "none" } });
  }

  async with<T>(work: (retain: Retain) => Promise<T>, clock = () => NOW): Promise<T> {
    using retain = this.open(clock);
    return await work(retain);
  }

  compact(options: { dryRun?: boolean; model?: Model } = {}): Promise<CompactionReport> {
    return this.with((retain) => retain.facts.compact(options));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** Every memory file with its bytes. */
  states(): Record<string, string> {
    return Object.fromEntries(this.sandbox.tree(this.root).map((path) => [path, this.read(path)]));
  }

  bullets(path = "MEMORY.md"): string[] {
    return this.has(path) ? bulletsOf(this.read(path)).map(({ text }) => text) : [];
  }
}

export function placesOf(retain: Retain): FactWorkspaces {
  return (retain.facts as unknown as { workspaces: () => FactWorkspaces }).workspaces();
}

export function outcomes({ notes }: CompactionReport): [text: string, outcome: string][] {
  return notes.map(({ text, outcome }) => [text, outcome]);
}
