/** 'retain sessions export': to stdout, or to a file per session. Overwrites only with --force. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Retain } from "../../app.ts";
import { ioError, RetainError } from "../../core/errors.ts";
import { type ExportFormat, exportName } from "../../sessions/export.ts";
import type { OwnedSession } from "../../sessions/ports.ts";
import {
  ensureDirectory,
  errorCode,
  fsyncDirectory,
  isAbsence,
  lstatIfThere,
  writeFileAtomic,
  writeNewFile,
} from "../../util/fs.ts";
import { plural } from "../../util/in-words.ts";
import type { Context } from "../command.ts";
import type { Output } from "../output.ts";
import { type SessionsOptions, wordMissing } from "./options.ts";

export async function exportSessions(
  context: Context,
  words: readonly string[],
  options: SessionsOptions,
): Promise<Output> {
  const retain = context.open();
  const { format = "json", output } = options;
  const wanted = await toExport(retain, words, options);
  const texts: string[] = [];
  for (const { id, origin } of wanted) texts.push(await retain.sessions.export(id, format, { origin }));
  const only = wanted.length === 1 && !options.all ? wanted[0] : undefined;
  if (output === undefined && only !== undefined)
    return { data: { id: only.id, format, content: texts[0] }, text: texts[0] ?? "", exact: true };
  if (output === undefined)
    throw new RetainError(
      "usage",
      "Exporting several sessions needs a directory.",
      "Pass one: retain sessions export --all --output <directory>",
    );
  const ids = wanted.map(({ id }) => id);
  const paths = only === undefined ? filesFor(ids, format, output) : [fileFor(only.id, format, output)];
  const files = paths.map((path, index) => ({ path, text: texts[index] ?? "" }));
  writeExports(files, options.force ?? false);
  const where = only === undefined ? output : (paths[0] ?? output);
  const text = context.terminal.style("green", `✓ Exported ${plural(ids.length, "session")} to ${where}`);
  return { data: { format, files: paths }, text, quiet: paths.join("\n") };
}

async function toExport(
  retain: Retain,
  words: readonly string[],
  { all, chat, tag }: SessionsOptions,
): Promise<OwnedSession[]> {
  if (all && words[0] !== undefined)
    throw new RetainError(
      "usage",
      `--all and a session id ('${words[0]}') cannot be combined.`,
      "Pass one of them.",
    );
  if (all) return retain.sessions.list({ chat, tag });
  if (words.length === 0) throw wordMissing("export");
  const named: OwnedSession[] = [];
  for (const word of words) named.push(await retain.sessions.find(word, { chat }));
  return named;
}

/** For one session: this file, or a new file in this directory. */
function fileFor(id: string, format: ExportFormat, output: string): string {
  const path = resolve(output);
  return isDirectory(path) ? join(path, exportName(id, format)) : path;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isAbsence(error)) return false;
    throw ioError(error, `Cannot write ${path}`);
  }
}

/** For several sessions: a file for each in this directory. */
function filesFor(ids: readonly string[], format: ExportFormat, directory: string): string[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    const name = exportName(id, format);
    for (let number = 1; ; number++) {
      const free = number === 1 ? name : name.replace(/(?=\.[a-z]+$)/, `-${number}`);
      if (taken.has(free.toLowerCase())) continue;
      taken.add(free.toLowerCase());
      return join(resolve(directory), free);
    }
  });
}

/** Throws `io`, and `exists` before anything is written (later only if a file appears in the meantime). */
function writeExports(files: readonly { path: string; text: string }[], force: boolean): void {
  const [known] = force ? [] : files.filter(({ path }) => lstatIfThere(path) !== null);
  if (known !== undefined) throw isThere(known.path, 0);
  for (const [written, { path, text }] of files.entries()) {
    try {
      ensureDirectory(dirname(path));
      if (force) replaceFile(path, text);
      else writeNewFile(path, text);
    } catch (error) {
      if (!force && errorCode(error) === "EEXIST") throw isThere(path, written);
      throw ioError(error, `Cannot write ${path}`);
    }
  }
}

function replaceFile(path: string, text: string): void {
  writeFileAtomic(path, text);
  fsyncDirectory(dirname(path));
}

function isThere(path: string, written: number): RetainError {
  const done =
    written === 0
      ? "Nothing was"
      : `${plural(written, "session")} before it ${written === 1 ? "was" : "were"}`;
  return new RetainError(
    "exists",
    `${path} already exists. ${done} written.`,
    "Choose another name, or pass --force to overwrite it.",
  );
}
