/** The conversation. It stays at its end while it grows, unless the reader scrolled up. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ChatConnection } from "./connection.ts";
import { Empty } from "./empty.tsx";
import { ItemView } from "./item.tsx";
import { type ChatState, isEmpty, sentLines } from "./state.ts";

interface TranscriptProps {
  readonly chat: ChatState;
  readonly connection: ChatConnection;
  onSend(line: string): void;
}

/** Pixels from the end that count as the end. */
const NEAR = 40;

export function Transcript({ chat, connection, onSend }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const top = useRef(0);
  const [isAway, setIsAway] = useState(false);
  const { items, sent, conversation } = chat;
  const toEnd = () => {
    const { current: box } = scroller;
    if (box === null) return;
    isAtEnd.current = true;
    box.scrollTop = box.scrollHeight;
    top.current = box.scrollTop;
  };
  // `sent` may have become an item before it was ever shown.
  const lines = sentLines(chat).length + (sent === null ? 0 : 1);
  // Another conversation starts at its end, and a user who sends a line wants to see it.
  useLayoutEffect(toEnd, [conversation, lines]);
  // Heights change with each piece of text, and when a part is folded out or first comes into view.
  useEffect(() => {
    const observer = new ResizeObserver(() => isAtEnd.current && toEnd());
    if (content.current !== null) observer.observe(content.current);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const { current: box } = scroller;
    if (box === null) return;
    const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    // The event of `toEnd` comes a frame later. By then the text may have grown, or an approval taken some of the height.
    isAtEnd.current = isNear || (isAtEnd.current && box.scrollTop >= top.current);
    top.current = box.scrollTop;
    setIsAway(!isAtEnd.current);
  };
  return (
    <div className="transcript-box">
      <section
        ref={scroller}
        className="transcript"
        aria-label="Conversation"
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div ref={content} className="items">
          {chat.isLoaded && isEmpty(chat) && <Empty chat={chat} />}
          {items.map((item, index) => (
            <ItemView
              key={`${conversation} ${index}`}
              item={item}
              isLast={index === items.length - 1}
              handled={item.kind === "memory" ? chat.handled : NONE}
              connection={connection}
              onSend={onSend}
            />
          ))}
          {sent !== null && <div className="item user pending">{sent}</div>}
        </div>
      </section>
      {isAway && (
        <button type="button" className="to-end" onClick={toEnd}>
          Latest ↓
        </button>
      )}
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();
