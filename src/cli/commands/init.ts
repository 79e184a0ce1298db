import { surroundingsOf } from "../../app/surroundings.ts";
import { initProject, prepareWorkspace } from "../../backends/workspaces.ts";
import { chooseWorkspace } from "../../config/workspace.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";

export const init: CliCommand = {
  define(command) {
    addExamples(command, ["cd my-project && retain init", "retain init --global"]);
  },

  async run(context) {
    const surroundings = surroundingsOf({});
    const { workspace, created } =
      context.scope === "global" ? makeHome(surroundings) : initProject(surroundings.cwd, surroundings);
    const chosen = chooseWorkspace(surroundings, context.scope);
    if (chosen.workspace.root !== workspace.root)
      context.warn(`${chosen.workspace.root} is still the one in use here: ${chosen.reasons.join("; ")}.`);
    const done = created.length > 0 ? `✓ Created ${workspace.root}` : `✓ ${workspace.root} is there already`;
    const next =
      workspace.kind === "project"
        ? "What is kept inside this project stays with it. Commit the directory to share it.\nTry: retain put README.md"
        : "Try: retain put notes.md";
    const data = { root: workspace.root, kind: workspace.kind, created };
    return { data, text: `${context.terminal.style("green", done)}\n${next}`, quiet: "" };
  },
};

function makeHome(surroundings: ReturnType<typeof surroundingsOf>) {
  const { workspace } = chooseWorkspace(surroundings, "global");
  return { workspace, created: prepareWorkspace(workspace) };
}
