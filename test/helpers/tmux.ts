/** A real terminal: tmux runs the command, keys are typed, the screen is read. */
import { RETAIN, type Sandbox } from "./sandbox.ts";

export class TerminalScreen {
  readonly #socket = `retain-${crypto.randomUUID()}`;

  constructor(sandbox: Sandbox, command: string, env: Record<string, string> = {}, columns = 80, rows = 24) {
    const shell = `PATH='${RETAIN.replace(/\/retain$/, "")}':$PATH; ${command}; echo "[exit $?]"; sleep 60`;
    this.#tmux(["-f", "/dev/null", "new-session", "-d", "-x", String(columns), "-y", String(rows), shell], {
      cwd: sandbox.work,
      env: sandbox.env({ TERM: "xterm-256color", ...env }),
    });
  }

  /** Waits until the screen shows `text`, then returns it; with colours where asked. */
  async shows(text: string, colours = false): Promise<string> {
    for (let tries = 0; tries < 600; tries++) {
      const screen = this.#tmux(["capture-pane", "-p", ...(colours ? ["-e"] : [])]);
      if (screen.includes(text)) return screen;
      await Bun.sleep(25);
    }
    throw new Error(
      `The screen never showed ${JSON.stringify(text)}:\n${this.#tmux(["capture-pane", "-p"])}`,
    );
  }

  type(...keys: string[]): void {
    this.#tmux(["send-keys", ...keys]);
  }

  close(): void {
    Bun.spawnSync(["tmux", "-L", this.#socket, "kill-server"]);
  }

  #tmux(args: string[], options: { cwd?: string; env?: Record<string, string | undefined> } = {}): string {
    const result = Bun.spawnSync(["tmux", "-L", this.#socket, ...args], options);
    if (result.exitCode !== 0) throw new Error(`tmux ${args[0]}: ${result.stderr}`);
    return result.stdout.toString();
  }
}
