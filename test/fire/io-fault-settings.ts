/** Fixtures of the commands under test: files, servers, an editor. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IncidentFile } from "../../src/files/incidents.ts";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { HindsightServer } from "../helpers/hindsight-server.ts";
import { sentences } from "../helpers/learning-place.ts";
import { LearningServer } from "../helpers/learning-server.ts";
import { unconfirmed } from "../helpers/memories.ts";
import type { Sandbox } from "../helpers/sandbox.ts";

/** A command's directory and environment. */
export interface Setting {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Empties a server before each run. */
  readonly reset?: () => void;
}

export const stdin = (text: string) => () => ({ stdin: text });
export const after =
  (...commands: readonly (readonly string[])[]) =>
  (sandbox: Sandbox): Setting => {
    for (const args of commands) sandbox.ok([...args]);
    return {};
  };

/** An editor that adds this line. */
export const editing = (line: string) => () => ({ env: { EDITOR: `printf '\\n%s\\n' '${line}' >>` } });

/** A project below the working directory, where the home workspace is in use. */
export function project({ work }: Sandbox): { cwd: string } {
  const cwd = join(work, "project");
  mkdirSync(cwd);
  return { cwd };
}

export function withSkill(sandbox: Sandbox): Setting {
  const setting = project(sandbox);
  sandbox.ok(["init"], setting);
  sandbox.write("project/.retain/skills/deploy/SKILL.md", "---\ndescription: Deploys.\n---\nDo it.\n");
  return setting;
}

export function withVault(sandbox: Sandbox): Setting {
  sandbox.write("vault/herons.md", "# Herons\n\nHerons wade in ponds\n");
  return {};
}

export async function withUnconfirmed(sandbox: Sandbox): Promise<Setting> {
  using retain = openRetain({
    cwd: sandbox.work,
    homeDirectory: sandbox.home,
    env: sandbox.env(),
  });
  await retain.facts.writeUnconfirmed(unconfirmed("s1", "The user sails."));
  return {};
}

export async function withReader(sandbox: Sandbox): Promise<Setting> {
  const server = await new LearningServer(sentences).start();
  afterThisTest(() => server.stop());
  writeFileSync(join(sandbox.memory, "config.yaml"), server.config);
  // Learning covers only turns after it was turned on.
  sandbox.ok(["status"]);
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() });
  const at = new Date().toISOString();
  await retain.facts.writeTurns({
    session: "s3",
    turns: [
      { role: "user", content: "I own a boat", at },
      { role: "assistant", content: "Noted.", at },
    ],
  });
  return {};
}

/** Gives every text the same vector. */
export function withEmbedder(): Setting {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { input } = (await request.json()) as { input: string[] };
      return Response.json({ data: input.map((_, index) => ({ index, embedding: [1, 2, 3, 4] })) });
    },
  });
  afterThisTest(() => server.stop(true));
  return {
    env: {
      RETAIN_EMBEDDING: "endpoint",
      RETAIN_EMBEDDING_URL: `http://127.0.0.1:${server.port}/v1`,
      RETAIN_EMBEDDING_MODEL: "some-model",
    },
  };
}

/** A bank that was offline when a fact was saved for it. */
export async function withBank(sandbox: Sandbox): Promise<Setting> {
  const server = await new HindsightServer().start();
  const env = { RETAIN_MEMORY_BACKEND: "hindsight", RETAIN_HINDSIGHT_URL: server.url };
  server.stop();
  sandbox.ok(["remember", "Herons wade"], { env: { ...env } });
  await server.start();
  afterThisTest(() => server.stop());
  return { env, reset: () => server.banks.clear() };
}

export function withIncident({ memory }: Sandbox): Setting {
  const incident = {
    kind: "damage",
    path: join(memory, "collections/memory/torn.md"),
    what: "torn.md is damaged.",
    todo: "Restore it.",
  } as const;
  new IncidentFile(memory).record(memory, incident, new Date());
  return {};
}
