/**
 * Names processes and checks whether they still run. Process ids are reused, especially after a reboot, so on Linux the start
 * time is part of the name: "host:pid@boot-start".
 */
import { readFileSync } from "node:fs";
import { errorCode } from "./errno.ts";
import { sha256 } from "./hash.ts";

/** For a process, or a group if negative. Another user's process counts as alive, although it can't be signalled. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

export function processName(host: string, pid: number): string {
  const [boot, state] = [bootName(), stateOf(pid)];
  return boot === null || state === null ? `${host}:${pid}` : `${host}:${pid}@${boot}-${state.start}`;
}

/** "host:pid", for people. */
export function shownProcess(name: string): string {
  return name.replace(/@[0-9a-f]+-\d+$/, "");
}

const NAME = /^(?<host>.*):(?<pid>[1-9]\d{0,9})(?:@(?<boot>[0-9a-f]+)-(?<start>\d+))?$/s;

/** Whether a process of this host has ended. Processes of other hosts count as running. */
export function hasEnded(name: string, host: string): boolean {
  const named = NAME.exec(name)?.groups;
  if (named === undefined || named.host !== host) return false;
  const pid = Number(named.pid);
  const boot = bootName();
  if (named.boot !== undefined && boot !== null && named.boot !== boot) return true;
  if (!isAlive(pid)) return true;
  const state = stateOf(pid);
  if (state === null) return false;
  return state.ended || (named.start !== undefined && named.start !== state.start);
}

/** Changes with each boot; null if the system has none. */
function bootName(): string | null {
  const id = readOrNull("/proc/sys/kernel/random/boot_id");
  return id === null ? null : sha256(id).slice(0, 8);
}

/** Its start time by the kernel's clock, and whether it is a zombie; null if unknown. */
function stateOf(pid: number): { start: string; ended: boolean } | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // "pid (name) state parent ..."; the name may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", start = ""] = [fields[0], fields[19]];
  return /^\d+$/.test(start) ? { start, ended: state === "Z" || state === "X" } : null;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
