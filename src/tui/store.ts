/** Holds the state and notifies its listeners. */
import type { AppState } from "./app-state.ts";
import { type ChatAction, reduce } from "./chat-state.ts";

export class Store {
  #state: AppState;
  readonly #listeners = new Set<() => void>();

  constructor(state: AppState) {
    this.#state = state;
  }

  readonly get = (): AppState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(state: AppState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  /** Updates the time for spinners, unless something was just drawn. */
  tick(now: number, every: number): void {
    const { chat, now: last } = this.#state;
    if ((chat.busy !== null || chat.approval !== null) && now - last >= every) this.change({ now });
  }

  change(change: Partial<AppState>): void {
    this.set({ ...this.#state, ...change });
  }

  chat(action: ChatAction): void {
    const chat = reduce(this.#state.chat, action);
    const now = "at" in action ? action.at : this.#state.now;
    if (chat !== this.#state.chat) this.set({ ...this.#state, chat, now });
  }
}
