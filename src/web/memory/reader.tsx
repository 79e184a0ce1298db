/** One memory: its text, where it comes from, and what can be done with it. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Answer } from "../../serve/page/table.ts";
import { go, linkTo } from "../route.ts";
import { Failure } from "../ui/failure.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { useCall } from "../use-call.ts";
import type { Selected } from "./asked.ts";
import { DocumentReader } from "./document.tsx";
import { FactReader } from "./fact.tsx";
import { ForgetDialog } from "./forget.tsx";
import { Said } from "./said.tsx";
import "./reader.css";

export type Shown = Answer<"memory">;

export interface ReaderProps {
  readonly selected: Selected;
  /** The list without a selection. */
  readonly back: string;
}

export function Reader({ selected, back }: ReaderProps) {
  const { id, collection } = selected;
  const { data, error } = useCall("memory", { id, collection });
  const region = useRef<HTMLElement>(null);
  const isThere = data !== null;
  // A screen reader and the keyboard continue in what was opened.
  useEffect(() => {
    if (isThere && id !== "") region.current?.focus({ preventScroll: true });
  }, [isThere, id]);
  const leave = ({ key, target }: KeyboardEvent) => {
    const isTyping = target instanceof HTMLElement && target.closest("input, textarea, dialog") !== null;
    if (key === "Escape" && !isTyping) go(back);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: Esc leaves it from every control inside
    <article className="reader" ref={region} tabIndex={-1} aria-label="Memory" onKeyDown={leave}>
      <a className="back" href={back}>
        ← All memories
      </a>
      {error !== null && <Failure error={error} />}
      {error === null && data !== null && <ReaderOf key={nameOf(data)} shown={data} back={back} />}
    </article>
  );
}

/** Another memory starts with a new state: editing, dialogs. */
function nameOf(shown: Shown): string {
  if (shown.kind === "document") return `${shown.document.collection}/${shown.document.id}`;
  if (shown.kind === "fact") return shown.provenance.fact.id;
  if (shown.kind === "note") return shown.note.id;
  return String(shown.kind === "message" ? shown.message.id : shown.session?.id);
}

function ReaderOf({ shown, back }: { readonly shown: Shown; readonly back: string }) {
  const [isForgetting, setIsForgetting] = useState(false);
  const forget = (
    <button type="button" className="danger" onClick={() => setIsForgetting(true)}>
      Forget…
    </button>
  );
  return (
    <>
      {shown.kind === "document" && <DocumentReader shown={shown} forget={forget} back={back} />}
      {shown.kind === "fact" && <FactReader shown={shown} forget={forget} />}
      {shown.kind === "note" && <NoteReader shown={shown} forget={forget} />}
      {shown.kind === "message" && <MessageReader shown={shown} forget={forget} />}
      {shown.kind === "session" && <SessionLink shown={shown} />}
      {isForgetting && (
        <ForgetDialog
          named={
            shown.kind === "document"
              ? { id: shown.document.id, collection: shown.document.collection }
              : { id: nameOf(shown) }
          }
          onClose={() => setIsForgetting(false)}
          onForgotten={() => go(back)}
        />
      )}
    </>
  );
}

type Of<K extends Shown["kind"]> = Extract<Shown, { kind: K }>;

function NoteReader({ shown: { note }, forget }: { readonly shown: Of<"note">; readonly forget: ReactNode }) {
  return (
    <>
      <header>
        <h2>{note.title}</h2>
        <div className="row">{forget}</div>
      </header>
      <p className="soft">
        Note of {note.day} {note.time}
        {note.chat !== null && `, in the chat ${note.chat}`}
      </p>
      <Markdown text={note.text} />
    </>
  );
}

function MessageReader({ shown, forget }: { readonly shown: Of<"message">; readonly forget: ReactNode }) {
  const { message, around, session } = shown;
  return (
    <>
      <header>
        <h2>Message</h2>
        <div className="row">{forget}</div>
      </header>
      <Said message={message} around={around} session={session} />
    </>
  );
}

function SessionLink({ shown: { session } }: { readonly shown: Of<"session"> }) {
  if (session === null) return null;
  return (
    <>
      <h2>{session.title ?? "Conversation"}</h2>
      <p>
        <a href={linkTo(["sessions", session.id])}>Read this conversation</a>
      </p>
    </>
  );
}
