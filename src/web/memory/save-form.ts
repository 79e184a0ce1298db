/** The save key and the focus of forms. */
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { SAVE } from "./keys.ts";

/** Ctrl-S and Cmd-S. */
export function onSaveKey(save: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== SAVE || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
}

/** For the field of a form that replaces the memory's text: the field gets the focus, and the memory gets it back afterwards. */
export function useFieldFocus(): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const memory = field.current?.closest("article");
    field.current?.focus({ preventScroll: true });
    return () => memory?.focus({ preventScroll: true });
  }, []);
  return field;
}
