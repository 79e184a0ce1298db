/**
 * write_file: writes a whole text file. The plan holds the diff that the user approves. If the file changes between plan and run,
 * nothing is written.
 */
import { chmodSync, chownSync, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { formatPatch, OMIT_HEADERS, structuredPatch } from "diff";
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import { fsyncDirectory, isAbsence, Outdated, readIfThere, writeFileAtomic } from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";
import { plural } from "../../util/in-words.ts";
import { decodeUtf8 } from "../../util/text.ts";
import type { Tool, ToolOutcome, ToolPlan } from "../tool.ts";
import { cautionWriting, deniedWriting } from "./deny-paths.ts";
import { text, toolInput } from "./input.ts";
import { blocked, failed } from "./outcome.ts";
import { isWithin, pathMeant, type Roots, shownPath } from "./roots.ts";
import { isPlain, visible } from "./visible.ts";

const LARGEST = 1_000_000;
/** With more changed lines than this, the diff shows the whole file as replaced, which is fast to compute. */
const MOST_EDITS = 1_000;

const INPUT = toolInput("write_file", {
  path: text("The file; relative to the working directory, or absolute."),
  content: text("The complete new content of the file.", 0),
});

export function writeFileTool(roots: Roots): Tool {
  return {
    name: "write_file",
    description:
      "Writes a whole text file: creates it, or replaces its content. Read a file before you replace it.",
    schema: INPUT.schema,
    async plan(input) {
      const { path, content } = INPUT.read(input);
      return planWriting(path, content, roots);
    },
  };
}

/** The file's current content, and what identifies it. */
interface Held {
  readonly text: string;
  readonly hash: string;
  readonly stats: Stats;
}

function planWriting(path: string, content: string, roots: Roots): ToolPlan {
  const meant = pathMeant(path, roots);
  const real = roots.real(meant);
  const shown = shownPath(real, roots);
  if (content.includes("\0")) throw unwritable(`Not written: the content for ${shown} has NUL characters.`);
  if (Buffer.byteLength(content) > LARGEST)
    throw unwritable(`Not written: ${shown} would be larger than 1 MB.`);
  const outside = !isWithin(roots.cwd, real);
  const denied = deniedWriting(meant, roots) ?? deniedWriting(real, roots);
  const caution = cautionWriting(real, roots);
  // The diff shows the current content, so a denied file is not even read.
  const before = denied === null ? heldAt(real, shown) : null;
  const hasPattern = !outside && denied === null && caution === null && isPlain(real);
  const summary = `${denied !== null ? "write" : before === null ? "create" : "change"} ${shown}`;
  const diff = difference(shown, before?.text ?? null, content);
  return {
    reach: "write",
    summary,
    preview: { kind: "diff", text: diff },
    outside,
    caution,
    pattern: hasPattern ? `write ${shown}` : null,
    denied,
    async run() {
      if (denied !== null) return blocked(summary, denied);
      if (roots.real(meant) !== real) return changed(shown);
      const outcome = write(real, shown, content, before);
      return outcome.ok ? { ...outcome, shown: { kind: "diff", text: firstPart(diff) } } : outcome;
    },
  };
}

/** null if there is no file. Throws `invalid_input` if it cannot be replaced by a text. */
function heldAt(path: string, shown: string): Held | null {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw unwritable(`${shown} is not a regular file.`);
    if ((stats.mode & 0o222) === 0) throw unwritable(`${shown} is read-only.`);
    if (stats.size > LARGEST)
      throw unwritable(`${shown} is larger than 1 MB, which is too large to replace.`);
    const bytes = readIfThere(path) ?? new Uint8Array();
    const decoded = decodeUtf8(bytes);
    if (decoded === null || decoded.includes("\0"))
      throw unwritable(`${shown} is not a text file, so it cannot be replaced.`);
    return { text: decoded, hash: sha256(bytes), stats };
  } catch (error) {
    if (isAbsence(error)) return null;
    throw ioError(error, `Cannot read ${shown}`);
  }
}

function unwritable(message: string): RetainError {
  return new RetainError("invalid_input", message);
}

/** A unified diff without invisible characters, and without the file's name, which the summary has. */
function difference(shown: string, before: string | null, after: string): string {
  const from = before === null ? "/dev/null" : shown;
  const options = { context: 3, maxEditLength: MOST_EDITS };
  const patch =
    structuredPatch(from, shown, before ?? "", after, undefined, undefined, options) ??
    replaced(from, shown, before ?? "", after);
  return visible(formatPatch(patch, OMIT_HEADERS));
}

const LONGEST_SHOWN = 30_000;

/** It is stored with the result, so it must not be as large as the file. */
function firstPart(diff: string): string {
  if (diff.length <= LONGEST_SHOWN) return diff;
  const end = diff.lastIndexOf("\n", LONGEST_SHOWN) + 1 || LONGEST_SHOWN;
  return `${diff.slice(0, end)}[… ${diff.length - end} characters left out …]\n`;
}

/** A diff that removes all old lines and adds all new ones. */
function replaced(from: string, to: string, before: string, after: string) {
  const [removed] = structuredPatch(from, to, before, "").hunks;
  const [added] = structuredPatch(from, to, "", after).hunks;
  const hunk = {
    oldStart: 1,
    oldLines: removed?.oldLines ?? 0,
    newStart: 1,
    newLines: added?.newLines ?? 0,
    lines: [...(removed?.lines ?? []), ...(added?.lines ?? [])],
  };
  return { oldFileName: from, newFileName: to, oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

function write(path: string, shown: string, content: string, before: Held | null): ToolOutcome {
  const isAsPlanned = () => {
    const now = readIfThere(path);
    return (now === null ? null : sha256(now)) === (before?.hash ?? null);
  };
  try {
    const directory = dirname(path);
    mkdirSync(directory, { recursive: true });
    writeFileAtomic(path, content, isAsPlanned);
    if (before === null) chmodSync(path, statSync(directory).mode & 0o666);
    else keepOwner(path, before.stats);
    fsyncDirectory(directory);
  } catch (error) {
    if (error instanceof Outdated) return changed(shown);
    return failed(messageOf(ioError(error, `Cannot write ${shown}`)));
  }
  const lines = plural(content === "" ? 0 : content.replace(/\n$/, "").split("\n").length, "line");
  return { ok: true, output: `Wrote ${shown}: ${lines}.`, brief: lines };
}

/** A replaced file keeps its owner and permissions. */
function keepOwner(path: string, { uid, gid, mode }: Stats): void {
  const now = statSync(path);
  try {
    if (now.uid !== uid || now.gid !== gid) chownSync(path, uid, gid);
  } catch {
    // Only root can change owners. Otherwise the file becomes the writer's, as with any editor that replaces files.
  }
  chmodSync(path, mode & 0o777);
}

function changed(shown: string): ToolOutcome {
  return failed(
    `Not written: ${shown} has changed since this call was planned. Read it again first.`,
    "not written: file changed",
  );
}
