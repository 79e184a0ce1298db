/** The backups of a workspace, each as a workspace. */
import { basename, join, relative } from "node:path";
import type { Workspace } from "../config/workspace.ts";
import { backupsOf } from "../files/backups.ts";

interface Backup extends Workspace {
  /** Its directory, relative to the workspace it was made from. */
  readonly name: string;
}

/**
 * Backups contain neither folders, which belong to the home workspace, nor a repository's history. `conversations` is the parent
 * directory of the workspace's conversations: a project's conversations, and their backups, are outside the project.
 */
export function backupWorkspaces(workspace: Workspace, conversations: string): Backup[] {
  return [...new Set([workspace.root, conversations])].flatMap((above) =>
    backupsOf(above).map((root) => ({
      ...workspace,
      kind: "project",
      root,
      collections: join(root, relative(workspace.root, workspace.collections)),
      database: join(root, basename(workspace.database)),
      project: null,
      name: above === workspace.root ? relative(above, root) : root,
    })),
  );
}
