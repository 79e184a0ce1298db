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
import type { ItemRef } from "./report.ts";

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
export async function importWorking(
  { workspace, outcomes, isDry }: Migration,
  { file, content, session, changedAt }: WorkingFile,
): Promise<void> {
  const item: ItemRef = { kind: "working memory", name: session, file };
  const text = storable(content, false).trim();
  if (text === "") return outcomes.leave(file, "it is empty");
  try {
    const path = workingPath(session);
    const existing = workspace.files.read(path)?.content.trim() ?? "";
    if (existing !== "")
      return outcomes.existing(item, existing === text ? null : "the workspace has its own");
    const none = { facts: [], notes: [] };
    await writeFacts(workspace, LABEL, { ...none, working: { session, text } }, () => ({ kind: "new" }));
    if (!isDry) utimesSync(join(workspace.files.root, path), changedAt, changedAt);
    outcomes.imported(item);
  } catch (error) {
    outcomes.failed(item, error);
  }
}

/** Only the home workspace has instructions: a project's are untrusted. */
export async function importInstructions(migration: Migration, file: string): Promise<void> {
  const { workspace, source, outcomes } = migration;
  const item: ItemRef = { kind: "instructions", name: "system_prompt.md", file };
  if (workspace.origin !== "home")
    return outcomes.leave(file, `a project cannot have instructions; pass ${option("global")} to import it`);
  try {
    const content = source.markdown(file);
    const text = storable(content, false);
    if (text.trim() === "") return outcomes.leave(file, "it is empty");
    const outcome = await store(workspace, text);
    if (outcome === "existing") outcomes.existing(item);
    else if (outcome === "imported")
      outcomes.imported(item, { why: text === content ? null : "without secrets" });
    else outcomes.skipped(item, "The workspace already has instructions.", COMPARE);
  } catch (error) {
    outcomes.failed(item, error);
  }
}

const COMPARE = "Compare them, and copy what you want into context/system_prompt.md.";

async function store(
  { files, lock }: FactWorkspace,
  text: string,
): Promise<"imported" | "existing" | "other"> {
  return lock.exclusively(() => {
    const existing = files.read(INSTRUCTIONS)?.content.trim() ?? "";
    if (existing !== "") return existing === text.trim() ? "existing" : "other";
    files.write(INSTRUCTIONS, text);
    return "imported";
  });
}
