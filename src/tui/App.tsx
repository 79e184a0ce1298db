/**
 * What Ink draws: finished items, printed once (Static), and below them the lines that may change, redrawn in place. The views make
 * the lines, because their number must be known before they are drawn.
 */
import { Static, Text, useApp, useCursor, useInput, usePaste } from "ink";
import { memo, type ReactNode, useEffect, useInsertionEffect, useSyncExternalStore } from "react";
import type { PrintedAgain } from "./app-state.ts";
import { type Key, keysOf } from "./editor/keys.ts";
import { above, type Item } from "./items.ts";
import type { Store } from "./store.ts";
import { itemLines } from "./views/item.ts";
import type { Look } from "./views/look.ts";
import { type Frame, frameOf } from "./views/screen.ts";

interface AppProps {
  readonly store: Store;
  readonly look: Look;
  onKeys(keys: readonly Key[]): void;
  onPaste(text: string): void;
  /** Called before Ink draws it. */
  onFrame(frame: Frame): void;
  /** Called once the current state is on the terminal. */
  onDrawn(): void;
  /** Passes the function that suspends Ink while another program uses the terminal. */
  onReady(suspend: (during: () => Promise<void>) => Promise<void>): void;
}

export function App({ store, look, onKeys, onPaste, onFrame, onDrawn, onReady }: AppProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { waitUntilRenderFlush, suspendTerminal } = useApp();
  const { setCursorPosition } = useCursor();
  const { chat, size } = state;
  const frame = frameOf(state, look);
  setCursorPosition(frame.cursor ?? undefined);
  useInput((input, key) => onKeys(keysOf(input, key)));
  usePaste(onPaste);
  useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal]);
  useInsertionEffect(() => onFrame(frame));
  const isUnseen = chat.approval?.drawnAt === null || chat.picker?.isDrawn === false;
  useEffect(() => {
    if (isUnseen) waitUntilRenderFlush().then(onDrawn);
  }, [isUnseen, waitUntilRenderFlush, onDrawn]);
  return (
    <>
      <Transcript
        committed={chat.committed}
        conversation={chat.conversation}
        again={state.again}
        redraws={state.redraws}
        columns={size.columns}
        look={look}
      />
      <Text wrap="truncate-end">{frame.lines.join("\n")}</Text>
    </>
  );
}

interface TranscriptProps {
  readonly committed: readonly Item[];
  readonly conversation: number;
  readonly again: PrintedAgain | null;
  readonly redraws: number;
  readonly columns: number;
  readonly look: Look;
}

/** Memoised, because Ink prints every update of Static at once, ignoring its frame rate limit. */
const Transcript = memo(function Transcript(props: TranscriptProps): ReactNode {
  const { committed, conversation, redraws, columns, look } = props;
  const again = props.again?.conversation === conversation ? props.again : null;
  const from = again?.from ?? 0;
  const first = again === null || again.lines.length === 0 ? [] : [again.lines.join("\n")];
  return (
    <Static key={`${conversation}:${redraws}`} items={[...first, ...committed.slice(from)]}>
      {(item, index) => {
        if (typeof item === "string") return <Text key={index}>{item}</Text>;
        const before = above(committed, from + index - first.length, conversation);
        return <Text key={index}>{itemLines(item, before, columns, look).join("\n")}</Text>;
      }}
    </Static>
  );
});
