/** A home workspace whose memory files a person wrote, and what they say. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openRetain, type UnconfirmedFact } from "../../src/index.ts";
import { Sandbox } from "./sandbox.ts";

/** Facts are told apart by their words: nothing is loaded. */
export const WORDS_ALONE = { RETAIN_EMBEDDING: "none" };

/** A home workspace with these memory files. */
export function written(files: Record<string, string>): Sandbox {
  const sandbox = new Sandbox();
  for (const [file, content] of Object.entries(files)) {
    const path = join(sandbox.memory, "memories", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return sandbox;
}

/** Every memory file; what a killed process had begun to write aside is none. */
export function states(sandbox: Sandbox): Record<string, string> {
  const root = join(sandbox.memory, "memories");
  return Object.fromEntries(
    sandbox
      .tree(root)
      .filter((path) => !path.includes(".tmp-"))
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}

/** As a model would find them in a conversation: what begins with "The user" is about the person. */
export function unconfirmed(session: string, ...found: string[]): UnconfirmedFact[] {
  return found.map((text) => ({
    about: text.startsWith("The user") ? "person" : "project",
    fact: {
      ...{ text, category: null, chat: null },
      source: { by: "learn", session, message: null, trust: "inferred", tags: [] },
    },
  }));
}

/** Saves a fact for each ending, a day apart; each is in doubt with the one before it. Returns their ids. */
export async function inDoubt(
  sandbox: Sandbox,
  start: string,
  endings: readonly string[],
): Promise<string[]> {
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() });
  const ids: string[] = [];
  for (const [index, ending] of endings.entries()) {
    const at = new Date(Date.UTC(2026, 2, index + 1)).toISOString();
    const { saved } = await retain.facts.retain([{ content: `${start} ${ending}`, at, trust: "stated" }]);
    ids.push(...saved.map(({ id }) => id));
  }
  return ids;
}
