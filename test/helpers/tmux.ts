/** A real terminal: tmux runs the command, keys are typed, the screen is read. */
import { RETAIN } from "./command.ts";
import type { Sandbox } from "./sandbox.ts";

export class TerminalScreen {
  readonly #socket = `retain-${crypto.randomUUID()}`;

  constructor(
    sandbox: Pick<Sandbox, "work" | "env">,
    command: string,
    env: Record<string, string> = {},
    columns = 80,
    rows = 24,
  ) {
    const shell = `PATH='${RETAIN.replace(/\/retain$/, "")}':$PATH; ${command}; echo "[exit $?]"; sleep 60`;
    const history = ["start-server", ";", "set-option", "-g", "history-limit", "50000", ";"];
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#tmux(["-f", "/dev/null", ...history, "new-session", "-d", ...size, shell], {
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

  /** Waits until the screen shows `text` no more. */
  async hides(text: string): Promise<string> {
    for (let tries = 0; tries < 600; tries++) {
      const screen = this.#tmux(["capture-pane", "-p"]);
      if (!screen.includes(text)) return screen;
      await Bun.sleep(25);
    }
    throw new Error(`The screen goes on showing ${JSON.stringify(text)}`);
  }

  /** All that was ever printed and not erased, from the first line on. */
  scrollback(): string {
    return this.#tmux(["capture-pane", "-p", "-S", "-"]);
  }

  /** As `scrollback`, with each line that tmux wrapped as one line. */
  joined(): string {
    return this.#tmux(["capture-pane", "-p", "-J", "-S", "-"]).replace(/ +$/gm, "");
  }

  /** Key names, or text that is typed. */
  type(...keys: string[]): void {
    this.#tmux(["send-keys", ...keys]);
  }

  /** As a terminal pastes: told apart from what is typed, where the program asks for that. */
  paste(text: string): void {
    this.#tmux(["load-buffer", "-"], { stdin: new TextEncoder().encode(text) });
    this.#tmux(["paste-buffer", "-p", "-r"]);
  }

  resize(columns: number, rows: number): void {
    this.#tmux(["resize-window", "-x", String(columns), "-y", String(rows)]);
  }

  /** What the program writes from now on goes to a file as well, byte by byte. */
  record(file: string): void {
    this.#tmux(["pipe-pane", "-O", `cat >> '${file}'`]);
  }

  /** tmux's own words about its window, such as "#{cursor_x}". */
  tells(format: string): string {
    return this.#tmux(["display-message", "-p", format]).trim();
  }

  /** Waits until tmux tells this. */
  async moves(format: string, to: string): Promise<void> {
    for (let tries = 0; tries < 600 && this.tells(format) !== to; tries++) await Bun.sleep(25);
    if (this.tells(format) !== to)
      throw new Error(`${format} is ${this.tells(format)} and never became ${to}`);
  }

  close(): void {
    Bun.spawnSync(["tmux", "-L", this.#socket, "kill-server"]);
  }

  #tmux(
    args: string[],
    options: { cwd?: string; env?: Record<string, string | undefined>; stdin?: Uint8Array } = {},
  ): string {
    const result = Bun.spawnSync(["tmux", "-L", this.#socket, ...args], options);
    if (result.exitCode !== 0) throw new Error(`tmux ${args[0]}: ${result.stderr}`);
    return result.stdout.toString();
  }
}
