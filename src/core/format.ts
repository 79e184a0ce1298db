/**
 * The formats of files carry a version, since a plugin and a command of different versions may share one memory: what a newer
 * version wrote is refused, never read in part.
 */
import { RetainError } from "./errors.ts";

/** Of HISTORY.md, of what waits for a server, and of changes that can be undone. A file that says none is of the first. */
export const FORMAT = 1;

/** Stands at the beginning of a Markdown file. */
export const FORMAT_MARK = `<!-- retain format ${FORMAT} -->`;

const MARK = /^<!-- retain format (\d{1,9}) -->\r?$/m;
/** A mark stands before anything that people write. */
const HEAD_LENGTH = 500;

export function formatOfMarkdown(text: string): number {
  return Number(MARK.exec(text.slice(0, HEAD_LENGTH))?.[1] ?? FORMAT);
}

export function newerFormat(path: string): RetainError {
  return new RetainError(
    "io",
    `${path} was written by a newer version of Retain.`,
    "Update Retain: every program that shares this memory (the command, the plugin, an MCP server) needs that version.",
  );
}
