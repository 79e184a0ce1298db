/** One memory: its text, where it comes from, and what can be done with it. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { go, linkTo } from "../route.ts";
import { Failure } from "../ui/failure.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { useCall } from "../use-call.ts";
import type { Selected } from "./asked.ts";
import { restore } from "./changes.ts";
import { DocumentReader } from "./document.tsx";
import { Editor, leftDraft } from "./editor.tsx";
import { FactReader } from "./fact.tsx";
import { ForgetDialog } from "./forget.tsx";
import { LEAVE } from "./keys.ts";
import { Said } from "./said.tsx";
import type { Shown, ShownOf } from "./shown.ts";
import "./reader.css";

export interface ReaderProps {
  readonly selected: Selected;
  /** The list without a selection. */
  readonly back: string;
}

export function Reader({ selected, back }: ReaderProps) {
  const { id } = selected;
  const { data, error, isOutdated, reload } = useCall("memory", selected);
  const region = useRef<HTMLElement>(null);
  // The buttons of the memory before must not act on it while the next one is loaded.
  const isWaiting = isOutdated && error === null;
  const isGone = error?.code === "not_found";
  const isShown = data !== null && (error === null || idOf(data) === id);
  const collection = isShown && data.kind === "document" ? data.document.collection : selected.collection;
  const named = collection === undefined ? null : { id, collection, origin: selected.origin };
  const { data: past } = useCall("document-versions", isGone ? named : null);
  const left = isGone && !isShown ? leftDraft(selected) : null;
  const isThere = data !== null && !isWaiting;
  // A screen reader and the keyboard continue in what was opened, such as in the field of its editor.
  useEffect(() => {
    if (!isThere || id === "" || region.current?.contains(document.activeElement)) return;
    region.current?.focus({ preventScroll: true });
  }, [isThere, id]);
  const leave = ({ key, target }: KeyboardEvent) => {
    const isTyping = target instanceof HTMLElement && target.closest("input, textarea, dialog") !== null;
    if (key === LEAVE && !isTyping) go(back);
  };
  return (
    <article
      className="reader"
      ref={region}
      tabIndex={-1}
      aria-label="Memory"
      inert={isWaiting}
      onKeyDown={leave}
    >
      <a className="back" href={back}>
        ← All memories
      </a>
      {error !== null && <Failure error={error} />}
      {past?.deleted === true && named !== null && (
        <p>
          <button type="button" onClick={() => restore(named)}>
            Restore
          </button>
        </p>
      )}
      {/* What was read stays, so that a text being typed is not lost with a deleted file or a stopped server. */}
      {isShown && (
        <ReaderOf
          key={nameOf(data)}
          shown={data}
          origin={selected.origin}
          back={back}
          isGone={isGone}
          reload={reload}
        />
      )}
      {left !== null && (
        <Editor key={left.name} {...left} isGone reload={reload} onDone={() => void reload()} />
      )}
    </article>
  );
}

/** Another memory starts with a new state: editing, dialogs. */
function nameOf(shown: Shown): string {
  return shown.kind === "document" ? shown.document.file_path : idOf(shown);
}

function idOf(shown: Shown): string {
  if (shown.kind === "document") return shown.document.id;
  if (shown.kind === "fact") return shown.provenance.fact.id;
  if (shown.kind === "note") return shown.note.id;
  return String(shown.kind === "message" ? shown.message.id : shown.session?.id);
}

interface ReaderOfProps extends Pick<ReaderProps, "back">, Pick<Selected, "origin"> {
  readonly shown: Shown;
  readonly isGone: boolean;
  /** Asks the server again. */
  reload(): Promise<void>;
}

function ReaderOf({ shown, origin, back, isGone, reload }: ReaderOfProps) {
  const [isForgetting, setIsForgetting] = useState(false);
  const forget = (
    <button type="button" className="danger" onClick={() => setIsForgetting(true)}>
      Forget…
    </button>
  );
  return (
    <>
      {shown.kind === "document" && (
        <DocumentReader
          shown={shown}
          origin={origin}
          forget={forget}
          back={back}
          isGone={isGone}
          reload={reload}
        />
      )}
      {shown.kind === "fact" && <FactReader shown={shown} forget={forget} />}
      {shown.kind === "note" && <NoteReader shown={shown} forget={forget} />}
      {shown.kind === "message" && <MessageReader shown={shown} forget={forget} />}
      {shown.kind === "session" && <SessionLink shown={shown} />}
      {isForgetting && (
        <ForgetDialog
          named={
            shown.kind === "document"
              ? { id: shown.document.id, collection: shown.document.collection, origin }
              : { id: idOf(shown) }
          }
          onClose={() => setIsForgetting(false)}
          onForgotten={() => go(back)}
        />
      )}
    </>
  );
}

function NoteReader({
  shown: { note },
  forget,
}: {
  readonly shown: ShownOf<"note">;
  readonly forget: ReactNode;
}) {
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

function MessageReader({
  shown,
  forget,
}: {
  readonly shown: ShownOf<"message">;
  readonly forget: ReactNode;
}) {
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

function SessionLink({ shown: { session } }: { readonly shown: ShownOf<"session"> }) {
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
