import { surroundingsOf } from "../../app/surroundings.ts";
import type { Retain } from "../../app.ts";
import { chooseWorkspace } from "../../config/workspace.ts";
import { RetainError } from "../../core/errors.ts";
import { IncidentFile } from "../../files/incidents.ts";
import { plural } from "../../util/in-words.ts";
import { askPerson, canAsk, isYes } from "../ask.ts";
import type { CliCommand, Context } from "../command.ts";
import {
  configFindings,
  deepFindings,
  type Finding,
  incidentFindings,
  incidentItems,
  indexFindings,
  MOST_ITEMS,
  modelFinding,
  workspaceFinding,
} from "../doctor-findings.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";
import { writeError } from "../tty.ts";

interface DoctorOptions extends CommonOptions {
  deep?: boolean;
  acknowledge?: boolean;
  yes?: boolean;
}

export const doctor: CliCommand<DoctorOptions> = {
  define(command) {
    command
      .option("--deep", "reread every file, verify checksums, and compare the index with the files")
      .option("--acknowledge", "mark the incidents as seen and stop showing them")
      .option("--yes", "with --acknowledge: do not ask for confirmation");
    addExamples(command, ["retain doctor", "retain doctor --deep", "retain doctor --acknowledge"]);
  },

  async run(context, _, { deep = false, acknowledge = false, yes = false }) {
    // Works even if the config cannot be read.
    const { home } = chooseWorkspace(surroundingsOf({}), "global");
    const file = new IncidentFile(home.root);
    if (acknowledge ? deep : yes)
      throw new RetainError(
        "usage",
        acknowledge ? "--acknowledge and --deep cannot be combined." : "--yes only works with --acknowledge.",
        "See: retain doctor --help",
      );
    if (acknowledge) return acknowledgeAll(context, file, yes);
    const broken = configFindings(context.scope);
    const findings = broken.length > 0 ? broken : await check(context.open(), deep);
    // Read last: the checks above may record incidents.
    const open = file.open();
    return report(context, [...findings, ...incidentFindings(open)], open.incidents);
  },
};

async function check(retain: Retain, deep: boolean): Promise<Finding[]> {
  const checks = deep ? await retain.index.checkDeep() : null;
  return [
    workspaceFinding(retain),
    ...(await indexFindings(retain, checks)),
    ...(checks === null ? [] : deepFindings(retain, checks)),
    await modelFinding(retain),
  ];
}

function report(context: Context, findings: readonly Finding[], incidents: readonly unknown[]): Output {
  const failed = findings.filter(({ ok }) => !ok);
  const lines = findings.flatMap(({ name, ok, detail, items = [], hint }) => [
    `${context.terminal.style(ok ? "green" : "red", ok ? "✓" : "✗")} ${name}: ${detail}`,
    ...items.slice(0, MOST_ITEMS).map((item) => `  ${item}`),
    ...(items.length > MOST_ITEMS ? [`  and ${plural(items.length - MOST_ITEMS, "other")}`] : []),
    ...(hint === undefined ? [] : [context.terminal.style("dim", `  ${hint}`)]),
  ]);
  return {
    data: { findings, incidents },
    text: lines.join("\n"),
    quiet: failed.map(({ name, detail }) => `${name}: ${detail}`).join("\n"),
    ...(failed.length === 0
      ? {}
      : { failure: new RetainError("partial", `${plural(failed.length, "check")} failed.`) }),
  };
}

/** Acknowledges only the incidents shown: another process may record more in the meantime. */
async function acknowledgeAll(context: Context, file: IncidentFile, yes: boolean): Promise<Output> {
  const { incidents, problem } = file.open();
  if (problem !== null) throw new RetainError("io", problem);
  const items = incidentItems(incidents);
  if (incidents.length > 0) {
    if (!yes) await confirm(context, items);
    file.acknowledge(incidents, new Date());
  }
  const done =
    incidents.length === 0 ? "No incidents." : `✓ Acknowledged ${plural(items.length, "incident")}.`;
  return {
    data: { acknowledged: incidents },
    text: [done, ...(yes ? items.map((item) => `  ${item}`) : [])].join("\n"),
    quiet: "",
  };
}

/** Throws unless the user answers yes. */
async function confirm({ options }: Context, items: readonly string[]): Promise<void> {
  const count = plural(items.length, "incident");
  if (!canAsk(options))
    throw new RetainError(
      "unconfirmed",
      `Acknowledging ${count} needs confirmation.`,
      "Read them with 'retain doctor', then pass --yes or run this in a terminal.",
    );
  writeError(`${items.join("\n")}\n`);
  if (!isYes(await askPerson(`Acknowledge ${count}? y: `)))
    throw new RetainError("unconfirmed", "Nothing was acknowledged.");
}
