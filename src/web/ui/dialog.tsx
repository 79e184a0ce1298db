/** A question or form above the page. Esc closes it; the browser keeps the focus inside. */
import { type ReactNode, useEffect, useRef } from "react";
import "./dialog.css";

export interface DialogProps {
  readonly title: string;
  onClose(): void;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}
