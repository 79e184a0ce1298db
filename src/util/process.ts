/** Which process has something open, as "host:pid", and whether it still runs. */
import { errorCode } from "./fs.ts";

/** Another user's process is alive too, though nothing may be sent to it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

export function processName(host: string, pid: number): string {
  return `${host}:${pid}`;
}

/** Whether a process of this host has ended. Of another host nothing is known, so its processes count as running. */
export function hasEnded(name: string, host: string): boolean {
  const [, itsHost, pid] = /^(.*):([1-9]\d{0,9})$/s.exec(name) ?? [];
  return itsHost === host && !isAlive(Number(pid));
}
