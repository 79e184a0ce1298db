/** A question of the first start (first-start.ts), and whether the questions are due. */
import type { Picker } from "./events.ts";

export interface SetupQuestion {
  /** "connect": the first word after `/setup`. */
  readonly name: string;
  readonly title: string;
  /** Empty if there is nothing to ask. */
  items(): Promise<Picker["items"]>;
  /** Does what was selected, and says so. Throws RetainError. */
  take(value: string): Promise<string>;
}

/** Whether the questions are due. */
export interface SetupState {
  /** The home workspace was empty when the chat was opened. */
  readonly isNewHome: boolean;
  isAsked(): boolean;
  /** False if that can't be stored: the next start would ask again. */
  setAsked(): boolean;
}
