/** The text in the input. It survives a reload, and takes lines that the chat, or a stopped reply, gives back. */
import { useEffect, useState } from "react";
import type { Shown } from "./connection.ts";

export function useDraft({ chat, returned }: Shown): readonly [string, (text: string) => void] {
  const key = `draft ${chat.session ?? "new"}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? "");
  const [keyShown, setKeyShown] = useState(key);
  // The conversation got its id, or is another one: its own draft is shown unless something is being typed.
  if (key !== keyShown) {
    setKeyShown(key);
    if (text === "") setText(sessionStorage.getItem(key) ?? "");
  }
  useEffect(() => {
    if (text === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  }, [key, text]);

  // Each is taken once, also after a reload.
  const draft = chat.draft;
  useEffect(() => {
    const taken = `taken ${key}`;
    if (draft === null || sessionStorage.getItem(taken) === draft.id) return;
    sessionStorage.setItem(taken, draft.id);
    setText((before) => above(draft.text, before));
  }, [draft, key]);
  useEffect(() => {
    if (returned !== null) setText((before) => above(returned.text, before));
  }, [returned]);
  return [text, setText];
}

function above(text: string, before: string): string {
  return before === "" || before === text ? text : `${text}\n${before}`;
}
