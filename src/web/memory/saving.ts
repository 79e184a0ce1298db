/** What forms that save something share. */
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { CallFailed } from "../api.ts";

/** The last failure of `run`, and `run`, which does something that the server may refuse. */
export function useSaving(): readonly [CallFailed | null, (work: () => Promise<void>) => Promise<void>] {
  const [error, setError] = useState<CallFailed | null>(null);
  const run = async (work: () => Promise<void>) => {
    try {
      await work();
      setError(null);
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    }
  };
  return [error, run];
}

/** Ctrl-S and Cmd-S. */
export function onSaveKey(save: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
}

/** For the field of a form that takes the place of what was read: it gets the focus, and the memory gets it back. */
export function useFocus(): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const memory = field.current?.closest("article");
    field.current?.focus({ preventScroll: true });
    return () => memory?.focus({ preventScroll: true });
  }, []);
  return field;
}
