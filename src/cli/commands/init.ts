import { existsSync } from "node:fs";
import { surroundingsOf } from "../../app/surroundings.ts";
import { initProject, prepareWorkspace } from "../../backends/workspaces.ts";
import { inForce } from "../../config/in-force.ts";
import { chooseWorkspace } from "../../config/workspace.ts";
import { RetainError } from "../../core/errors.ts";
import { shellWord } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";

export const init: CliCommand = {
  define(command) {
    addExamples(command, ["cd my-project && retain init", "retain init --global"]);
  },

  async run(context) {
    const surroundings = surroundingsOf({});
    const bank = context.scope === "global" ? null : bankHere(surroundings);
    const { workspace, created } =
      context.scope === "global" ? makeHome(surroundings) : initProject(surroundings.cwd, surroundings);
    const chosen = chooseWorkspace(surroundings, context.scope);
    if (chosen.workspace.root !== workspace.root)
      context.warn(`${chosen.workspace.root} is still the one in use here: ${chosen.reasons.join("; ")}.`);
    if (bank !== null)
      context.warn(
        `What was kept here so far is in ${bank}, which is no longer read. To take it over: retain migrate ${shellWord(bank)}`,
      );
    const done = created.length > 0 ? `✓ Created ${workspace.root}` : `✓ ${workspace.root} is there already`;
    const next =
      workspace.kind === "project"
        ? "What is kept inside this project stays with it. Commit the directory to share it.\nTry: retain put README.md"
        : "Try: retain put notes.md";
    const data = { root: workspace.root, kind: workspace.kind, created };
    return { data, text: `${context.terminal.style("green", done)}\n${next}`, quiet: "" };
  },
};

/** Where this repository's memory was until now; null where it had none. A config that cannot be read is no matter of `init`. */
function bankHere(surroundings: ReturnType<typeof surroundingsOf>): string | null {
  try {
    const { bank, root } = inForce(surroundings, "auto").choice.workspace;
    return bank !== null && existsSync(root) ? root : null;
  } catch (error) {
    if (error instanceof RetainError) return null;
    throw error;
  }
}

function makeHome(surroundings: ReturnType<typeof surroundingsOf>) {
  const { workspace } = chooseWorkspace(surroundings, "global");
  return { workspace, created: prepareWorkspace(workspace) };
}
