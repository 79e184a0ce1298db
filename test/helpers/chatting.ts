/** The chat on a real terminal, with a chat that plays a part. */
import { expect } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundled } from "./bundled.ts";
import { afterThisTest } from "./clean-up.ts";
import { Sandbox } from "./sandbox.ts";
import type { ScriptOptions } from "./scripted-chat.ts";
import { TerminalScreen } from "./tmux.ts";

const FIXTURE = await bundled("chat", `import "${join(import.meta.dir, "../fixtures/scripted-tui.tsx")}";`);
export const START = `'${process.execPath}' --config=/dev/null --no-env-file '${FIXTURE}'`;
export const READY = "Type a message, or / for commands";

export class Chatting extends TerminalScreen {
  readonly box: Sandbox;
  readonly gates: string;
  readonly raw: string;

  constructor(options: { columns?: number; rows?: number; script?: ScriptOptions; command?: string } = {}) {
    const box = new Sandbox();
    const script = { log: join(box.root, "log"), gates: join(box.root, "gates"), ...options.script };
    const { columns = 80, rows = 24, command = START } = options;
    mkdirSync(script.gates);
    super(box, command, { NODE_ENV: "production", SCRIPT: JSON.stringify(script) }, columns, rows);
    afterThisTest(() => this.close());
    this.box = box;
    this.gates = script.gates;
    this.raw = join(box.root, "raw");
    this.record(this.raw);
  }

  async ready(): Promise<this> {
    await this.shows(READY);
    return this;
  }

  say(line: string): void {
    this.type("-l", line);
    this.type("Enter");
  }

  open(gate: string): void {
    writeFileSync(join(this.gates, gate), "");
  }

  /** What the chat was asked, in order. */
  calls(): Record<string, string>[] {
    return readFileSync(join(this.box.root, "log"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  written(): string {
    return readFileSync(this.raw, "utf8");
  }

  /** How often each line that fits is in the scrollback. */
  counts(pattern: RegExp): number[] {
    const lines = this.scrollback().match(pattern) ?? [];
    return Object.values(Object.groupBy(lines, (line) => line)).map((same) => same?.length ?? 0);
  }
}

/** After it has ended, says how the terminal was left. */
export const SANE = `${START}; code=$?; stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo -e isig; echo "code $code"`;

export function expectSane(screen: Chatting): void {
  expect(screen.scrollback()).toMatch(/^isig\nicanon\necho$/m);
  const raw = screen.written();
  expect(raw.lastIndexOf("\x1b[?25h")).toBeGreaterThan(raw.lastIndexOf("\x1b[?25l"));
  expect(raw.lastIndexOf("\x1b[?2004l")).toBeGreaterThan(raw.lastIndexOf("\x1b[?2004h"));
  expect(screen.tells("#{cursor_flag}")).toBe("1");
}
