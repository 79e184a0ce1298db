import type { CompactionReport, NoteReport } from "../../facts/compact/report.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface CompactOptions extends CommonOptions {
  dryRun?: boolean;
  chat?: string;
}

export const compact: CliCommand<CompactOptions> = {
  define(command) {
    command
      .option("--dry-run", "show what would change, without changing anything")
      .option("--chat <name>", "only this chat's logs")
      .takes("chat");
    addExamples(command, ["retain compact --dry-run", "retain compact", "retain undo"]);
  },

  async run(context, _args, { dryRun, chat }) {
    const retain = context.open();
    const report = await retain.facts.compact({ dryRun, chat });
    for (const { log, why, lines } of report.kept)
      context.warn(`memories/${log}${atLines(lines)} not compacted: ${why}.`);
    for (const hint of report.hints) context.warn(hint);
    return {
      data: report,
      text: asText(context, report, retain.config.settings.memory_retention_days),
      quiet: report.notes.flatMap(({ outcome, as }) => (outcome === "added" ? [as] : [])).join("\n"),
    };
  },
};

function atLines(lines: readonly number[]): string {
  return lines.length === 0 ? "" : `, ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")},`;
}

function asText(context: Context, report: CompactionReport, days: number): string {
  const { terminal } = context;
  const { notes, removed, superseded, kept } = report;
  if (removed.length === 0)
    return kept.length === 0
      ? `Nothing to compact: no log is older than ${plural(days, "day")}.`
      : "Nothing was compacted.";
  const counts = (["added", "known", "outdated", "merged", "empty"] as const).flatMap((outcome) => {
    const count = notes.filter((note) => note.outcome === outcome).length;
    return count === 0 ? [] : `${count} ${SAID[outcome]}`;
  });
  const summary = `${plural(removed.length, "log")}, ${plural(notes.length, "note")}${counts.length === 0 ? "" : `: ${counts.join(", ")}`}`;
  const title = report.dry_run
    ? terminal.style("bold", `Would compact ${summary}`)
    : `${terminal.style("green", `✓ Compacted ${summary}`)} ${terminal.style("dim", "(undo: retain undo)")}`;
  const gone = superseded.map(({ text, why }) => terminal.style("dim", `  replaces: ${text} (${why})`));
  const lines = [title, ...notes.map((note) => noteLine(context, note)), ...gone];
  return report.dry_run ? [...diffLines(context, report.diff), "", ...lines].join("\n") : lines.join("\n");
}

const SAID: Record<NoteReport["outcome"], string> = {
  added: "added",
  known: "already known",
  outdated: "outdated",
  merged: "merged",
  empty: "empty",
};

function noteLine({ terminal }: Context, { at, text, outcome, as, by, why }: NoteReport): string {
  const dim = (said: string) => terminal.style("dim", said);
  const because = [why, by ?? (outcome === "added" ? null : as)].filter((part) => part !== null).join(": ");
  const id = outcome === "added" ? ` ${dim(as ?? "")}` : ` ${dim(`(${SAID[outcome]}; ${because})`)}`;
  return `  ${dim(localDay(at))} ${terminal.style(outcome === "added" ? "green" : "dim", text)}${id}`;
}

function diffLines({ terminal }: Context, diff: string): string[] {
  return diff
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (/^(?:---|\+\+\+) /.test(line)) return terminal.style("bold", line);
      if (line.startsWith("@@")) return terminal.style("cyan", line);
      if (line.startsWith("+")) return terminal.style("green", line);
      return terminal.style(line.startsWith("-") ? "red" : "dim", line);
    });
}
