/** A short message at the bottom: what was just done, and a way to undo it. */
import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import "./toast.css";

interface Toast {
  readonly message: string;
  /** A button: "Undo". */
  readonly action?: { readonly label: string; run(): void } | undefined;
}

let current: Toast | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Open dialogs, the topmost last. */
let dialogs: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

/** Long enough to read it and to reach the button by keyboard. */
const SHOWN_MS = 12_000;

/** Replaces the one before. */
export function toast(next: Toast | null): void {
  clearTimeout(timer);
  current = next;
  if (next !== null) timer = setTimeout(() => toast(null), SHOWN_MS);
  changed();
}

/** Toasts appear in this dialog until the returned function is called: a browser covers and disables everything below it. */
export function showToastsIn(dialog: HTMLElement): () => void {
  dialogs = [...dialogs, dialog];
  changed();
  return () => {
    dialogs = dialogs.filter((one) => one !== dialog);
    changed();
  };
}

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => current);
  const dialog = useSyncExternalStore(subscribe, () => dialogs.at(-1));
  const region = (
    <div className="toasts" role="status">
      {shown !== null && (
        <div className="toast">
          <span>{shown.message}</span>
          {shown.action !== undefined && (
            <button
              type="button"
              onClick={() => {
                toast(null);
                shown.action?.run();
              }}
            >
              {shown.action.label}
            </button>
          )}
          <button type="button" className="plain" aria-label="Dismiss" onClick={() => toast(null)}>
            ×
          </button>
        </div>
      )}
    </div>
  );
  return dialog === undefined ? region : createPortal(region, dialog);
}
