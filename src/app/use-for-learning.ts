/** Which model reads conversations, by the home config. */
import { LearningFiles } from "../agent/learn/files.ts";
import { changeSetting } from "../backends/workspaces.ts";
import type { Settings } from "../config/schema.ts";
import type { Workspace } from "../config/workspace.ts";
import { NO_MODEL, readModelName } from "../llm/spec.ts";

/** null if none does. */
export function learningModel({ learning_model, local_auto_retain }: Settings): string | null {
  return learning_model === "" || learning_model === NO_MODEL || !local_auto_retain ? null : learning_model;
}

/** Returns its full name. null switches learning off. It reads what is said from `since` (ISO 8601) on. Throws `usage` for what names no model. */
export async function useForLearning(
  home: Workspace,
  settings: Settings,
  name: string | null,
  since: string,
): Promise<string | null> {
  const read = name === null ? null : readModelName(name, settings);
  const full = read === null ? null : `${read.provider.name}/${read.model}`;
  const isNew = learningModel(settings) === null;
  if (full !== null && isNew) new LearningFiles(home.root).since = since;
  await changeSetting(home, "learning_model", full ?? NO_MODEL);
  return full;
}
