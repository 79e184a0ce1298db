import { namedPeriod } from "../../core/dates/named-time.ts";
import type { DayNote } from "../../facts/notes.ts";
import { DAY_MS, localDay } from "../../util/days.ts";
import type { CliCommand } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Terminal } from "../output.ts";

interface NotesOptions extends CommonOptions {
  chat?: string;
}

export const notes: CliCommand<NotesOptions> = {
  freeText: true,

  define(command) {
    command
      .argument("[date...]", 'a day, month or period: 2026-01-31, "last week" (default: today)')
      .takes("text")
      .option("--chat <name>", "only notes of this chat")
      .takes("chat");
    addExamples(command, ["retain notes", "retain notes yesterday", "retain notes 2026-01-31 --chat work"]);
  },

  async run(context, words, { chat }) {
    const retain = context.open();
    const said = words.join(" ") || "today";
    const { notes: found, strays } = await retain.facts.notes(daysIn(said, retain.now()), chat);
    for (const { file, lines } of strays)
      context.warn(`${file}: line ${lines.join(", ")} belongs to no note ("## 10:30 - Title").`);
    const text = found.map((note) => noteText(context.terminal, note));
    return {
      data: { notes: found },
      text: text.join("\n\n") || `No notes for ${said}. Add one: retain log "Title: text"`,
      quiet: found.map(({ id }) => id).join("\n"),
    };
  },
};

export function noteText(terminal: Terminal, { day, time, title, text, chat }: DayNote): string {
  const from = chat === null ? "" : terminal.style("dim", ` (${chat})`);
  return [`${terminal.style("cyan", `${day} ${time}`)} ${title}${from}`, text].filter(Boolean).join("\n");
}

const MOST_DAYS = 3_700;

/** The calendar days of a date or period. */
function daysIn(said: string, now: Date): string[] {
  const period = namedPeriod(said, now, "retain notes 2026-01-31");
  const until = period.until ?? now.getTime();
  const from = Math.max(period.from ?? until, until - MOST_DAYS * DAY_MS);
  const days = new Set<string>();
  for (let moment = from; moment <= until; moment += DAY_MS / 2)
    days.add(localDay(new Date(moment).toISOString()));
  return [...days];
}
