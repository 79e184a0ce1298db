/** `retain migrate`: takes over the sessions, memories and documents of an older system. */

import { surroundingsOf } from "../../app/surroundings.ts";
import type { Retain } from "../../app.ts";
import { RetainError } from "../../core/errors.ts";
import { KINDS, type MigratedItem, type MigrationReport, type Tally } from "../../migrate/report.ts";
import { wellKnownPlaces } from "../../migrate/well-known.ts";
import { oneLine, plural, shellWord } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { type Output, table } from "../output.ts";

interface MigrateOptions extends CommonOptions {
  dryRun?: boolean;
  overwrite?: boolean;
}

/** A screen holds no more; --json gives all. */
const MOST_LEFT = 10;

export const migrate: CliCommand<MigrateOptions> = {
  define(command) {
    command
      .argument(
        "[directory]",
        "a directory of sessions, memories or documents; by default the well-known ones are shown",
      )
      .option("--dry-run", "say what would be taken over, and change nothing")
      .option("--overwrite", "replace documents that say something else; versions of these are kept");
    addExamples(command, [
      "retain migrate ~/old/retain/workspace --dry-run",
      "retain migrate ~/.kenobot/data/memory",
      "retain migrate ~/.arcaneum/retain --global",
    ]);
  },

  async run(context, [directory], { dryRun, overwrite }) {
    const retain = context.open();
    if (directory === undefined) return wellKnown(context, retain);
    context.onInterrupt(() => "Interrupted: what was taken over stays. Run it again to go on.");
    const bars = new Map<string, (done: number) => void>();
    const report = await retain.migrate(directory, {
      dryRun,
      overwrite,
      progress: (kind, done, total) => {
        const bar = bars.get(kind) ?? context.terminal.progress(kind, total);
        bars.set(kind, bar);
        bar(done);
      },
    });
    return {
      data: report,
      text: asText(context, report),
      quiet: "",
      problems: problemsOf(report),
      failure: failureOf([report]),
    };
  },
};

/** What there is in the places where other systems keep things: a look, and no more. */
async function wellKnown(context: Context, retain: Retain): Promise<Output> {
  const places = wellKnownPlaces(surroundingsOf({}).homeDirectory);
  const reports: MigrationReport[] = [];
  for (const { path, exists } of places) {
    if (!exists) continue;
    try {
      reports.push(await retain.migrate(path, { dryRun: true }));
    } catch (error) {
      if (!(error instanceof RetainError) || error.code !== "not_found") throw error;
    }
  }
  const parts = reports.flatMap((report) => [
    asText(context, report),
    context.terminal.style("dim", `Take it over with: retain migrate ${shellWord(report.directory)}`),
    "",
  ]);
  const nothing = `Nothing to take over in ${places.map(({ path }) => path).join(", ")}.`;
  return {
    data: { places, reports },
    text: reports.length === 0 ? nothing : parts.join("\n").trimEnd(),
    quiet: reports.map((report) => report.directory).join("\n"),
    problems: reports.flatMap(problemsOf),
    failure: failureOf(reports),
  };
}

function asText({ terminal }: Context, report: MigrationReport): string {
  const { counts, dry_run, left, directory, workspace } = report;
  const isNews = report.items.some(({ outcome }) => outcome === "taken");
  const title = dry_run
    ? terminal.style("bold", `Would be taken over from ${directory} into ${workspace}:`)
    : isNews
      ? terminal.style("green", `✓ Taken over from ${directory} into ${workspace}:`)
      : `Nothing new in ${directory} for ${workspace}:`;
  const rows = KINDS.flatMap((kind) => {
    const tally = counts[kind];
    return tally === undefined ? [] : [[kind, printed(tally)]];
  });
  const remarks = report.items.filter(({ outcome, why }) => outcome === "taken" && why !== null);
  return [
    title,
    ...table(terminal, rows, null),
    ...remarks.map((item) => terminal.style("dim", `  ${nameOf(item)}: ${item.why}`)),
    ...leftLines(left).map((line) => terminal.style("dim", line)),
  ].join("\n");
}

function printed({ taken, there, skipped, messages }: Tally): string {
  const said = messages === undefined || messages === 0 ? "" : ` (${plural(messages, "message")})`;
  const others = [
    ...(there === 0 ? [] : [`${there} already there`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return [`${taken} taken over${said}`, ...others].join(", ");
}

function leftLines(left: MigrationReport["left"]): string[] {
  if (left.length === 0) return [];
  const more = left.length - MOST_LEFT;
  return [
    "Left where it is:",
    ...left.slice(0, MOST_LEFT).map(({ path, why }) => `  ${oneLine(path)}: ${why}`),
    ...(more > 0 ? [`  and ${plural(more, "other")}`] : []),
  ];
}

function problemsOf({ items }: MigrationReport): string[] {
  return items
    .filter(({ outcome }) => outcome === "skipped")
    .map(({ file, line, why, hint }) => {
      const where = line === null ? file : `${file}:${line}`;
      return `${where}: ${[why, hint].filter((part) => part !== null).join(" ")}`;
    });
}

function nameOf({ kind, name, file }: MigratedItem): string {
  return oneLine(kind === "files" ? file : name);
}

function failureOf(reports: readonly MigrationReport[]): RetainError | undefined {
  const skipped = reports.flatMap(({ items }) => items.filter(({ outcome }) => outcome === "skipped")).length;
  if (skipped === 0) return undefined;
  return new RetainError("partial", `${plural(skipped, "thing was", "things were")} skipped.`);
}
