/** The list of memories: virtual, so that 100,000 of them scroll. Arrow keys move, Enter opens. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { localDay } from "../../util/days.ts";
import { Highlighted } from "./highlighted.tsx";
import { MOVES } from "./keys.ts";
import { linkOf, type MemoryQuery, type Selected } from "./query.ts";
import type { InView, Row, Rows } from "./rows.ts";
import { ScoreParts } from "./score.tsx";
import "./list.css";

/** Lets the search box move into the list. */
export interface ListHandle {
  focus(index: number): void;
}

interface ListProps {
  readonly rows: Rows;
  readonly query: MemoryQuery;
  readonly selected: Selected | null;
  /** Whether documents of both the project and the home workspace are listed. */
  readonly isMixed: boolean;
  readonly handle: RefObject<ListHandle | null>;
  onView(inView: InView): void;
  /** Up from the first row. */
  onLeave(): void;
}

const ROW_HEIGHT = 76;
const OVERSCAN = 8;

export function List({ rows, query, selected, isMixed, handle, onView, onLeave }: ListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const total = rows.total ?? 0;
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => onView({ first, last }), [first, last, onView]);
  const queryKey = JSON.stringify(query);
  // A new query starts at the top.
  useEffect(() => {
    if (queryKey !== "") scroller.current?.scrollTo(0, 0);
  }, [queryKey]);

  const wanted = useRef<number | null>(null);
  const focus = (index: number) => {
    wanted.current = index;
    virtual.scrollToIndex(index, { align: "auto" });
    focusWanted();
  };
  /** A row outside the view has to be drawn first. */
  const focusWanted = () => {
    const link = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] a`);
    if (wanted.current === null || !link) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  };
  useEffect(focusWanted);
  const opened = useRef<number | null>(null);
  const isOpen = selected !== null;
  // Closing a memory leads back to its row.
  useEffect(() => {
    if (isOpen || opened.current === null) return;
    focus(opened.current);
    opened.current = null;
  });
  handle.current = { focus };

  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = Number((event.target as HTMLElement).closest("li")?.dataset.index ?? -1);
    const page = Math.max(1, last - first - 2 * OVERSCAN);
    const to = MOVES[event.key]?.(at, page, total - 1);
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 && event.key === "ArrowUp") onLeave();
    else focus(Math.min(total - 1, Math.max(0, to)));
  };

  return (
    <div className="list" ref={scroller} aria-busy={rows.total === null || rows.isOutdated}>
      <ul aria-label="Memories" style={{ height: virtual.getTotalSize() }} onKeyDown={move}>
        {shown.map(({ index, key, start }) => (
          <li
            key={key}
            data-index={index}
            ref={virtual.measureElement}
            aria-setsize={total}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            <ListRow
              onOpen={() => {
                opened.current = index;
              }}
              row={rows.row(index)}
              words={rows.words}
              query={query}
              selected={selected}
              isMixed={isMixed}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ListRowProps extends Pick<ListProps, "query" | "selected" | "isMixed"> {
  readonly row: Row | null;
  readonly words: readonly string[];
  onOpen(): void;
}

function ListRow({ onOpen, row, words, query, selected, isMixed }: ListRowProps) {
  const [isExplained, setIsExplained] = useState(false);
  if (row === null) return <div className="memory-row loading">Loading…</div>;
  const { kind, origin, collection, id, title, text, tags, at, speaker, score } = row;
  const isElsewhere = isMixed && collection !== null && origin === "home";
  const named = { id, collection: collection ?? undefined, ...(isElsewhere && { origin }) };
  const isSelected =
    selected?.id === id &&
    (selected.collection ?? collection) === collection &&
    (selected.origin === "home") === isElsewhere;
  return (
    <div className="memory-row">
      <a onClick={onOpen} href={linkOf(query, named)} aria-current={isSelected ? "true" : undefined}>
        {title !== null && (
          <span className="title">
            <Highlighted text={title} words={words} />
          </span>
        )}
        <span className={title === null ? "text whole" : "text"}>
          <Highlighted text={text} words={words} />
        </span>
        <span className="about">
          <span>
            {collection ?? kind}
            {speaker !== null && ` of ${speaker}`}
          </span>
          {at !== null && <time dateTime={at}>{localDay(at)}</time>}
          {origin !== "home" && <span>{origin}</span>}
          {row.isUnconfirmed && <span className="state">unconfirmed</span>}
          {row.hasEnded && <span className="state">ended</span>}
          {row.isInDoubt && <span className="state">may be outdated</span>}
          {tags.map((tag) => (
            <span key={tag} className="tag">
              {tag}
            </span>
          ))}
        </span>
      </a>
      {score !== null && (
        <button
          type="button"
          className="plain score"
          aria-expanded={isExplained}
          aria-label={`Score ${score.score.toFixed(2)}: why?`}
          onClick={() => setIsExplained(!isExplained)}
        >
          {score.score.toFixed(2)}
        </button>
      )}
      {score !== null && isExplained && <ScoreParts score={score} />}
    </div>
  );
}
