/** One memory: its text, its source, and the actions on it. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { go, linkTo } from "../route.ts";
import { Failure } from "../ui/failure.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { useCall } from "../use-call.ts";
import { restore } from "./changes.ts";
import { DocumentReader } from "./document.tsx";
import { Editor, leftDraft } from "./editor.tsx";
import { FactReader } from "./fact.tsx";
import { ForgetDialog } from "./forget.tsx";
import { LEAVE } from "./keys.ts";
import type { Opened, OpenedMemory } from "./opened-memory.ts";
import type { Selected } from "./query.ts";
import { SourceMessage } from "./source-message.tsx";
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
          opened={data}
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
function nameOf(opened: OpenedMemory): string {
  return opened.kind === "document" ? opened.document.file_path : idOf(opened);
}

function idOf(opened: OpenedMemory): string {
  if (opened.kind === "document") return opened.document.id;
  if (opened.kind === "fact") return opened.provenance.fact.id;
  if (opened.kind === "note") return opened.note.id;
  return String(opened.kind === "message" ? opened.message.id : opened.session?.id);
}

interface ReaderOfProps extends Pick<ReaderProps, "back">, Pick<Selected, "origin"> {
  readonly opened: OpenedMemory;
  readonly isGone: boolean;
  /** Asks the server again. */
  reload(): Promise<void>;
}

function ReaderOf({ opened, origin, back, isGone, reload }: ReaderOfProps) {
  const [isForgetting, setIsForgetting] = useState(false);
  const forget = (
    <button type="button" className="danger" onClick={() => setIsForgetting(true)}>
      Forget…
    </button>
  );
  return (
    <>
      {opened.kind === "document" && (
        <DocumentReader
          opened={opened}
          origin={origin}
          forget={forget}
          back={back}
          isGone={isGone}
          reload={reload}
        />
      )}
      {opened.kind === "fact" && <FactReader opened={opened} forget={forget} />}
      {opened.kind === "note" && <NoteReader opened={opened} forget={forget} />}
      {opened.kind === "message" && <MessageReader opened={opened} forget={forget} />}
      {opened.kind === "session" && <SessionLink opened={opened} />}
      {isForgetting && (
        <ForgetDialog
          named={
            opened.kind === "document"
              ? { id: opened.document.id, collection: opened.document.collection, origin }
              : { id: idOf(opened) }
          }
          onClose={() => setIsForgetting(false)}
          onForgotten={() => go(back)}
        />
      )}
    </>
  );
}

function NoteReader({
  opened: { note },
  forget,
}: {
  readonly opened: Opened<"note">;
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
  opened,
  forget,
}: {
  readonly opened: Opened<"message">;
  readonly forget: ReactNode;
}) {
  const { message, around, session } = opened;
  return (
    <>
      <header>
        <h2>Message</h2>
        <div className="row">{forget}</div>
      </header>
      <SourceMessage message={message} around={around} session={session} />
    </>
  );
}

function SessionLink({ opened: { session } }: { readonly opened: Opened<"session"> }) {
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
