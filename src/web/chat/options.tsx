/** The items of a list that a text field controls: it has the focus, and its arrows mark an item. */
import { useEffect, useRef } from "react";

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
  readonly key?: string;
}

interface OptionsProps<O extends Option> {
  /** Of the list; an option's id ends with its index. */
  readonly id: string;
  readonly label: string;
  readonly options: readonly O[];
  /** -1: none. */
  readonly marked: number;
  onPick(option: O): void;
}

/** For the field's aria-activedescendant. */
export function markedId(id: string, marked: number): string | undefined {
  return marked < 0 ? undefined : `${id}-${marked}`;
}

export function Options<O extends Option>({ id, label, options, marked, onPick }: OptionsProps<O>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[marked]?.scrollIntoView({ block: "nearest" });
  }, [marked]);
  return (
    <div ref={list} id={id} className="options" role="listbox" aria-label={label} tabIndex={-1}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
        <div
          key={`${option.value} ${option.label}`}
          id={markedId(id, index)}
          className="option"
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          onClick={() => onPick(option)}
        >
          {option.key !== undefined && <kbd>{option.key}</kbd>}
          <span className="label">{option.label}</span>
          {option.detail !== "" && <span className="soft detail">{option.detail}</span>}
        </div>
      ))}
    </div>
  );
}
