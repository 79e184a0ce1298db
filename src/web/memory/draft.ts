/** Text being edited. It survives a reload of the page and a change of its source. */
import { useState } from "react";
import { parseJson } from "../../util/json.ts";
import { store, stored, storedKeys, unstore } from "../stored.ts";

export interface Draft {
  readonly text: string;
  /** Identifies what the draft was made from. */
  readonly etag: string;
}

const KEY = "memory draft ";

const keyOf = (name: string) => KEY + name;

// A closed tab loses them. The browser doesn't say whether the tab is closed or only reloaded.
addEventListener("beforeunload", (event) => {
  if (draftNames().length > 0) event.preventDefault();
});

export function draftNames(): string[] {
  return storedKeys(KEY).map((key) => key.slice(KEY.length));
}

/** null if nothing was typed. */
export function draftOf(name: string): Draft | null {
  return (parseJson(stored(keyOf(name)) ?? "null") as Draft | null | undefined) ?? null;
}

export function storeDraft(name: string, draft: Draft): void {
  store(keyOf(name), JSON.stringify(draft));
}

export function clearDraft(name: string): void {
  unstore(keyOf(name));
}

/** null until something is typed. */
export function useDraft(name: string): readonly [Draft | null, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => draftOf(name));
  const change = (next: Draft) => {
    storeDraft(name, next);
    setDraft(next);
  };
  return [draft, change];
}
