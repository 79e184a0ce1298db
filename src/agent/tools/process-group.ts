/**
 * A process and everything that it started, ended together. It leads a session and a process group of its own. Where the system
 * has /proc, what leaves the group (`setsid`, job control) is found as well: by session, by its parent, by a mark in its
 * environment, and by the output that it inherited. Elsewhere the group is all that can be ended.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isAlive } from "../../util/process.ts";

/** A variable by which what a process started is known. */
export const MARK_VARIABLE = "RETAIN_COMMAND";
/** A second handle on the output, by which it is known too: a cleared environment and redirections leave it open. */
export const MARK_HANDLE = 9;

const POLL_MS = 10;
const KILLS = 100;

export interface Group {
  /** The first process: its number is that of the group and the session. */
  readonly leader: number;
  readonly mark: string;
  /** When it began, by the kernel's clock: nothing older is looked at. */
  readonly since: number;
  /** What it prints to, as the system tells it apart; null where it does not. */
  readonly output: string | null;
  /** Those that were seen so far, with the moment when each began. */
  readonly seen: Map<number, number>;
}

/** To be asked before the leader does anything: then its output is still the one that it was given. */
export function groupOf(leader: number, mark: string, since: number): Group {
  return { leader, mark, since, output: fileAt(leader, 1), seen: new Map() };
}

/** A moment on the kernel's clock, which counts hundredths of a second; 0 where there is none. */
export function kernelTime(): number {
  try {
    return Math.floor(Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * 100) - 1;
  } catch {
    return 0;
  }
}

/** Remembers who belongs to it by now, so that it is known even if its parent ends and it leaves no other trace. */
export function lookAt(group: Group): void {
  membersOf(group);
}

/** Asks all of it to end, and ends what has not within the grace. On return nothing runs that was found. */
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

/** null where the system does not list them. */
function processes(): Running[] | null {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.length === 0 ? null : pids.flatMap((pid) => runningAt(Number(pid)) ?? []);
  } catch {
    return null;
  }
}

/** null where it has ended. */
function runningAt(pid: number): Running | null {
  try {
    // "pid (name) state parent group session ...", where the name may hold anything.
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

/** Of an open file, its device and number there. null where it is not open, or is not to be told. */
function fileAt(pid: number, handle: number): string | null {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/fd/${handle}`);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

/** "" where it has ended, or is another user's. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
