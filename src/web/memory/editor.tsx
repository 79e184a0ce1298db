/** Edits a document's whole file, as `retain edit` does. If the file changes meanwhile, both versions are shown. */
import { useEffect, useRef, useState } from "react";
import { type CallFailed, call } from "../api.ts";
import { Failure } from "../ui/failure.tsx";
import { toast } from "../ui/toast.tsx";
import { useAction } from "../use-action.ts";
import { restore } from "./changes.ts";
import { Diff, hunksBetween } from "./diff.tsx";
import { DocumentText } from "./document-text.tsx";
import { clearDraft, type Draft, draftNames, draftOf, useDraft } from "./draft.ts";
import type { NamedDocument, Opened } from "./opened-memory.ts";
import type { Selected } from "./query.ts";
import { onSaveKey, useFieldFocus } from "./save-form.ts";

export function draftName({ document }: Opened<"document">): string {
  return `document ${document.file_path}`;
}

/** The draft of a document that is gone. Its name has the path of the file: the page knows nothing else of it after a reload. */
export function leftDraft({ id, collection, origin }: Selected) {
  const end = `${collection === undefined ? "" : `/${collection}`}/${id}.md`;
  const name = draftNames().find((one) => one.startsWith("document ") && one.endsWith(end));
  const source = name === undefined ? null : draftOf(name);
  const [, found = ""] = name?.slice(0, -`/${id}.md`.length).match(/([^/]+)$/) ?? [];
  return name === undefined || source === null
    ? null
    : { name, source, named: { id, collection: collection ?? found, origin } };
}

interface EditorProps {
  readonly named: NamedDocument;
  /** The name of its draft. */
  readonly name: string;
  /** What the file has. */
  readonly source: Draft;
  /** The file was deleted. */
  readonly isGone: boolean;
  /** Reads the file again. */
  reload(): Promise<void>;
  onDone(): void;
}

export function Editor({ named, name, source, isGone, reload, onDone }: EditorProps) {
  const [typed, setDraft] = useDraft(name);
  const draft = typed === null || typed.text === source.text ? source : typed;
  const [isPreview, setIsPreview] = useState(false);
  const { run, error, isBusy } = useAction();
  const field = useFieldFocus();
  // Until the server answers a save, the change may be the page's own.
  const isConflict = source.etag !== draft.etag && !isBusy && !isGone;
  const leave = () => {
    clearDraft(name);
    onDone();
  };
  // The chosen button goes away with the conflict, and the focus with it.
  const take = (chosen: Draft) => {
    setDraft(chosen);
    field.current?.focus({ preventScroll: true });
  };
  const save = () =>
    run(async () => {
      if (isConflict) return;
      // After a conflict, the file's text is shown too.
      const saving = isGone
        ? call("document-new", { ...named, text: draft.text })
        : call("document-save", { ...named, ...draft });
      const saved = await saving.catch(async (failure: unknown) => {
        await reload();
        throw failure;
      });
      const { action, etag, kept_version } = saved;
      const { text } = draftOf(name) ?? draft;
      setDraft({ text, etag });
      if (action !== "unchanged")
        toast({
          message: `Saved ${named.id}.${text === draft.text ? "" : " Your newer changes aren't saved yet."}`,
          action:
            kept_version === null
              ? undefined
              : { label: "Undo", run: () => void restore(named, kept_version) },
        });
      // The next edit must not begin with the text before.
      await reload();
      if (draftOf(name)?.text === draft.text) leave();
    });
  // Ctrl-S during a save saves what was typed since, after it.
  const isAsked = useRef(false);
  const onSave = () => {
    if (isConflict) toast({ message: "First choose which text to keep: yours or the file's." });
    else if (isBusy) isAsked.current = true;
    else void save();
  };
  useEffect(() => {
    if (isBusy || !isAsked.current) return;
    isAsked.current = false;
    if (error === null) void save();
  });
  const isShown = ({ code }: CallFailed) =>
    (code === "conflict" && isConflict) || (code === "not_found" && isGone);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl-S saves from every control inside
    <div className="editor column" onKeyDown={onSaveKey(onSave)}>
      {isConflict && <Conflict draft={draft} source={source} onTake={take} />}
      {error !== null && !isShown(error) && <Failure error={error} />}
      {isPreview ? (
        <div className="panel">
          <DocumentText text={withoutFrontmatter(draft.text)} named={named} />
        </div>
      ) : (
        <textarea
          ref={field}
          aria-label={isConflict ? "Your text" : "Text of the document"}
          spellCheck
          value={draft.text}
          onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        />
      )}
      <div className="row">
        <button
          type="button"
          className="main"
          disabled={isConflict || isBusy || draft.text.trim() === ""}
          title="Ctrl-S or Cmd-S"
          onClick={save}
        >
          {isGone ? "Save as a new document" : "Save"}
        </button>
        <button type="button" onClick={leave}>
          Cancel
        </button>
        <button type="button" aria-pressed={isPreview} onClick={() => setIsPreview(!isPreview)}>
          Preview
        </button>
      </div>
    </div>
  );
}

interface ConflictProps {
  /** What is being typed. */
  readonly draft: Draft;
  /** What the file has now. */
  readonly source: Draft;
  onTake(draft: Draft): void;
}

/** Neither version is lost: saving keeps the file's as a version, and taking the file's can be undone. */
function Conflict({ draft, source, onTake }: ConflictProps) {
  const takeFile = () => {
    onTake(source);
    toast({
      message: "Replaced your text with the file's.",
      action: { label: "Restore mine", run: () => onTake({ text: draft.text, etag: source.etag }) },
    });
  };
  return (
    <section className="note warning conflict" aria-label="Conflict">
      <p role="alert">
        This document changed on disk while you were editing. Lines with − are only in the file, lines with +
        only in your text.
      </p>
      <Diff hunks={hunksBetween(source.text, draft.text)} />
      <details>
        <summary>The file as it is now</summary>
        <pre>{source.text}</pre>
      </details>
      <div className="row">
        <button type="button" onClick={() => onTake({ text: draft.text, etag: source.etag })}>
          Continue with my text
        </button>
        <button type="button" onClick={takeFile}>
          Use the file's text
        </button>
        <span>If you save yours, the file's text is kept as a version.</span>
      </div>
    </section>
  );
}

function withoutFrontmatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, "");
}
