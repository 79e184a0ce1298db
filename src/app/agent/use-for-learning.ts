/** The learning model in the home config. */
import { LearningFiles } from "../../agent/learn/files.ts";
import { changeSetting } from "../../backends/workspaces.ts";
import type { Settings } from "../../config/schema.ts";
import type { Workspace } from "../../config/workspace.ts";
import { NO_MODEL, readModelName } from "../../llm/spec.ts";

/** null if learning is off. */
export function learningModel({ learning_model, local_auto_retain }: Settings): string | null {
  return learning_model === "" || learning_model === NO_MODEL || !local_auto_retain ? null : learning_model;
}

/** Sets the model and returns its full name; null turns learning off. It reads turns from `since` (ISO 8601) on. Throws `usage`. */
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
