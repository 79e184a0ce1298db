/** Completions of a slash command or its argument, while it is typed. */
import { useEffect, useState } from "react";
import { type Completion, commandCompletion } from "../../agent/choices.ts";
import { CallFailed } from "../api.ts";
import type { ChatConnection } from "./connection.ts";

export function useCompletion(
  connection: ChatConnection,
  text: string,
): readonly [Completion | null, (completion: Completion | null) => void] {
  const [completion, setCompletion] = useState<Completion | null>(null);
  useEffect(() => {
    if (!text.startsWith("/") || text.includes("\n")) return setCompletion(null);
    const stop = new AbortController();
    connection.complete(text, stop.signal).then(
      (items) => !stop.signal.aborted && setCompletion(commandCompletion(text, items)),
      (error: unknown) => {
        if (!stop.signal.aborted && !(error instanceof CallFailed)) throw error;
      },
    );
    return () => stop.abort();
  }, [connection, text]);
  return [completion, setCompletion];
}
