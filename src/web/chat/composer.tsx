/** The input: sends, queues while the chat is busy, completes commands and files, recalls earlier lines, and keeps its draft over a reload. */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { type Choice, step } from "../../agent/choices.ts";
import type { ChatConnection, Shown } from "./connection.ts";
import { COMPLETE, COMPLETION_STEPS, NEWER, OLDER, SEND, STOP } from "./keys.ts";
import { markedId, Options } from "./options.tsx";
import { sentLines } from "./state.ts";
import { isCommand, useCompletion } from "./use-completion.ts";
import { useDraft } from "./use-draft.ts";

interface ComposerProps {
  readonly shown: Shown;
  readonly connection: ChatConnection;
  onSend(line: string): void;
}

export function Composer({ shown, connection, onSend }: ComposerProps) {
  const { chat, queue, isStopping } = shown;
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(shown);
  const [cursor, setCursor] = useState(0);
  const [completion, setCompletion] = useCompletion(connection, text, cursor);
  /** Where the cursor belongs after a completion. */
  const [placed, setPlaced] = useState<{ readonly at: number } | null>(null);
  useLayoutEffect(() => {
    if (placed === null) return;
    input.current?.focus();
    input.current?.setSelectionRange(placed.at, placed.at);
  }, [placed]);
  /** How many lines back; 0: the user's own draft. */
  const [back, setBack] = useState(0);
  // Also in a new chat, and with a line that the chat gives to edit.
  useEffect(() => input.current?.focus(), [connection, chat.draft]);
  const isBusy = chat.doing !== null && chat.doing !== "starting";
  // The list of a picker or the answers to an approval close with the focus in them.
  const isAsking = chat.picker !== null || chat.approval !== null;
  useEffect(() => {
    if (!isAsking && document.activeElement === document.body) input.current?.focus();
  }, [isAsking]);

  const type = (value: string) => {
    setText(value);
    setBack(0);
  };
  // More may have been typed since the items were asked for.
  const end = isCommand(text) ? text.length : cursor;
  const complete = ({ value }: Choice) => {
    if (completion === null) return;
    const start = `${text.slice(0, completion.from)}${value} `;
    type(start + text.slice(end).replace(/^ /, ""));
    setCursor(start.length);
    setPlaced({ at: start.length });
  };
  const submit = () => {
    const line = text.trimEnd();
    if (line.trim() === "") return;
    type("");
    onSend(line);
  };
  const recall = (by: number): boolean => {
    const waiting = queue.length - 1;
    if (by > 0 && text === "" && waiting >= 0) {
      setText(connection.unqueue(waiting));
      return true;
    }
    const lines = sentLines(chat);
    const next = back + by;
    if (next < 0 || next > lines.length || (by > 0 && back === 0 && text !== "")) return false;
    setBack(next);
    setText(next === 0 ? "" : (lines.at(-next) ?? ""));
    return true;
  };
  const onCompletionKey = ({ key }: KeyboardEvent): boolean => {
    if (completion === null) return false;
    const { from, items, index } = completion;
    const by = COMPLETION_STEPS[key];
    if (by !== undefined) setCompletion({ ...completion, index: step(index, by, items.length) });
    else if (key === STOP) setCompletion(null);
    else {
      const item = items[key === COMPLETE ? Math.max(0, index) : index];
      const takes = key === COMPLETE || (key === SEND && item?.value !== text.slice(from, end).trimEnd());
      if (!takes || item === undefined) return false;
      complete(item);
    }
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey, nativeEvent, currentTarget: field } = event;
    if (nativeEvent.isComposing || altKey || ctrlKey || metaKey) return;
    const isAtStart = field.selectionStart === 0 && field.selectionEnd === 0;
    if (shiftKey) return;
    if (onCompletionKey(event)) event.preventDefault();
    else if (key === SEND) {
      event.preventDefault();
      submit();
    } else if (key === OLDER && (isAtStart || back > 0) && recall(1)) event.preventDefault();
    else if (key === NEWER && back > 0 && recall(-1)) event.preventDefault();
  };
  const marked = completion?.index ?? -1;
  return (
    <div className="composer">
      {queue.length > 0 && (
        <ul className="queue" aria-label="Waiting to be sent">
          {queue.map((line, index) => (
            <li key={index} className="row soft">
              <span className="grow line">{line}</span>
              <button type="button" className="plain" onClick={() => type(connection.unqueue(index))}>
                Edit
              </button>
            </li>
          ))}
        </ul>
      )}
      {completion !== null && (
        <Options
          id={id}
          label="Completions"
          options={completion.items.map((item) => ({ ...item, label: item.value }))}
          marked={marked}
          onPick={complete}
        />
      )}
      <div className="row entry">
        <textarea
          ref={input}
          className="grow"
          rows={1}
          aria-label="Message"
          aria-controls={completion === null ? undefined : id}
          aria-activedescendant={markedId(id, marked)}
          placeholder="Type a message, or / for commands"
          value={text}
          onChange={(event) => type(event.target.value)}
          onSelect={(event) => setCursor(event.currentTarget.selectionEnd)}
          onKeyDown={onKeyDown}
        />
        {isBusy && (
          <button type="button" disabled={isStopping} onClick={() => connection.stop()}>
            Stop
          </button>
        )}
        <button type="button" className="main" disabled={text.trim() === ""} onClick={submit}>
          {isBusy ? "Queue" : "Send"}
        </button>
      </div>
    </div>
  );
}
