/**
 * A process and everything that it started, ended together. It leads a session and a process group of its own; what leaves
 * the group (`setsid`, job control) is found by session, or by a mark in its environment, where the system has /proc. Elsewhere
 * the group is all that can be ended.
 */
import { readdirSync, readFileSync } from "node:fs";
import { isAlive } from "../../util/process.ts";

/** A variable by which what a process started is known. */
export const MARK_VARIABLE = "RETAIN_COMMAND";

const POLL_MS = 10;
const KILLS = 100;

export interface Group {
  /** The first process: its number is that of the group and the session. */
  readonly leader: number;
  readonly mark: string;
  /** When it began, by the kernel's clock: nothing older is looked at. */
  readonly since: number;
}

/** A moment on the kernel's clock, which counts hundredths of a second; 0 where there is none. */
export function kernelTime(): number {
  try {
    return Math.floor(Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * 100) - 1;
  } catch {
    return 0;
  }
}

/** Asks all of it to end, and ends what has not within the grace. On return nothing of it runs. */
export async function endGroup(group: Group, graceMs: number): Promise<void> {
  const patience = Math.ceil(graceMs / POLL_MS);
  for (let round = 0; round < patience + KILLS; round++) {
    const left = membersOf(group);
    if (left.length === 0) return;
    if (round === 0) signal(left, "SIGTERM");
    else if (round > patience) signal(left, "SIGKILL");
    await Bun.sleep(POLL_MS);
  }
}

/** At once, for a process that is about to end itself. */
export function killGroup(group: Group): void {
  signal(membersOf(group), "SIGKILL");
}

function signal(targets: readonly number[], name: "SIGTERM" | "SIGKILL"): void {
  for (const target of targets) {
    try {
      process.kill(target, name);
    } catch {
      // It has ended by itself.
    }
  }
}

/** What is alive of it, as numbers that can be sent signals. */
function membersOf(group: Group): number[] {
  const pids = processes();
  if (pids === null) return isAlive(-group.leader) ? [-group.leader] : [];
  return pids.filter((pid) => belongs(pid, group));
}

/** null where the system does not list them. */
function processes(): number[] | null {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.length === 0 ? null : pids.map(Number);
  } catch {
    return null;
  }
}

function belongs(pid: number, { leader, mark, since }: Group): boolean {
  try {
    // "pid (name) state parent group session ...", where the name may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", , group, session] = fields;
    if (state === "Z" || state === "X") return false;
    if (Number(group) === leader || Number(session) === leader) return true;
    if (Number(fields[19]) < since) return false;
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`${MARK_VARIABLE}=${mark}`);
  } catch {
    // It has ended, or is another user's.
    return false;
  }
}
