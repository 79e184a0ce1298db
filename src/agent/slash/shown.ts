/** A memory as `/memory` shows it. */
import type { Picker } from "../events.ts";
import type { SlashContext } from "../slash-context.ts";

export interface Shown {
  /** Markdown: its text and its source. */
  readonly text: string;
  /** What can be done with it. */
  readonly actions: Picker["items"];
}

/** A session of another workspace cannot be resumed here. */
export function sessionActions(
  { conversation, ports }: SlashContext,
  session: string,
  origin: string,
): Picker["items"] {
  const canResume = origin === ports.origin && session !== conversation.id;
  const value = `session ${session} in ${origin}`;
  return [
    ...(canResume
      ? [{ command: "/resume", value: session, label: "Resume its conversation", detail: session }]
      : []),
    { command: "/memory", value, label: "Show its conversation", detail: session },
  ];
}
