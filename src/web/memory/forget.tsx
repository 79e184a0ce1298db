/** Forgets a memory permanently, after a preview of everything that would be removed. */
import { useEffect, useState } from "react";
import type { Answer } from "../../serve/page/table.ts";
import { plural } from "../../util/in-words.ts";
import { truncate } from "../../util/text.ts";
import { call } from "../api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { toast } from "../ui/toast.tsx";
import { useAction } from "../use-action.ts";
import type { Selected } from "./query.ts";

const LONGEST = 300;

interface ForgetDialogProps {
  readonly named: Selected;
  onClose(): void;
  onForgotten(): void;
}

export function ForgetDialog({ named, onClose, onForgotten }: ForgetDialogProps) {
  const [preview, setPreview] = useState<Answer<"forget"> | null>(null);
  const { run, error, isBusy } = useAction();
  const [isSure, setIsSure] = useState(false);
  const ask = (confirm?: string) =>
    run(async () => {
      const answer = await call("forget", { ...named, confirm });
      setPreview(answer);
      setIsSure(false);
      if (answer.dry_run) return;
      toast({ message: answer.headline });
      if (answer.left.length === 0) onForgotten();
    });
  // It asks once, when it opens.
  useEffect(() => {
    void ask();
  }, []);
  return (
    <Dialog title="Forget permanently" onClose={onClose}>
      <div className="column">
        {preview === null && error === null && <p>Looking for every copy…</p>}
        {preview !== null && <Preview preview={preview} />}
        {error !== null && <Failure error={error} />}
        {preview?.dry_run === true && (
          <label className="row">
            <input type="checkbox" checked={isSure} onChange={(event) => setIsSure(event.target.checked)} />
            <span className="grow">Remove it everywhere. This cannot be undone.</span>
          </label>
        )}
        <div className="row">
          <button
            type="button"
            className="danger"
            disabled={!isSure || isBusy || preview === null}
            onClick={() => ask(preview?.confirm)}
          >
            Forget permanently
          </button>
          <button type="button" onClick={onClose}>
            {preview?.dry_run === false ? "Close" : "Cancel"}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function Preview({ preview }: { readonly preview: Answer<"forget"> }) {
  const { dry_run, text, headline, places, remarks } = preview;
  return (
    <div className="preview">
      {dry_run ? (
        <>
          <p className="forgotten">{truncate(text, LONGEST)}</p>
          <p>It would be removed from {plural(places.length, "place")}:</p>
        </>
      ) : (
        <p>{headline}</p>
      )}
      <ul>
        {places.map(({ what, path, line, count }) => (
          <li key={`${what} ${path} ${line}`}>
            <span className="tag">{what}</span>{" "}
            <code>
              {path}
              {line !== undefined && `:${line}`}
            </code>
            {count !== undefined && ` (${plural(count, "row")})`}
          </li>
        ))}
      </ul>
      {remarks.map((remark) => (
        <p key={remark} className="note warning">
          {remark}
        </p>
      ))}
    </div>
  );
}
