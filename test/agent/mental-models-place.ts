/** Mental models on real files, with the test's own clock and a scripted model. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MentalModels } from "../../src/agent/mental-models/models.ts";
import type { MentalModelPorts } from "../../src/agent/mental-models/ports.ts";
import type { RetainOptions } from "../../src/app/retain-options.ts";
import { openRetain, type Retain } from "../../src/app.ts";
import { MarkdownMemoryFiles } from "../../src/files/memories.ts";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

export const MINUTE_MS = 60_000;

export class ModelPlace {
  readonly sandbox = new Sandbox();
  now = new Date("2026-11-15T12:00:00Z");

  open(options: RetainOptions = {}): Retain {
    const retain = openRetain({
      cwd: this.sandbox.work,
      homeDirectory: this.sandbox.home,
      env: this.sandbox.env(),
      settings: { embedding: "none" },
      clock: () => this.now,
      ...options,
    });
    afterThisTest(() => retain.close());
    return retain;
  }

  /** Makes the working directory a project. */
  makeProject(): this {
    this.sandbox.write(".retain/config.yaml", "enabled: true\n");
    return this;
  }

  later(ms = 6 * MINUTE_MS): void {
    this.now = new Date(this.now.getTime() + ms);
  }

  path(name: string, origin: "home" | "project" = "home"): string {
    const root = origin === "home" ? this.sandbox.memory : join(this.sandbox.work, ".retain");
    return join(root, "memories/models", `${name}.md`);
  }

  has(name: string, origin?: "home" | "project"): boolean {
    return existsSync(this.path(name, origin));
  }

  read(name: string, origin?: "home" | "project"): string {
    return readFileSync(this.path(name, origin), "utf8");
  }

  write(name: string, text: string | Uint8Array, origin?: "home" | "project"): void {
    const path = this.path(name, origin);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Uses the home workspace's real files, and the test's own ports. */
export function modelsOver(place: ModelPlace, more: Partial<MentalModelPorts> = {}): MentalModels {
  const lock = new WorkspaceDatabase(
    join(place.sandbox.memory, "retain.db"),
    () => mkdirSync(place.sandbox.memory, { recursive: true }),
    () => {},
  );
  afterThisTest(() => lock.close());
  const files = new MarkdownMemoryFiles(place.sandbox.memory, () => {});
  return new MentalModels({
    workspaces: () => [{ origin: "home", files, lock }],
    settings: {
      mental_models_enabled: true,
      mental_model_auto_seed: true,
      mental_model_refresh_interval_ms: 5 * MINUTE_MS,
    },
    clock: () => place.now,
    recall: async () => ({ hits: [], partial: false }),
    model: async () => null,
    remote: null,
    ...more,
  });
}

export async function known(retain: Retain, ...facts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const fact of facts) ids.push((await retain.facts.remember(fact)).saved[0]?.id ?? "");
  return ids;
}

/** Answers in order, and records the prompts. */
export function scripted(...answers: (string | Error)[]) {
  const prompts: string[] = [];
  return {
    prompts,
    async complete(prompt: string): Promise<string> {
      prompts.push(prompt);
      const answer = answers[prompts.length - 1] ?? "";
      if (typeof answer !== "string") throw answer;
      return answer;
    },
  };
}
