/** Undoes the last change of facts and notes, after showing it. */
import { localDay } from "../../util/text.ts";
import { call } from "../api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { toast } from "../ui/toast.tsx";
import { useCall } from "../use-call.ts";
import { attempt } from "./changes.ts";

export function UndoDialog({ onClose }: { onClose(): void }) {
  const { data: change, error, isLoading } = useCall("last-change", {});
  const undo = async () => {
    if (change === null) return;
    const { number, origin } = change;
    const done = await attempt(call("undo", { number, origin }));
    if (done !== null) toast({ message: `Undone: ${done.label}.` });
    onClose();
  };
  return (
    <Dialog title="Undo the last change" onClose={onClose}>
      <div className="column">
        {error !== null && <Failure error={error} />}
        {change === null && !isLoading && error === null && (
          <p>Nothing to undo. Retain can undo the last 50 changes of facts and notes.</p>
        )}
        {change !== null && (
          <>
            <p>
              {change.label}, {localDay(change.at)}. Undoing removes the lines with − and brings back those
              with +.
            </p>
            <pre className="undone">{change.lines.map((line) => line.replace(/^- /, "− ")).join("\n")}</pre>
          </>
        )}
        <div className="row">
          <button type="button" className="main" disabled={change === null} onClick={undo}>
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
