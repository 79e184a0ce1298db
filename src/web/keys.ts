/** Keys that work everywhere in the page. */
import { useEffect, useEffectEvent } from "react";

export interface KeyHelp {
  /** As events name them. */
  readonly keys: readonly string[];
  readonly what: string;
}

const PALETTE = "k";
export const SEARCH = "/";
export const HELP = "?";

export function withControl(key: string): string[] {
  return [`Ctrl ${key.toUpperCase()}`, `⌘ ${key.toUpperCase()}`];
}

export const KEYS_EVERYWHERE: readonly KeyHelp[] = [
  { keys: withControl(PALETTE), what: "Open the command palette" },
  { keys: [SEARCH], what: "Search in this view" },
  { keys: [HELP], what: "Show these keys" },
  { keys: ["Escape"], what: "Close a dialog, cancel" },
];

/** Calls `act` for keys that are pressed outside of text fields and dialogs, without Ctrl, Alt or Cmd. */
export function useKeys(act: (key: string) => boolean): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    if (isTyping(event.target) || isDialogOpen()) return;
    if (act(event.key)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

/** Ctrl-K or Cmd-K, wherever the focus is, unless a dialog is open. */
export function usePaletteKey(open: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== PALETTE || event.altKey || event.shiftKey) return;
    if (event.ctrlKey === event.metaKey || isDialogOpen()) return;
    event.preventDefault();
    open();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
