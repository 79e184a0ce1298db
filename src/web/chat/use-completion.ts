/** Completions of what is being typed: a slash command or its argument, or the reference to a file before the cursor. */
import { useEffect, useState } from "react";
import { type Completion, commandCompletion } from "../../agent/choices.ts";
import { openReference } from "../../core/text/file-references.ts";
import { CallFailed } from "../api.ts";
import type { ChatConnection } from "./connection.ts";

export function useCompletion(
  connection: ChatConnection,
  text: string,
  cursor: number,
): readonly [Completion | null, (completion: Completion | null) => void] {
  const [completion, setCompletion] = useState<Completion | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    completionOf(connection, text, cursor, stop.signal).then(
      (found) => !stop.signal.aborted && setCompletion(found),
      (error: unknown) => {
        if (!stop.signal.aborted && !(error instanceof CallFailed)) throw error;
      },
    );
    return () => stop.abort();
  }, [connection, text, cursor]);
  return [completion, setCompletion];
}

/** A completion replaces all of a command; else what is before the cursor. */
export function isCommand(text: string): boolean {
  return text.startsWith("/") && !text.includes("\n");
}

async function completionOf(
  connection: ChatConnection,
  text: string,
  cursor: number,
  signal: AbortSignal,
): Promise<Completion | null> {
  if (isCommand(text)) return commandCompletion(text, await connection.complete(text, signal));
  const open = openReference(text.slice(0, cursor));
  const items = open === null ? [] : await connection.files(open.path, signal);
  return open === null || items.length === 0 ? null : { from: open.from, items, index: 0 };
}
