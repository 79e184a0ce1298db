/** Hints for the page: they name its views and buttons, and say what is for a terminal. */
import { type CommandReference, type Hint, isOption, render } from "../../core/hint.ts";

/** What does the same as a command, with the names of its options. */
const ON_PAGE: Readonly<Record<string, string>> = {
  list: "Memory",
  search: "Memory",
  facts: "Memory",
  "facts --all": "Memory",
  "facts --unconfirmed": "Review",
  notes: "Memory",
  review: "Review",
  "sessions list": "Sessions",
  "sessions delete --force": "Delete anyway",
  "chat --resume --take": "Take it over",
  edit: "Edit",
  update: "Edit",
  versions: "Versions",
  "restore --collection": "Restore",
  undo: "Undo…",
};

export function hintOnPage(text: Hint): string {
  return render(text, (reference) => {
    const name = isOption(reference) ? undefined : ON_PAGE[nameOf(reference)];
    return name === undefined ? `${reference} (in a terminal)` : `“${name}”`;
  });
}

function nameOf({ command, words }: CommandReference): string {
  return [command, ...words.flatMap((word) => (isOption(word) ? `--${word.option}` : []))].join(" ");
}
