/** The heading of a view. It takes the focus if a change of the address left it nowhere, so that a screen reader reads it. */
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
