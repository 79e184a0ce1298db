/** The chat in a terminal: draws it, reads keys, and restores the terminal however it ends. */

import type { Choice } from "../agent/choices.ts";
import type { ChatFace } from "../agent/events.ts";
import { RetainError } from "../core/errors.ts";
import { painter } from "./ansi/paint.ts";
import { harmlessEvent } from "./ansi/visible.ts";
import { initialApp } from "./app-state.ts";
import { contentOf, edit } from "./editor/editor.ts";
import type { InputHistory } from "./editor/history.ts";
import { pasted, press, recompleted, type Surroundings } from "./editor/input.ts";
import { watchEndings } from "./endings.ts";
import { LateChat } from "./late-chat.ts";
import { Screen, terminalSize } from "./screen.tsx";
import { Session } from "./session.ts";
import { Store } from "./store.ts";

/** The files that `@` completes to. */
interface Files {
  /** Never waits; best match first. */
  find(part: string): readonly Choice[];
  /** Reads the list again in the background. */
  refresh(): unknown;
  /** Called when `find` would return something else. */
  onChange: () => void;
}

interface TuiOptions {
  readonly version: string;
  /** For display: "~/notes". */
  readonly directory: string;
  /** Where the chat's memory is, for display. */
  readonly memory: string;
  readonly history: InputHistory;
  /** Called when `@` is first typed. */
  files(): Promise<Files>;
  /** Opens a text in the user's editor and returns it as edited. Throws RetainError. */
  compose(text: string): Promise<string>;
  /** The chat will be incognito, so lines typed before it is open leave no trace either. */
  readonly incognito: boolean;
  /** A line to send at the start. */
  readonly initial?: string;
  readonly colours: boolean;
  /** The terminal supports OSC 8. */
  readonly links?: boolean;
}

/** How often spinners and countdowns are updated. */
const TICK_MS = 120;

/**
 * Shows a first frame, then opens the chat and shows it until the user quits or a signal ends it. Returns the exit code; throws what
 * opening or the chat throws.
 */
export async function runTui(open: () => Promise<ChatFace>, options: TuiOptions): Promise<number> {
  const { version, directory, memory, history, initial, colours, links = false } = options;
  const store = new Store(initialApp(terminalSize(), performance.now(), options.incognito));
  const chat = new LateChat(() => screen.isReady, open);
  const session = new Session(chat, store, { colours, links });
  const around = (): Surroundings => ({
    at: performance.now(),
    complete: (beginning) => chat.complete(beginning),
    files(part) {
      if (part === "") files?.refresh();
      return found(part);
    },
    entries: () => history.entries(),
  });
  const recomplete = () => store.set(recompleted(store.get(), { ...around(), files: found }));
  let files: Files | null = null;
  let isLoading = false;
  const found = (part: string): readonly Choice[] => {
    if (!isLoading)
      void options.files().then((list) => {
        files = list;
        list.onChange = recomplete;
        recomplete();
      });
    isLoading = true;
    return files?.find(part) ?? [];
  };
  chat.onCompletions(recomplete);
  const screen = new Screen(
    store,
    { version, directory, memory, colours, links, paint: painter(colours) },
    {
      onKeys(keys) {
        const { state, effects } = press(store.get(), keys, around());
        store.set({ ...state, now: performance.now() });
        for (const effect of effects) {
          if (effect.type === "send") session.send(effect.line);
          else if (effect.type === "remember") history.add(effect.line);
          else if (effect.type === "answer") chat.answer(effect.id, effect.decision);
          else if (effect.type === "stop-tool") chat.stopTool(effect.id);
          else if (effect.type === "interrupt") session.interrupt();
          else if (effect.type === "leave") session.leave();
          else if (effect.type === "skip") session.skip();
          else if (effect.type === "redraw") screen.redraw();
          else if (effect.type === "compose") void compose(screen, store, options);
          else void screen.toBackground();
        }
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

/** Lends the terminal to the user's editor. If that fails, the draft stays as it is. */
async function compose(screen: Screen, store: Store, options: TuiOptions): Promise<void> {
  try {
    let text = contentOf(store.get().editor);
    await screen.lend(async () => {
      text = await options.compose(text);
    });
    const editor = edit(store.get().editor, { type: "set", text });
    store.change({ editor, browsing: null, completion: null });
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    const { code, message, hint = null } = error;
    const event = { type: "error", code, message, hint } as const;
    store.chat({ type: "event", event: harmlessEvent(event), at: performance.now() });
  }
}
