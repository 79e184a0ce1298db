/**
 * One message of a stored conversation. A long conversation has thousands: each is plain text until it comes near the window, so
 * that the browser's own search finds everything and only what is read is parsed as Markdown.
 */
import { memo, useEffect, useRef, useState } from "react";
import type { Answer } from "../../serve/page/table.ts";
import { Markdown } from "../ui/markdown.tsx";
import { moment } from "../ui/when.ts";

interface TurnProps {
  readonly turn: Answer<"session">["turns"][number];
  /** The address names it. */
  readonly isWanted: boolean;
}

const NAMES = {
  user: "You",
  assistant: "Assistant",
  system: "Summary of the earlier conversation",
  tool: "",
};
/** How far from the window a message is parsed. */
const MARGIN = "800px";

export const Turn = memo(function Turn({
  turn: { id, role, speaker, at, text, lines },
  isWanted,
}: TurnProps) {
  const ref = useRef<HTMLLIElement>(null);
  const isNear = useIsNear(ref);
  return (
    <li
      ref={ref}
      tabIndex={-1}
      data-message={id}
      className={`turn ${role}`}
      aria-current={isWanted ? "true" : undefined}
    >
      {role !== "tool" && (
        <div className="soft about">
          <strong>{speaker ?? NAMES[role]}</strong> <time dateTime={at}>{moment(at)}</time>
        </div>
      )}
      {text !== "" && (isNear ? <Markdown text={text} /> : <div className="unparsed">{text}</div>)}
      {lines.length > 0 && <div className="soft lines">{lines.join("\n")}</div>}
    </li>
  );
});

function useIsNear(ref: { readonly current: HTMLElement | null }): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || isNear) return;
    const root = element.closest("main");
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { root, rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, isNear]);
  return isNear;
}
