/** A form that saves a fact and shows the result. */
import { type FormEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { forWhom } from "../../core/facts/memory-changes.ts";
import type { Answer } from "../../serve/page/table.ts";
import { call } from "../api.ts";
import { linkTo } from "../route.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { useAction } from "../use-action.ts";
import { withdraw } from "./changes.ts";

type Written = Answer<"fact-add">;

interface RememberDialogProps {
  /** A fact to save at once. */
  readonly text?: string;
  onClose(): void;
}

export function RememberDialog({ text, onClose }: RememberDialogProps) {
  return (
    <Dialog title="Remember a fact" onClose={onClose}>
      <AddFact {...(text !== undefined && { saves: text })} />
    </Dialog>
  );
}

export function AddFact({ saves = "" }: { readonly saves?: string }) {
  const id = useId();
  const [text, setText] = useState(saves);
  const [written, setWritten] = useState<Written | null>(null);
  const { run, error, isBusy } = useAction();
  const save = (allowSecret?: boolean) =>
    run(async () => {
      const answer = await call("fact-add", { text, allowSecret });
      setWritten(answer);
      setText((typed) => (typed === text ? "" : typed));
    });
  const saveFirst = useEffectEvent(() => {
    if (saves !== "") void save();
  });
  useEffect(() => saveFirst(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    return save();
  };
  return (
    <form className="column" onSubmit={submit}>
      <div className="row">
        <label className="hidden" htmlFor={id}>
          A fact to remember
        </label>
        <input
          id={id}
          className="grow"
          placeholder="One sentence: Prefers tea over coffee"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="main" disabled={isBusy || text.trim() === ""}>
          Remember
        </button>
      </div>
      {error !== null && error.code !== "secret" && <Failure error={error} />}
      {error?.code === "secret" && (
        <div className="note error row" role="alert">
          <span className="grow">{error.message}</span>
          <button type="button" disabled={isBusy} onClick={() => save(true)}>
            Not a secret: save it anyway
          </button>
        </div>
      )}
      {written !== null && <Outcome written={written} onUndone={() => setWritten(null)} />}
    </form>
  );
}

function Outcome({ written, onUndone }: { readonly written: Written; onUndone(): void }) {
  const { saved, skipped, superseded, queued = [] } = written;
  return (
    <div className="note" role="status">
      {saved.map(({ id, text, everywhere, shared, doubts, nearby = [] }) => (
        <div key={id}>
          Saved{forWhom({ everywhere, shared })}: <a href={linkTo(["memory", id])}>{text}</a>{" "}
          <button
            type="button"
            onClick={async () => {
              await withdraw(id);
              onUndone();
            }}
          >
            Undo
          </button>
          {doubts !== undefined && (
            <div>
              May replace: {doubts} (<a href={linkTo(["review"])}>decide</a>)
            </div>
          )}
          {nearby
            .filter((near) => near.text !== doubts)
            .map((near) => (
              <div key={near.id} className="soft">
                Similar: <a href={linkTo(["memory", near.id])}>{near.text}</a>
              </div>
            ))}
        </div>
      ))}
      {queued.map(({ id, text }) => (
        <div key={id}>Queued: {text}</div>
      ))}
      {superseded.map(({ id, text, why }) => (
        <div key={id}>
          Replaces: {text} ({why})
        </div>
      ))}
      {skipped.map(({ text, as, why }) => (
        <div key={as}>
          Already known: <a href={linkTo(["memory", as])}>{text}</a> ({why})
        </div>
      ))}
    </div>
  );
}
