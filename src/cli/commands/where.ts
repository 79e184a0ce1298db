import { existsSync } from "node:fs";
import { bankName } from "../../config/bank-scope.ts";
import type { CliCommand } from "../command.ts";
import { hindsightHere } from "../hindsight-here.ts";
import { addExamples } from "../options.ts";
import { table } from "../output.ts";

export const where: CliCommand = {
  define(command) {
    addExamples(command, ["retain where", "retain where --local --json"]);
  },

  async run(context) {
    const retain = context.open();
    const { workspace, choice, config } = retain;
    const { versioning } = retain.documents;
    const { settings } = config;
    const exists = existsSync(workspace.root);
    const hindsight = hindsightHere(context, retain);
    const { person, rest, conversations, reads } = retain.routes;
    const server = hindsight === null ? null : `hindsight:${hindsight.bank}`;
    const saves = {
      person: server ?? person,
      facts: server === null ? rest : [server, ...(hindsight?.tags ?? [])].join(" "),
      rest,
    };
    const data = {
      kind: workspace.kind,
      root: workspace.root,
      collections: workspace.collections,
      conversations,
      database: workspace.database,
      config_file: workspace.configFile,
      project: workspace.project,
      bank: bankName(workspace),
      scoping: settings.local_scoping,
      hindsight,
      saves,
      reads,
      exists,
      versions: versioning,
      home: choice.home.root,
      reasons: choice.reasons,
    };
    const rows = [
      ["Workspace", `${workspace.root} (${workspace.kind}${exists ? "" : ", created at the first write"})`],
      ...choice.reasons.map((reason, index) => [index === 0 ? "Because" : "", reason]),
      ...savedLines(saves).map((line, index) => [index === 0 ? "Saves" : "", line]),
      ["Reads", reads.join(", ")],
      ["Bank", bankName(workspace)],
      ...(hindsight === null
        ? []
        : [["Hindsight", [hindsight.bank, ...hindsight.tags, ...hindsight.formerTags].join(", ")]]),
      ["Documents", workspace.collections],
      ["Conversations", conversations],
      ["Config", workspace.configFile],
      ["Versions", versioning === "git" ? "git" : "numbered files"],
      ["Home", choice.home.root],
    ];
    return { data, text: table(context.terminal, rows, null).join("\n"), quiet: workspace.root };
  },
};

/** `facts` are those that aren't about the person; `rest` is everything else. */
function savedLines({
  person,
  facts,
  rest,
}: Readonly<Record<"person" | "facts" | "rest", string>>): string[] {
  const isPersonApart = person !== facts;
  const areFactsApart = facts !== rest;
  return [
    ...(isPersonApart ? [`facts about you: ${person}`] : []),
    ...(areFactsApart ? [`${isPersonApart ? "other facts" : "facts"}: ${facts}`] : []),
    `everything${isPersonApart || areFactsApart ? " else" : ""}: ${rest}`,
  ];
}
