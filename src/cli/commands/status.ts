import type { HostedStatus } from "../../app/hosted/hosted-vectors.ts";
import type { Incident } from "../../core/incidents.ts";
import type { BackendStatus } from "../../core/ports/backend.ts";
import { localTime } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine, withoutPeriod } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { learningRows } from "../learning-text.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { table } from "../output.ts";
import { contents } from "./reindex.ts";

interface StatusOptions extends CommonOptions {
  send?: boolean;
}

/** Fits on a screen; --json lists all. */
const MOST_STUCK = 10;
const OFF = "off: nothing is recalled or saved automatically";
/** A user who asks for it waits longer than an exiting process. */
const SEND_MS = 30_000;

export const status: CliCommand<StatusOptions> = {
  define(command) {
    command.option("--send", "send pending memories now, including those that the server refused before");
    addExamples(command, ["retain status", "retain status --send", "retain status --json"]);
  },

  async run(context, _, { send }) {
    const retain = context.open();
    if (send) await retain.uploads.retry(SEND_MS);
    const { workspace, counts, backend, vectors, elsewhere, learning, model, incidents } =
      await retain.status();
    const rows = [
      ["Memory", backend.name === "off" ? OFF : `${backend.name}: ${oneLine(backend.location)}`],
      ["Workspace", `${workspace.root} (${workspace.kind})`],
      ["Holds", `${contents(counts)}${counts.waiting === 0 ? "" : `; ${counts.waiting} not embedded yet`}`],
      ...backendRows(backend),
      ...vectors.flatMap(vectorRows),
      [
        "Model",
        oneLine(`${model.name ?? "none"} for tools and background work. ${model.hint ?? ""}`).trimEnd(),
      ],
      ...(backend.name === "local" ? learningRows(learning) : []),
      ...incidentRows(incidents),
      ...elsewhere.map(({ directory, waiting }, index) => [
        index === 0 ? "Other banks" : "",
        `${plural(waiting, "memory", "memories")} pending for a bank not in use here: ${oneLine(directory)}`,
      ]),
    ];
    return {
      data: {
        workspace: { kind: workspace.kind, root: workspace.root },
        counts,
        backend,
        vectors,
        elsewhere,
        learning,
        model,
        incidents,
      },
      text: table(context.terminal, rows, null).join("\n"),
      quiet: String(backend.waiting),
    };
  },
};

function incidentRows(incidents: readonly Incident[]): string[][] {
  if (incidents.length === 0) return [];
  const newest = incidents.at(-1)?.what ?? "";
  return [["Incidents", `${incidents.length} not acknowledged (newest: ${newest}) See: retain doctor`]];
}

function vectorRows({
  host,
  namespace,
  stored,
  toSend,
  toDelete,
  problem,
  nextTry,
}: HostedStatus): string[][] {
  if (host === "") return [["Vectors", `upstash, but not in use: ${oneLine(problem ?? "")}`]];
  const left = [
    ...(toSend === 0 ? [] : [`${toSend} to upload`]),
    ...(toDelete === 0 ? [] : [`${toDelete} to delete`]),
  ];
  const counts = [`${plural(stored, "memory", "memories")} uploaded`, ...left].join(", ");
  const next = nextTry === null ? "" : ` (next attempt at ${localTime(new Date(nextTry))})`;
  return [
    ["Vectors", `${namespace} on ${host}: ${counts}`],
    ...(problem === null ? [] : [["", `${oneLine(problem)}${next}`]]),
    ...(left.length === 0 ? [] : [["", "Upload now: retain embed --to upstash"]]),
  ];
}

function backendRows({ waiting, stuck, problem, nextTry }: BackendStatus): string[][] {
  const next = nextTry === null ? "" : `; next attempt at ${localTime(new Date(nextTry))}`;
  const shown = stuck.slice(0, MOST_STUCK);
  return [
    ...(waiting === 0 ? [] : [["Pending", `${plural(waiting, "memory", "memories")} to send${next}`]]),
    ...(problem === null ? [] : [["Problem", oneLine(problem)]]),
    ...shown.map(({ text, why }, index) => [
      index === 0 ? "Refused" : "",
      oneLine(`${text} (${withoutPeriod(why)})`),
    ]),
    ...(stuck.length > shown.length ? [["", `and ${plural(stuck.length - shown.length, "other")}`]] : []),
    ...(waiting + stuck.length === 0 ? [] : [["", "Send now: retain status --send"]]),
  ];
}
