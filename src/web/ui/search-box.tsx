/** A search box. It reports its text when typing pauses; "/" focuses it from anywhere in the view. */
import { useEffect, useEffectEvent, useRef, useState } from "react";

interface SearchBoxProps {
  readonly label: string;
  /** The text that was last searched for. */
  readonly value: string;
  onSearch(text: string): void;
}

const PAUSE_MS = 200;

export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const report = useEffectEvent((typed: string) => {
    reported.current = typed;
    onSearch(typed);
  });
  useEffect(() => {
    // The address changed, as with the browser's Back button.
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === reported.current) return;
    const timer = setTimeout(() => report(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      className="grow"
      aria-label={label}
      placeholder={`${label} ( / )`}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
