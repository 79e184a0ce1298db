/**
 * File formats have a version, since a plugin and a command of different versions may share one memory: files of a newer version
 * are rejected, never read in part.
 */
import { RetainError } from "./errors.ts";

/** The version of HISTORY.md, the queue for a server, and undo records. A file without one has version 1. */
export const FORMAT = 1;

/** The first line of a Markdown file. */
export const FORMAT_MARK = `<!-- retain format ${FORMAT} -->`;

const MARK = /^<!-- retain format (\d{1,9}) -->\r?$/m;
/** The mark precedes anything that people write. */
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
