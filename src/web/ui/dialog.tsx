/** A question or form above the page. Esc or its button closes it; the browser keeps the focus inside. */
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { showToastsIn } from "./toast.tsx";
import "./dialog.css";

interface DialogProps {
  readonly title: string;
  onClose(): void;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // Closing it while it is still in the page returns the focus to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    dialog.showModal();
    const release = showToastsIn(dialog);
    return () => {
      release();
      dialog.close();
    };
  }, []);
  return (
    <dialog ref={ref} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
      {/* Last, so that the focus starts in the form. */}
      <button type="button" className="plain close" aria-label="Close" onClick={onClose}>
        ×
      </button>
    </dialog>
  );
}
