/**
 * The terminal that Ink draws on. Three things are done here instead of in Ink: resizing (Ink would erase too few rows and draw the
 * old frame in them), clearing the screen, and going to the background.
 */
import { type Instance, render } from "ink";
import type { ReactElement } from "react";
import { App } from "./App.tsx";
import type { Size } from "./app-state.ts";
import type { Key } from "./editor/keys.ts";
import { redrawn } from "./redraw.ts";
import { eraseReflowed } from "./resize.ts";
import type { Store } from "./store.ts";
import type { Look } from "./views/look.ts";
import type { Frame } from "./views/screen.ts";

interface ScreenHandlers {
  onKeys(keys: readonly Key[]): void;
  onPaste(text: string): void;
  /** The state has the new size; now the live lines must be wrapped again. */
  onResize(): void;
}

type Lend = (during: () => Promise<void>) => Promise<void>;

/** The signal stops this process within this time, and a stopped process does not wait. */
const STOPPING_MS = 50;

/** A second. A key must not wait for the reply's next frame; the reply itself is drawn less often (event-pump.ts). */
const MOST_FRAMES = 120;

const NOTHING: Frame = { lines: [], cursor: null };

export class Screen {
  readonly #ink: Instance;
  readonly #app: ReactElement;
  /** The frame on the terminal, and the next one. */
  #drawn = NOTHING;
  #next = NOTHING;
  #lend: Lend = async () => {};
  readonly #ready = Promise.withResolvers<void>();

  constructor(
    private readonly store: Store,
    private readonly look: Look,
    private readonly handlers: ScreenHandlers,
  ) {
    this.#app = (
      <App
        store={store}
        look={look}
        onKeys={handlers.onKeys}
        onPaste={handlers.onPaste}
        onFrame={(frame) => {
          this.#next = frame;
        }}
        onDrawn={() => store.chat({ type: "drawn", at: performance.now() })}
        onReady={(lend) => {
          this.#lend = lend;
          this.#ready.resolve();
        }}
      />
    );
    store.subscribe(noticeResize);
    const others = process.stdout.listeners("resize");
    // Ink does this only after its first frame, when somebody may type already: the terminal would turn Enter into a new line.
    process.stdin.setRawMode(true);
    this.#ink = render(this.#app, {
      exitOnCtrlC: false,
      interactive: true,
      incrementalRendering: true,
      maxFps: MOST_FRAMES,
      kittyKeyboard: { mode: "auto" },
      onRender: () => {
        this.#drawn = this.#next;
      },
    });
    for (const listener of process.stdout.listeners("resize"))
      if (!others.includes(listener)) process.stdout.off("resize", listener as () => void);
    process.stdout.on("resize", this.#resize);
  }

  /** Rejects if drawing failed, which is a bug. */
  get failed(): Promise<never> {
    return this.#ink.waitUntilExit().then(() => new Promise<never>(() => {}));
  }

  /** Resolves once the first frame is on the terminal and keys are read. */
  get isReady(): Promise<unknown> {
    return Promise.all([this.#ready.promise, this.#ink.waitUntilRenderFlush()]);
  }

  /** Clears the screen row by row, because some terminals copy a screen cleared at once to their history. */
  redraw(): void {
    const { rows } = this.store.get().size;
    this.#clear();
    process.stdout.write(`\x1b[H${Array.from({ length: rows }, () => "\x1b[2K").join("\x1b[1B")}\x1b[H`);
    this.store.set(redrawn(this.store.get(), this.look));
  }

  /** Another program uses the terminal meanwhile. */
  async lend(during: () => Promise<void>): Promise<void> {
    await this.#lend(during);
  }

  /** Ctrl-Z: stops until the shell resumes this process. Returns at once if there is no shell with job control. */
  async toBackground(): Promise<void> {
    await this.#lend(async () => {
      process.kill(0, "SIGTSTP");
      await Bun.sleep(STOPPING_MS);
    });
  }

  /** Removes everything that isn't finished, and restores the terminal. */
  async restore(): Promise<void> {
    process.stdout.off("resize", this.#resize);
    this.store.change({ isOver: true });
    await this.#ink.waitUntilRenderFlush();
    this.#ink.clear();
    this.#ink.unmount();
    await this.#ink.waitUntilExit().catch(() => {});
  }

  #clear(): void {
    this.#ink.clear();
    this.#drawn = NOTHING;
  }

  readonly #resize = (): void => {
    const size = terminalSize();
    const rest = eraseReflowed(this.#drawn, size);
    this.#clear();
    process.stdout.write(rest);
    this.store.change({ size });
    this.handlers.onResize();
    this.#ink.rerender(this.#app);
  };
}

/**
 * Emits "resize" now, if the signal for it has not arrived yet. Listens before Ink does: drawing a change at the old size would put
 * it into the wrong rows.
 */
function noticeResize(): void {
  (process.stdout as { _refreshSize?: () => void })._refreshSize?.();
}

export function terminalSize(): Size {
  const { columns, rows } = process.stdout;
  return { columns: columns || 80, rows: rows || 24 };
}
