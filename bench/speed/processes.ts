/** Runs processes with a time limit and kills them with all their children. */

export interface ProcessOptions {
  readonly limitMs: number;
  readonly env?: Record<string, string | undefined>;
  readonly cwd?: string;
}

const running = new Set<number>();

/** Returns the output. Throws with the end of stderr if it fails or times out. */
export async function run(command: readonly string[], options: ProcessOptions): Promise<string> {
  const { limitMs, env = process.env, cwd } = options;
  const child = Bun.spawn([...command], {
    env,
    cwd,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
  running.add(child.pid);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup(child.pid);
  }, limitMs);
  try {
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (late) throw new Error(`took longer than ${Math.round(limitMs / 1_000)} s`);
    if (exitCode !== 0) throw new Error(complaintOf(stderr) || `exit code ${exitCode}`);
    return stdout;
  } finally {
    clearTimeout(timer);
    endGroup(child.pid);
  }
}

/** The last output line as JSON. */
export async function runForJson<T>(command: readonly string[], options: ProcessOptions): Promise<T> {
  const lines = (await run(command, options)).trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "") as T;
}

export function endAll(): void {
  for (const group of running) endGroup(group);
}

function endGroup(group: number): void {
  running.delete(group);
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Everything has already ended.
  }
}

/** The line with the error, else the last lines. */
function complaintOf(stderr: string): string {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const telling = lines.find((line) =>
    /^(\w*error:|npm error (?!code|errno|syscall|A complete))/i.test(line),
  );
  return (telling ?? lines.slice(-3).join(" ")).slice(0, 300);
}
