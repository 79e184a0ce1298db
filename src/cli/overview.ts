/** What `retain --help` and `retain help all` show. */
import type { CommandEntry, CommandGroup } from "./command.ts";

/** The commands of daily use with what they do, and the names of the others, on one screen. */
export function overview(version: string, [daily, ...others]: readonly CommandGroup[]): string {
  const more = others.map(
    ({ title, commands }) => `${title.padEnd(11)}${commands.map(({ name }) => name).join(", ")}`,
  );
  return [
    `retain ${version} - long-term memory in plain Markdown, for agents and people`,
    "",
    ...linesOf(daily?.commands ?? []),
    "",
    ...more,
    "",
    "retain help all explains every command, retain <command> --help shows examples.",
    "New here? Try: retain demo",
  ].join("\n");
}

/** Every command with what it does, by group. */
export function everyCommand(groups: readonly CommandGroup[]): string {
  return [
    ...groups.flatMap(({ title, commands }) => [`${title}:`, ...linesOf(commands), ""]),
    "Every command takes --local, --global, --json, --quiet, --verbose and --help.",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 130 interrupted.",
  ].join("\n");
}

function linesOf(commands: readonly CommandEntry[]): string[] {
  return commands.map(({ usage, summary }) => `${usage.padEnd(24)}${summary}`);
}
