/** Damaged databases of an earlier version that were moved aside with their conversations: each is read once. */
import { renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { reportIncident } from "../../core/incidents.ts";
import { entriesIfThere, fsyncDirectory } from "../../util/fs.ts";
import { plural } from "../../util/in-words.ts";
import { connectInMemory } from "../driver.ts";
import { keptConversations } from "../earlier/conversations.ts";
import { type Rescued, rescue } from "../earlier/rescue.ts";
import { isUnavailable } from "../faults.ts";
import { readCopy } from "./damaged-copy.ts";
import { migrate } from "./migrations.ts";
import type { Opening } from "./opening.ts";

/** Saves the readable conversations of each as files, then renames it to `...-read`. */
export function keepSetAside(path: string, opening: Opening): void {
  const { keep, owner } = opening;
  for (const file of filesSetAside(path)) {
    if (owner?.isTracked(file)) continue;
    try {
      const rescued = keepFrom(file, `${path}.scratch`, keep);
      renameSync(file, `${file}-read`);
      fsyncDirectory(dirname(file));
      reportIncident(opening, {
        kind: "set-aside",
        path: `${file}-read`,
        what: report(path, `${file}-read`, rescued),
        todo: "",
      });
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // An unreadable file must not prevent a new database.
      reportIncident(opening, {
        kind: "damage",
        path: file,
        what: `Conversations in ${file} could not be read: ${messageOf(error)}.`,
        todo: "The file is kept.",
      });
    }
  }
}

function keepFrom(file: string, scratch: string, keep: Opening["keep"]): Rescued {
  const database = connectInMemory();
  try {
    migrate(database);
    const rescued = readCopy(file, scratch, (damaged) => rescue(database, damaged, statSync(file).size));
    const { sessions, given } = keptConversations(database);
    if (sessions.length > 0 || given.message > 0) keep(sessions, given);
    return rescued;
  } finally {
    database.close();
  }
}

/** Unread ones, newest first; the newest version of a conversation wins. */
export function filesSetAside(path: string): string[] {
  const prefix = `${basename(path)}.damaged-`;
  return entriesIfThere(dirname(path))
    .filter((entry) => entry.isFile() && entry.name.startsWith(prefix))
    .map(({ name }) => ({ name, time: name.slice(prefix.length) }))
    .filter(({ time }) => /^\d+$/.test(time))
    .sort((a, b) => Number(b.time) - Number(a.time))
    .map(({ name }) => join(dirname(path), name));
}

function report(path: string, file: string, rescued: Rescued): string {
  return [
    `The index ${path} was damaged. Retain rebuilds it from your files.`,
    ...whatWasRescued(rescued),
    `The damaged file was moved to ${file}; nothing was deleted.`,
  ].join(" ");
}

function whatWasRescued({ messages, sessions, lost, readable }: Rescued): string[] {
  if (!readable) return ["The damaged file could not be read."];
  if (messages + lost === 0) return [];
  const verb = messages === 1 ? "was" : "were";
  const rescued = `${plural(messages, "message")} from ${plural(sessions, "session")} ${verb} recovered`;
  return [lost === 0 ? `${rescued}.` : `${rescued}, ${lost} could not be read.`];
}
