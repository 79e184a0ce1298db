/** The chat in a terminal: draws it, reads keys, and restores the terminal however it ends. */
import type { ChatFace } from "../agent/events.ts";
import { painter } from "./ansi/paint.ts";
import { initialApp } from "./app-state.ts";
import type { InputHistory } from "./editor/history.ts";
import { type Effect, pasted, press, type Surroundings } from "./editor/input.ts";
import { watchEndings } from "./endings.ts";
import { Screen, terminalSize } from "./screen.tsx";
import { Session } from "./session.ts";
import { Store } from "./store.ts";

export type { InputHistory } from "./editor/history.ts";

export interface TuiOptions {
  readonly version: string;
  /** For display: "~/notes". */
  readonly directory: string;
  /** Where the chat's memory is, for display. */
  readonly memory: string;
  readonly history: InputHistory;
  /** A line to send at the start. */
  readonly initial?: string;
  readonly colours: boolean;
  /** The terminal supports OSC 8. */
  readonly links?: boolean;
}

/** How often spinners and countdowns are updated. */
const TICK_MS = 120;

/** Shows the chat until the user quits or a signal ends it. Returns the exit code; throws what the chat throws. */
export async function runTui(chat: ChatFace, options: TuiOptions): Promise<number> {
  const { version, directory, memory, history, initial, colours, links = false } = options;
  const store = new Store(initialApp(terminalSize(), performance.now()));
  const session = new Session(chat, store, { colours, links });
  const around = (): Surroundings => ({
    at: performance.now(),
    complete: (beginning) => chat.complete(beginning),
    entries: () => history.entries(),
  });
  const perform = (effect: Effect) => {
    if (effect.type === "remember") history.add(effect.line);
    else if (effect.type === "redraw") screen.redraw();
    else if (effect.type === "suspend") screen.toBackground();
    else session.perform(effect);
  };
  const screen = new Screen(
    store,
    { version, directory, memory, colours, links, paint: painter(colours) },
    {
      onKeys(keys) {
        const { state, effects } = press(store.get(), keys, around());
        store.set({ ...state, now: performance.now() });
        for (const effect of effects) perform(effect);
      },
      onPaste: (text) => store.set(pasted(store.get(), text, around())),
      onResize: () => session.resize(),
    },
  );
  const endings = watchEndings((exitCode) => session.leave(exitCode, { atOnce: true }));
  const ticking = setInterval(() => store.tick(performance.now(), TICK_MS), TICK_MS);
  session.start(initial);
  try {
    return await Promise.race([session.exited, endings.crashed, screen.failed]);
  } catch (error) {
    await session.abandon();
    throw error;
  } finally {
    clearInterval(ticking);
    await screen.restore();
    endings.stop();
  }
}
