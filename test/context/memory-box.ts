/** A home workspace and a project on real files, and their context at a fixed time. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ContextOptions } from "../../src/context/assemble.ts";
import { CLOSING, OPENING } from "../../src/context/fence.ts";
import { SEPARATOR } from "../../src/context/filling.ts";
import type { AssembledContext } from "../../src/context/parts.ts";
import { openRetain, type Retain, type RetainOptions } from "../../src/index.ts";
import { Sandbox } from "../helpers/sandbox.ts";

/** A Sunday at noon, local time. */
export const NOW = new Date(2026, 10, 15, 12);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export class MemoryBox {
  readonly box = new Sandbox();
  now = NOW;

  /** A file of the home workspace's memories, changed `age` ms ago. */
  home(path: string, content: string | Uint8Array, age = 0): this {
    return this.#write(join(this.box.memory, "memories", path), content, age);
  }

  /** The same for the project, which is created. */
  project(path: string, content: string | Uint8Array, age = 0): this {
    this.#write(join(this.box.work, ".retain/config.yaml"), "enabled: true\n", 0);
    return this.#write(join(this.box.work, ".retain/memories", path), content, age);
  }

  open(options: RetainOptions = {}): Retain {
    const { work: cwd, home: homeDirectory } = this.box;
    const clock = () => this.now;
    return openRetain({ cwd, homeDirectory, env: {}, clock, settings: { embedding: "none" }, ...options });
  }

  async context(options: ContextOptions = {}, more: RetainOptions = {}): Promise<AssembledContext> {
    using retain = this.open(more);
    return await retain.context(options);
  }

  /** The parts after the instructions. */
  async memory(options: ContextOptions = {}, more: RetainOptions = {}): Promise<string[]> {
    return partsIn((await this.context(options, more)).text).slice(2);
  }

  #write(file: string, content: string | Uint8Array, age: number): this {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const time = new Date(this.now.getTime() - age);
    utimesSync(file, time, time);
    return this;
  }
}

/** Without the fence, and without ids and dates of facts. */
export function partsIn(text: string): string[] {
  return text.replaceAll(OPENING, "").replaceAll(CLOSING, "").replace(SHOWN_ID, "- ").split(SEPARATOR);
}

const SHOWN_ID = /^- [0-9a-v]{6} \(\d{4}-\d\d-\d\d[^)]*\): /gm;

/** The title of each part: its first line. */
export function titlesIn(text: string): string[] {
  return partsIn(text).map((part) => part.split("\n")[0] ?? "");
}
