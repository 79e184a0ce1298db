/** The heading of a view. It gets the focus if a navigation lost it, so that a screen reader reads it. */
import { type ReactNode, useEffect, useRef } from "react";

export function Title({ children }: { readonly children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement?.tagName === "MAIN") ref.current?.focus();
  }, []);
  return (
    <h1 ref={ref} tabIndex={-1}>
      {children}
    </h1>
  );
}
