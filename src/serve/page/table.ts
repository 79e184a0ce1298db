/** Every call of the page, by name. */
import { chatCalls } from "./chat-calls.ts";
import { documentCalls } from "./documents.ts";
import { factCalls } from "./facts.ts";
import { memoriesCalls } from "./memories.ts";
import { memoryCalls } from "./memory.ts";
import { overviewCalls } from "./overview.ts";
import { reviewCalls } from "./review.ts";
import { sessionCalls } from "./sessions.ts";
import { statusCalls } from "./status.ts";

export const CALLS = {
  ...chatCalls,
  ...statusCalls,
  ...memoriesCalls,
  ...memoryCalls,
  ...documentCalls,
  ...factCalls,
  ...sessionCalls,
  ...reviewCalls,
  ...overviewCalls,
};

export type Calls = typeof CALLS;
export type CallName = keyof Calls;

/** What the page sends. */
export type Input<N extends CallName> = Parameters<Calls[N]["run"]>[1];
/** What it gets. */
export type Answer<N extends CallName> = Awaited<ReturnType<Calls[N]["run"]>>;

/** The JSON of an error. */
export interface PageError {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}
