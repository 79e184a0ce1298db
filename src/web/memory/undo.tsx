/** Undoes the last change, after showing it. */
import { useId } from "react";
import { call } from "../api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { toast } from "../ui/toast.tsx";
import { moment } from "../ui/when.ts";
import { useCall } from "../use-call.ts";
import { attempt } from "./changes.ts";

export function UndoDialog({ onClose }: { onClose(): void }) {
  const { data: change, error, isLoading } = useCall("last-change", {});
  const undo = async () => {
    if (change === null) return;
    const { number, origin } = change;
    const done = await attempt(call("undo", { number, origin }));
    if (done !== null) toast({ message: `Undone: “${done.label}”.` });
    onClose();
  };
  return (
    <Dialog title="Undo the last change" onClose={onClose}>
      <div className="column">
        {error !== null && <Failure error={error} />}
        {change === null && !isLoading && error === null && (
          <p>Nothing to undo. Retain can undo the last 50 changes.</p>
        )}
        {change !== null && (
          <>
            <p>
              The last change was “{change.label}”, {moment(change.at)}
              {change.isPermanent ? ", and cannot be undone." : "."}
            </p>
            <Lines title="Undo removes" lines={change.lines} sign="-" />
            <Lines title="Undo brings back" lines={change.lines} sign="+" />
          </>
        )}
        <div className="row">
          <button
            type="button"
            className="main"
            disabled={change === null || change.isPermanent}
            onClick={undo}
          >
            Undo
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface LinesProps {
  readonly title: string;
  /** Each begins with its sign; others are names of files. */
  readonly lines: readonly string[];
  readonly sign: "-" | "+";
}

function Lines({ title, lines, sign }: LinesProps) {
  const id = useId();
  const its = lines.filter((line) => line.startsWith(`${sign} `));
  if (its.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul className="undone">
        {its.map((line, index) => (
          // Without the sign, and without the bullet of the file.
          <li key={index}>{line.slice(2).replace(/^\s*[-*] /, "")}</li>
        ))}
      </ul>
    </section>
  );
}
