/** Imports files that the workspace must not have yet: a session's working memory, and the base instructions. */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { workingPath } from "../core/facts/memory-paths.ts";
import { option } from "../core/hint.ts";
import { storable } from "../core/secrets/storable.ts";
import type { FactWorkspace } from "../facts/ports.ts";
import { writeFacts } from "../facts/write/write-facts.ts";
import { LABEL } from "./facts.ts";
import type { Migration } from "./ports.ts";
import type { Spot } from "./report.ts";

/** Next to `memories`, where the context reads it. */
const INSTRUCTIONS = "../context/system_prompt.md";

interface WorkingFile {
  /** Relative to the directory. */
  readonly file: string;
  readonly content: string;
  readonly session: string;
  readonly changedAt: Date;
}

/** Keeps its age, so that stale working memory stays stale. */
export async function takeWorking(
  { workspace, telling, isDry }: Migration,
  { file, content, session, changedAt }: WorkingFile,
): Promise<void> {
  const spot: Spot = { kind: "working memory", name: session, file };
  const text = storable(content, false).trim();
  if (text === "") return telling.leave(file, "it is empty");
  try {
    const path = workingPath(session);
    const there = workspace.files.read(path)?.content.trim() ?? "";
    if (there !== "") return telling.there(spot, there === text ? null : "the workspace has its own");
    const none = { facts: [], notes: [] };
    await writeFacts(workspace, LABEL, { ...none, working: { session, text } }, () => ({ kind: "new" }));
    if (!isDry) utimesSync(join(workspace.files.root, path), changedAt, changedAt);
    telling.taken(spot);
  } catch (error) {
    telling.failed(spot, error);
  }
}

/** Only the home workspace has instructions: a project's are untrusted. */
export async function takeInstructions(migration: Migration, file: string): Promise<void> {
  const { workspace, source, telling } = migration;
  const spot: Spot = { kind: "instructions", name: "system_prompt.md", file };
  if (workspace.origin !== "home")
    return telling.leave(file, `a project cannot have instructions; pass ${option("global")} to import it`);
  try {
    const content = source.markdown(file);
    const text = storable(content, false);
    if (text.trim() === "") return telling.leave(file, "it is empty");
    const outcome = await store(workspace, text);
    if (outcome === "there") telling.there(spot);
    else if (outcome === "taken") telling.taken(spot, { why: text === content ? null : "without secrets" });
    else telling.skipped(spot, "The workspace already has instructions.", COMPARE);
  } catch (error) {
    telling.failed(spot, error);
  }
}

const COMPARE = "Compare them, and copy what you want into context/system_prompt.md.";

async function store({ files, lock }: FactWorkspace, text: string): Promise<"taken" | "there" | "other"> {
  return lock.exclusively(() => {
    const there = files.read(INSTRUCTIONS)?.content.trim() ?? "";
    if (there !== "") return there === text.trim() ? "there" : "other";
    files.write(INSTRUCTIONS, text);
    return "taken";
  });
}
