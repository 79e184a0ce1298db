/** For a command that takes one memory: lists those that the words may mean, with their ids. */
import { RetainError } from "../core/errors.ts";
import type { ToForget } from "../facts/forget/find.ts";
import { plural } from "../util/in-words.ts";
import type { Context } from "./command.ts";
import { heading, type Output, table } from "./output.ts";

export function severalMemories(
  { terminal }: Context,
  { by, found }: Pick<ToForget, "by" | "found">,
  hint: string,
): Output {
  const message =
    by === "near"
      ? "No exact match. These are the closest."
      : `${plural(found.length, "memory matches", "memories match")}.`;
  const rows = found.map((memory) => [memory.id, memory.kind, memory.text]);
  return {
    data: { found },
    text: table(terminal, [heading("ID", "KIND", "TEXT"), ...rows], [2]).join("\n"),
    quiet: found.map(({ id }) => id).join("\n"),
    problems: [`retain: ${message} ${hint}`],
    failure: new RetainError("ambiguous", message, hint),
  };
}
