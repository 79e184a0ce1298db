/** `retain migrate`: imports sessions, memory files and documents from another system. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { surroundingsOf } from "../../app/surroundings.ts";
import type { Retain } from "../../app.ts";
import { RetainError, unlessMissing } from "../../core/errors.ts";
import { KINDS, type MigratedItem, type MigrationReport, type Tally } from "../../migrate/report.ts";
import { plural } from "../../util/in-words.ts";
import { shellWord } from "../../util/shell-word.ts";
import { oneLine } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { type Output, table } from "../output.ts";

interface MigrateOptions extends CommonOptions {
  dryRun?: boolean;
  overwrite?: boolean;
}

/** Fits on a screen; --json lists all. */
const MOST_LEFT = 10;

/** Default directories of other systems, in the user's home directory. */
const WELL_KNOWN = [".arcaneum/retain", ".arcaneum/agent-memory", ".kenobot/data"];

export const migrate: CliCommand<MigrateOptions> = {
  define(command) {
    command
      .argument(
        "[directory]",
        "a directory with sessions, memory files or documents; without it, Retain previews the default directories of other tools",
      )
      .takes("directory")
      .option("--dry-run", "show what would be imported, without changing anything")
      .option("--overwrite", "replace documents whose content differs; a version of the old one is kept");
    addExamples(command, [
      "retain migrate ~/old/retain/workspace --dry-run",
      "retain migrate ~/.kenobot/data/memory",
      "retain migrate ~/.arcaneum/retain --global",
    ]);
  },

  async run(context, [directory], { dryRun, overwrite }) {
    const retain = context.open();
    if (directory === undefined) return wellKnown(context, retain);
    context.onInterrupt(() => "Interrupted. Everything imported so far is saved. Run it again to continue.");
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

/** Previews the directories that other systems use by default. */
async function wellKnown(context: Context, retain: Retain): Promise<Output> {
  const { homeDirectory } = surroundingsOf({});
  const places = WELL_KNOWN.map((place) => join(homeDirectory, place)).map((path) => {
    return { path, exists: existsSync(path) };
  });
  const reports: MigrationReport[] = [];
  for (const { path, exists } of places) {
    if (!exists) continue;
    const report = await unlessMissing(retain.migrate(path, { dryRun: true }));
    if (report !== null) reports.push(report);
  }
  const parts = reports.flatMap((report) => [
    asText(context, report),
    context.terminal.style("dim", `Import it with: retain migrate ${shellWord(report.directory)}`),
    "",
  ]);
  const nothing = `Nothing to import in ${places.map(({ path }) => path).join(", ")}.`;
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
  const isNews = report.items.some(({ outcome }) => outcome === "imported");
  const title = dry_run
    ? terminal.style("bold", `Would import from ${directory} into ${workspace}:`)
    : isNews
      ? terminal.style("green", `✓ Imported from ${directory} into ${workspace}:`)
      : `Nothing new in ${directory} for ${workspace}:`;
  const rows = KINDS.flatMap((kind) => {
    const tally = counts[kind];
    return tally === undefined ? [] : [[kind, printed(tally)]];
  });
  const remarks = report.items.filter(({ outcome, why }) => outcome === "imported" && why !== null);
  return [
    title,
    ...table(terminal, rows, null),
    ...remarks.map((item) => terminal.style("dim", `  ${nameOf(item)}: ${item.why}`)),
    ...leftLines(left).map((line) => terminal.style("dim", line)),
    ...undoHint(report).map((line) => terminal.style("dim", line)),
  ].join("\n");
}

/** Conversations are only ever added to, and instructions have no undo. */
function undoHint({ dry_run, counts }: MigrationReport): string[] {
  const imported = KINDS.filter((kind) => (counts[kind]?.imported ?? 0) > 0);
  const stays = imported.filter((kind) => kind === "sessions" || kind === "instructions");
  if (dry_run || imported.length === stays.length) return [];
  return [`Undo: retain undo${stays.length === 0 ? "" : ` (${stays.join(" and ")} stay)`}`];
}

function printed({ imported, existing, skipped, messages }: Tally): string {
  const said = messages === undefined || messages === 0 ? "" : ` (${plural(messages, "message")})`;
  const others = [
    ...(existing === 0 ? [] : [`${existing} already present`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return [`${imported} imported${said}`, ...others].join(", ");
}

function leftLines(left: MigrationReport["left"]): string[] {
  if (left.length === 0) return [];
  const more = left.length - MOST_LEFT;
  return [
    "Not imported:",
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
  return new RetainError("partial", `${plural(skipped, "item was", "items were")} skipped.`);
}
