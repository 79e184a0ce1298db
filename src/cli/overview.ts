/** What `retain --help` shows: every command on one screen. */
import type { CommandGroup } from "./command.ts";

export function overview(version: string, groups: readonly CommandGroup[]): string {
  const shown = groups.filter(({ summary }) => summary === undefined).flatMap(({ commands }) => commands);
  const width = Math.max(...shown.map((entry) => entry.usage.length)) + 2;
  const lines = groups.flatMap(({ title, summary: together, commands }) => {
    if (together !== undefined)
      return `${title.padEnd(9)}${commands.map(({ name }) => name).join(", ")}: ${together}`;
    return commands.map(
      ({ usage, summary }, index) =>
        `${(index === 0 ? title : "").padEnd(9)}${usage.padEnd(width)}${summary}`,
    );
  });
  return [
    `retain ${version} - long-term memory in plain Markdown, for agents and people`,
    "",
    ...lines,
    "",
    "retain <command> --help tells more, with examples. New here? Try: retain demo",
    "Every command takes --local, --global, --json, --quiet, --verbose and --help.",
    "Exit codes: 0 done, 1 failed, 2 wrong use, 3 refused, 130 interrupted.",
  ].join("\n");
}
