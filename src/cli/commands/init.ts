import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { surroundingsOf } from "../../app/surroundings.ts";
import { hiddenDocuments, initProject, prepareWorkspace } from "../../backends/workspaces.ts";
import { resolveWorkspace } from "../../config/resolve-workspace.ts";
import { chooseWorkspace, type Workspace } from "../../config/workspace.ts";
import { RetainError } from "../../core/errors.ts";
import { hiddenWarning } from "../../documents/unread.ts";
import { shellWord } from "../../util/shell-word.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";

export const init: CliCommand = {
  define(command) {
    addExamples(command, ["cd my-project && retain init", "retain init --global"]);
  },

  async run(context) {
    const surroundings = surroundingsOf({});
    const used = context.scope === "global" ? null : projectHere(surroundings);
    const bank = used?.bank ? used : null;
    const { workspace, created, hasMoved } =
      context.scope === "global" ? makeHome(surroundings) : await initProject(surroundings, bank);
    const before = hasMoved ? null : (used?.root ?? null);
    const chosen = chooseWorkspace(surroundings, context.scope);
    if (chosen.workspace.root !== workspace.root)
      context.warn(`Commands here still use ${chosen.workspace.root}: ${chosen.reasons.join("; ")}.`);
    if (before !== null && before !== chosen.workspace.root)
      context.warn(
        `This directory used ${before} until now and no longer reads it. Import it with: retain migrate ${shellWord(before)}`,
      );
    const hidden = hiddenDocuments(chosen.workspace);
    if (hidden !== null) context.warn(hiddenWarning(hidden));
    const isElsewhere = dirname(workspace.configFile) !== workspace.root;
    const done =
      created.length > 0
        ? `✓ Created ${workspace.root}`
        : isElsewhere
          ? `✓ ${workspace.configFile} already makes this a project. Its memory is in ${workspace.root}`
          : `✓ ${workspace.root} already exists`;
    // A linked worktree shares the memory of the main worktree.
    const isHere = workspace.project === surroundings.cwd;
    const next =
      workspace.kind === "project"
        ? `What you save about this project stays in ${isHere ? "this directory" : workspace.project}. Commit it to share it.\nTry: retain put README.md`
        : "Try: retain put notes.md";
    const from = hasMoved ? bank?.root : undefined;
    const moved = from === undefined ? "" : `\nMoved this repository's memory here from ${from}`;
    const data = {
      ...{ root: workspace.root, kind: workspace.kind, created },
      ...(from === undefined ? {} : { moved_from: from }),
    };
    return { data, text: `${context.terminal.style("green", done)}${moved}\n${next}`, quiet: "" };
  },
};

/** The workspace this project used before, if any. An unreadable config in a parent directory must not stop `init`. */
function projectHere(surroundings: ReturnType<typeof surroundingsOf>): Workspace | null {
  try {
    const { workspace } = resolveWorkspace(surroundings, "auto").choice;
    const { kind, root, collections } = workspace;
    // A bank's conversations stay the project's.
    const isUsed = [collections, join(root, "memories")].some(existsSync);
    return kind === "project" && isUsed ? workspace : null;
  } catch (error) {
    if (error instanceof RetainError) return null;
    throw error;
  }
}

function makeHome(surroundings: ReturnType<typeof surroundingsOf>) {
  const { workspace } = chooseWorkspace(surroundings, "global");
  return { workspace, created: prepareWorkspace(workspace), hasMoved: false };
}
