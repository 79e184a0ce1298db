/** One piece of a conversation. */
import { memo, useRef } from "react";
import { CHANGE_ACTIONS, memoryLines } from "../../core/facts/memory-changes.ts";
import { fileInWords } from "../../util/in-words.ts";
import { Markdown } from "../ui/markdown.tsx";
import { type Blocks, grownBlocks, NO_BLOCKS } from "./blocks.ts";
import type { ChatConnection } from "./connection.ts";
import { Given } from "./given.tsx";
import type { Item } from "./items.ts";
import { ToolView } from "./tool.tsx";

interface ItemProps {
  readonly item: Item;
  readonly isLast: boolean;
  /** Memories that need no buttons any more. */
  readonly handled: ReadonlySet<string>;
  readonly connection: ChatConnection;
  onSend(line: string): void;
}

/** Items that did not change are not rendered again while a reply grows. */
export const ItemView = memo(function ItemView({ item, isLast, handled, connection, onSend }: ItemProps) {
  switch (item.kind) {
    case "user":
      return (
        <div className="item user">
          <span className="hidden">You: </span>
          {item.text}
          {item.files.map(({ path, bytes, problem }) => (
            <div key={path} className="file soft">
              {fileInWords(path, bytes)}
              {problem !== null && `: ${problem}`}
            </div>
          ))}
        </div>
      );
    case "command":
      return (
        <div className="item command soft">
          <code>{item.text}</code>
        </div>
      );
    case "reply":
      return <Reply text={item.text} />;
    case "output":
      return (
        <div className="item output">
          <Markdown text={item.text} />
        </div>
      );
    case "thinking":
      return (
        <details className="item thinking soft">
          <summary>{isLast ? "Thinking…" : "Thinking"}</summary>
          <div className="text">{item.text}</div>
        </details>
      );
    case "tool":
      return <ToolView tool={item} onStop={(id) => connection.stopTool(id)} />;
    case "memory":
      return <MemoryChange item={item} handled={handled} onSend={onSend} />;
    case "given":
      return <Given parts={item.parts} />;
    case "notice":
      return <div className={`item note ${item.level}`}>{item.text}</div>;
    case "error":
      return (
        <div className="item note error">
          {item.message}
          {item.hint !== null && <div>{item.hint}</div>}
        </div>
      );
  }
});

function Reply({ text }: { readonly text: string }) {
  const blocks = useRef<Blocks>(NO_BLOCKS);
  blocks.current = grownBlocks(text, blocks.current);
  const { finished, rest } = blocks.current;
  return (
    <div className="item reply">
      {[...finished, rest].map((block, index) => (
        <Markdown key={index} text={block} />
      ))}
    </div>
  );
}

interface MemoryProps extends Pick<ItemProps, "handled" | "onSend"> {
  readonly item: Extract<Item, { kind: "memory" }>;
}

function MemoryChange({ item: { changes }, handled, onSend }: MemoryProps) {
  const open = (changes.changed ?? []).filter(({ id }) => !handled.has(id));
  return (
    <div className="item changes">
      {memoryLines(changes).map(({ tone, mark, label, text }) => (
        <div key={`${label} ${text}`} className={tone}>
          <span aria-hidden="true">{mark} </span>
          <strong>{label}</strong> {text}
        </div>
      ))}
      {open.map((memory) => (
        <div key={memory.id} className="row">
          {open.length > 1 && <span className="soft line">{memory.text}</span>}
          {CHANGE_ACTIONS[memory.change].map(({ label, command }) => (
            <button
              key={label}
              type="button"
              aria-label={`${label}: ${memory.text}`}
              onClick={() => onSend(`${command} ${memory.id}`)}
            >
              {label}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
