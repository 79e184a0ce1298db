/**
 * Incidents: damage, files set aside, failed writes and refused entries. They may happen in a hook, with `-q` or in an MCP server,
 * where nobody sees a warning. So each is recorded and shown until a person acknowledges it. An incident contains paths and
 * reasons, never contents.
 *
 *   {"type":"incident","at":"...","workspace":"/home/ada/.retain","kind":"damage","path":"...","what":"...","todo":"..."}
 *   {"type":"acknowledged","at":"...","ids":["1f0c6a2b9d3e"]}
 */
import { sha256 } from "../util/hash.ts";
import { plural } from "../util/in-words.ts";
import { isRecord, parseJson } from "../util/json.ts";
import { oneLine, truncate } from "../util/text.ts";
import { command } from "./hint.ts";

type IncidentKind = "damage" | "set-aside" | "failed-write" | "refused" | "session-file";

export interface NewIncident {
  readonly kind: IncidentKind;
  /** The affected file or directory. */
  readonly path: string;
  /** What happened, in one or more sentences. */
  readonly what: string;
  /** What a person can do, in one or more sentences. */
  readonly todo: string;
  /**
   * Fingerprint of a lasting condition, such as a damaged file. While it stays the same, an acknowledged incident isn't recorded
   * again.
   */
  readonly state?: string;
}

export interface Incident extends NewIncident {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** The workspace's directory. */
  readonly workspace: string;
}

/** Records an incident. Never throws: failing to record must not fail the command. */
export type RecordIncident = (incident: NewIncident) => void;

export const recordNothing: RecordIncident = () => {};

export interface Reports {
  warn(message: string): void;
  readonly record: RecordIncident;
}

/** Warns now, and records the incident for later. */
export function reportIncident({ warn, record }: Reports, incident: NewIncident): void {
  warn(`${incident.what} ${incident.todo}`.trim());
  record(incident);
}

const ID_DIGITS = 12;
const LONGEST_TEXT = 600;

export function incidentOf(incident: NewIncident, workspace: string, at: Date): Incident {
  const { kind, path } = incident;
  const [what, todo] = [incident.what, incident.todo].map((text) => truncate(oneLine(text), LONGEST_TEXT));
  const id = sha256(JSON.stringify([kind, workspace, path, what])).slice(0, ID_DIGITS);
  return { ...incident, id, at: at.toISOString(), workspace, what: what ?? "", todo: todo ?? "" };
}

export function incidentLine({ id: _, ...incident }: Incident): string {
  return `${JSON.stringify({ type: "incident", ...incident })}\n`;
}

export function acknowledgedLine(ids: readonly string[], at: Date): string {
  return `${JSON.stringify({ type: "acknowledged", at: at.toISOString(), ids })}\n`;
}

interface Incidents {
  /** Not acknowledged, oldest first. */
  readonly open: readonly Incident[];
  /** The latest occurrence of each acknowledged incident. */
  readonly acknowledged: readonly Incident[];
}

/** Skips unreadable lines. If two processes recorded the same incident, it counts once. */
export function readIncidents(text: string): Incidents {
  const open = new Map<string, Incident>();
  const acknowledged = new Map<string, Incident>();
  for (const line of text.split("\n")) {
    const value = parseJson(line);
    if (!isRecord(value)) continue;
    if (value.type === "acknowledged" && Array.isArray(value.ids)) {
      for (const id of value.ids) {
        const incident = open.get(id);
        if (incident === undefined) continue;
        open.delete(id);
        acknowledged.set(id, incident);
      }
    }
    const incident = value.type === "incident" ? readIncident(value) : null;
    if (incident !== null && !open.has(incident.id)) open.set(incident.id, incident);
  }
  return { open: [...open.values()], acknowledged: [...acknowledged.values()] };
}

function readIncident({
  kind,
  path,
  what,
  todo,
  state,
  at,
  workspace,
}: Record<string, unknown>): Incident | null {
  const texts = [kind, path, what, todo, at, workspace];
  if (!texts.every((text) => typeof text === "string") || Number.isNaN(Date.parse(at as string))) return null;
  const incident = { kind, path, what, todo, ...(typeof state === "string" && { state }) } as NewIncident;
  return incidentOf(incident, workspace as string, new Date(at as string));
}

export function isRecorded({ open, acknowledged }: Incidents, { id, state }: Incident): boolean {
  if (open.some((known) => known.id === id)) return true;
  return state !== undefined && acknowledged.some((known) => known.id === id && known.state === state);
}

const LONGEST_LINE = 300;

/** A one-line notice to show with any command; null if there are no incidents. */
export function incidentsNotice(open: readonly Incident[]): string | null {
  const newest = open.at(-1);
  if (newest === undefined) return null;
  const [count, last] = [plural(open.length, "incident"), open.length === 1 ? "" : "Newest: "];
  return `${count} to review. ${last}${truncate(newest.what, LONGEST_LINE)} Details: ${command("doctor")}`;
}
