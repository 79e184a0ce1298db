/**
 * Kills a process together with everything it started. The process leads its own session and process group. With /proc, processes
 * that left the group (`setsid`, job control) are found as well: by session, by parent, by a mark in their environment, and by the
 * output that they inherited. Without /proc, only the group can be killed.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isAlive } from "../../util/process.ts";
import { sleep } from "../../util/sleep.ts";

/** An environment variable that identifies descendants. */
export const MARK_VARIABLE = "RETAIN_COMMAND";
/** A second handle on the output, which also identifies descendants: it survives a cleared environment and redirections. */
export const MARK_HANDLE = 9;

const POLL_MS = 10;
const KILLS = 100;

interface Group {
  /** The first process: its pid is also the group's and the session's id. */
  readonly leader: number;
  readonly mark: string;
  /** Start time on the kernel's clock: older processes are ignored. */
  readonly since: number;
  /** Device and inode of its output; null if unknown. */
  readonly output: string | null;
  /** Members seen so far: pid to start time. */
  readonly seen: Map<number, number>;
}

/** Call it before the leader does anything: its output must still be the original one. */
export function groupOf(leader: number, mark: string, since: number): Group {
  return { leader, mark, since, output: fileAt(leader, 1), seen: new Map() };
}

/** The kernel's clock, in hundredths of a second; 0 without /proc. */
export function kernelTime(): number {
  try {
    return Math.floor(Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * 100) - 1;
  } catch {
    return 0;
  }
}

/** Records the current members, so that they are known even if their parent exits and they leave no other trace. */
export function lookAt(group: Group): void {
  membersOf(group);
}

/** Sends SIGTERM to all members, then SIGKILL after the grace period. On return no known member runs. */
export async function endGroup(group: Group, graceMs: number): Promise<void> {
  const patience = Math.ceil(graceMs / POLL_MS);
  for (let round = 0; round < patience + KILLS; round++) {
    const left = membersOf(group);
    if (left.length === 0) return;
    if (round === 0) signal(left, "SIGTERM");
    else if (round > patience) signal(left, "SIGKILL");
    await sleep(POLL_MS);
  }
}

/** Kills at once, without waiting: for a process that is exiting itself. */
export function killGroup(group: Group): void {
  signal(membersOf(group), "SIGKILL");
}

function signal(targets: readonly number[], name: "SIGTERM" | "SIGKILL"): void {
  for (const target of targets) {
    try {
      process.kill(target, name);
    } catch {
      // It has already exited.
    }
  }
}

/** Living members, as pids for process.kill. */
function membersOf(group: Group): number[] {
  const running = processes();
  if (running === null) return isAlive(-group.leader) ? [-group.leader] : [];
  const members = new Set<number>();
  for (const one of running) if (belongs(one, group)) members.add(one.pid);
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const { pid, parent } of running) if (members.has(parent)) members.add(pid);
  }
  for (const { pid, start } of running) if (members.has(pid)) group.seen.set(pid, start);
  return [...members];
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: number;
}

/** null without /proc. */
function processes(): Running[] | null {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.length === 0 ? null : pids.flatMap((pid) => runningAt(Number(pid)) ?? []);
  } catch {
    return null;
  }
}

/** null if it has exited. */
function runningAt(pid: number): Running | null {
  try {
    // "pid (name) state parent group session ..."; the name may contain any character.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return null;
    const [parent = 0, group = 0, session = 0] = fields.slice(1, 4).map(Number);
    return { pid, parent, group, session, start: Number(fields[19]) };
  } catch {
    return null;
  }
}

function belongs(
  { pid, group, session, start }: Running,
  { leader, mark, since, output, seen }: Group,
): boolean {
  if (group === leader || session === leader || seen.get(pid) === start) return true;
  if (start < since || pid === process.pid) return false;
  return (
    (output !== null && [1, 2, MARK_HANDLE].some((handle) => fileAt(pid, handle) === output)) ||
    environmentOf(pid).includes(`${MARK_VARIABLE}=${mark}`)
  );
}

/** Device and inode of an open file; null if it is not open or not readable. */
function fileAt(pid: number, handle: number): string | null {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/fd/${handle}`);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

/** "" if it has exited or belongs to another user. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
