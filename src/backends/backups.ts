/** The backups of a workspace, as workspaces of their own. */
import { basename, join, relative } from "node:path";
import type { Workspace } from "../config/workspace.ts";
import { backupsOf } from "../files/backups.ts";

export interface Backup extends Workspace {
  /** Its directory, below the workspace that it is of. */
  readonly name: string;
}

/**
 * Folders are the home workspace's and in no backup, nor is a repository's past. `conversations` is the directory above those of
 * the workspace: a project's are elsewhere, and their backups beside them.
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
