/** A list to choose from, above the input. An item's command is sent as if the user had typed it. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { filtered, lineOf, markedItem, PAUSE_MS, type Picking, step } from "../../agent/choices.ts";
import { PICKER_STEPS, SEND, STOP } from "./keys.ts";
import { markedId, Options } from "./options.tsx";
import type { OpenPicker } from "./state.ts";

interface PickerProps {
  readonly open: OpenPicker;
  onSend(line: string): void;
  /** Closes it without a choice, or returns to the list that it came from. */
  onClose(): void;
}

export function PickerCard({ open: { picker }, onSend, onClose }: PickerProps) {
  const id = useId();
  const [appearedAt] = useState(() => performance.now());
  const [pick, setPick] = useState<Picking>({ filter: "", index: null });
  const input = useRef<HTMLInputElement>(null);
  const { isUnprompted = false, skip } = picker;
  // Somebody who types keeps the focus.
  useEffect(() => {
    if (!isUnprompted && !isTyping()) input.current?.focus();
  }, [isUnprompted]);
  const items = filtered(picker, pick.filter);
  const marked = markedItem(picker, pick);
  const close = () => (skip === undefined ? onClose() : onSend(`${picker.command} ${skip}`));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = PICKER_STEPS[event.key];
    const item = items[marked];
    const byKey = picker.items.find(({ key }) => key !== undefined && key === event.key);
    const isLate = performance.now() - appearedAt >= PAUSE_MS;
    if (by !== undefined) setPick({ ...pick, index: step(marked, by, items.length) });
    else if (event.key === SEND && isLate && item !== undefined) onSend(lineOf(picker, item));
    else if (event.key === SEND && isLate && skip !== undefined) close();
    else if (byKey !== undefined && isLate && pick.filter === "") onSend(lineOf(picker, byKey));
    else return;
    event.preventDefault();
  };
  // Esc works wherever the focus is.
  const onEscape = useRef(close);
  onEscape.current = close;
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => {
      if (event.key === STOP && !event.defaultPrevented) onEscape.current();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
  return (
    <section className="card picker" aria-labelledby={`${id}title`}>
      <div className="row">
        <h2 id={`${id}title`} className="grow">
          {picker.title}
        </h2>
        <button type="button" className="plain" onClick={close}>
          {skip === undefined ? "Close" : "Skip"} <kbd>Esc</kbd>
        </button>
      </div>
      <input
        ref={input}
        name="filter"
        role="combobox"
        aria-label="Filter"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={markedId(id, Math.min(marked, items.length - 1))}
        placeholder="Filter, arrows, Enter"
        autoComplete="off"
        value={pick.filter}
        onChange={(event) => setPick({ filter: event.target.value, index: null })}
        onKeyDown={onKeyDown}
      />
      <Options
        id={id}
        label={picker.title}
        options={items}
        marked={marked}
        onPick={(item) => onSend(lineOf(picker, item))}
      />
      {items.length === 0 && <p className="soft">No matches.</p>}
    </section>
  );
}

/** Whether the focus is in a field with text. */
function isTyping(): boolean {
  const { activeElement: field } = document;
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return isField && field.value !== "";
}
