/**
 * The text in the input, for each conversation. It survives a reload, and takes lines that the chat, or a stopped reply, gives back.
 * While a command that the chat gives is edited, the user's own text waits aside.
 */
import { useEffect, useRef, useState } from "react";
import { store, stored, unstore } from "../stored.ts";
import type { Shown } from "./connection.ts";
import { isCommand } from "./use-completion.ts";

export function useDraft({ chat, returned }: Shown): readonly [string, (text: string) => void] {
  // Unknown until the conversation is.
  const key = chat.isLoaded ? `draft ${chat.session ?? "new"}` : null;
  const [text, setText] = useState("");
  const [keyShown, setKeyShown] = useState<string | null>(null);
  if (key !== keyShown) {
    setKeyShown(key);
    setText(key === null ? "" : above(stored(key) ?? "", text));
  }
  const last = useRef<string | null>(null);
  useEffect(() => {
    // The conversation got its id, or was left for another one in the same chat: what is being typed moves there.
    if (key !== null && last.current !== null && last.current !== key) unstore(last.current);
    last.current = key;
    if (key === null) return;
    if (text === "") unstore(key);
    else store(key, text);
  }, [key, text]);

  // Each is taken once, also after a reload.
  const draft = chat.draft;
  const [aside, typed] = [`aside ${key}`, useRef("")];
  typed.current = text;
  useEffect(() => {
    const taken = `taken ${key}`;
    if (draft === null || stored(taken) === draft.id) return;
    store(taken, draft.id);
    if (isCommand(draft.text) && typed.current !== "" && !isCommand(typed.current))
      store(aside, typed.current);
    setText((before) => (isCommand(draft.text) ? draft.text : above(draft.text, before)));
  }, [draft, key, aside]);
  useEffect(() => {
    if (returned !== null) setText((before) => above(returned.text, before));
  }, [returned]);
  const type = (next: string) => {
    setText(next === "" ? (stored(aside) ?? "") : next);
    if (next === "") unstore(aside);
  };
  return [text, type];
}

function above(text: string, before: string): string {
  if (text === "" || before === "" || before === text) return text || before;
  return `${text}\n${before}`;
}
