/** The command palette: views, conversations, a search, a fact to save, the theme. Typing filters, Enter runs, Esc closes. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { go, linkTo } from "./route.ts";
import { chooseTheme, THEMES } from "./theme.ts";
import { Dialog } from "./ui/dialog.tsx";
import { moment } from "./ui/when.ts";
import { useCall } from "./use-call.ts";
import "./palette.css";

interface PaletteProps {
  readonly views: readonly { readonly name: string; readonly title: string }[];
  onKeys(): void;
  onRemember(text: string): void;
  onClose(): void;
}

interface Command {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  run(): void;
}

const SESSIONS = 30;
/** How many conversations appear before anything is typed. */
const SESSIONS_AT_FIRST = 5;

export function Palette({ views, onKeys, onRemember, onClose }: PaletteProps) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const current = useRef<HTMLDivElement>(null);
  const sessions = useSessionCommands();
  const text = typed.trim();
  const offered = (shown: readonly Command[]) => [...viewCommands(views), ...shown, ...pageCommands(onKeys)];
  const commands =
    text === ""
      ? offered(sessions.slice(0, SESSIONS_AT_FIRST))
      : [
          ...offered(sessions).filter(({ label }) => hasWords(label, text)),
          ...searches(text),
          remembers(text, onRemember),
        ];
  const chosen = commands[Math.min(at, commands.length - 1)];
  // After each render, since the choice or the list has changed.
  useEffect(() => {
    current.current?.scrollIntoView({ block: "nearest" });
  });
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter" && !event.nativeEvent.isComposing) run(chosen);
    else if (step !== 0)
      setAt((Math.min(at, commands.length - 1) + step + commands.length) % commands.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Commands" onClose={onClose}>
      <input
        className="palette"
        role="combobox"
        aria-label="Command, conversation, search or fact"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={chosen === undefined ? undefined : `${list}${chosen.id}`}
        placeholder="Go to, search for or remember …"
        autoComplete="off"
        value={typed}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
      />
      <div id={list} role="listbox" aria-label="Commands" className="palette">
        {commands.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles keys for the whole list
          <div
            key={command.id}
            id={`${list}${command.id}`}
            ref={command === chosen ? current : null}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            onClick={() => run(command)}
          >
            <span className="label">{command.label}</span>
            <span className="soft">{command.detail}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function viewCommands(views: PaletteProps["views"]): Command[] {
  return [
    ...views.map(({ name, title }) => ({
      id: `view-${name}`,
      label: title,
      detail: "View",
      run: () => go(linkTo([name])),
    })),
    { id: "new", label: "New chat", detail: "", run: () => go(linkTo(["chat"])) },
  ];
}

function pageCommands(onKeys: () => void): Command[] {
  return [
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: `Theme: ${theme}`,
      detail: "",
      run: () => chooseTheme(theme),
    })),
    { id: "keys", label: "Keys", detail: "?", run: onKeys },
  ];
}

function searches(text: string): Command[] {
  return [
    {
      id: "search-memory",
      label: `Search memory for “${text}”`,
      detail: "",
      run: () => go(linkTo(["memory"], { q: text })),
    },
    {
      id: "search-sessions",
      label: `Search conversations for “${text}”`,
      detail: "",
      run: () => go(linkTo(["sessions"], { q: text })),
    },
  ];
}

function remembers(text: string, onRemember: (text: string) => void): Command {
  return { id: "remember", label: `Remember “${text}”`, detail: "", run: () => onRemember(text) };
}

function useSessionCommands(): Command[] {
  const { data } = useCall("sessions", { query: "", limit: SESSIONS });
  return (data?.sessions ?? []).map(({ id, origin, title, summary, updated_at }) => ({
    id: `session-${origin}-${id}`,
    label: title ?? summary ?? id,
    detail: moment(updated_at),
    run: () => go(linkTo(["sessions", id], { origin })),
  }));
}

function hasWords(label: string, text: string): boolean {
  const lower = label.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
