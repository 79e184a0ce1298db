/** Asks before a session is deleted for good. */

import type { Answer, Input } from "../../serve/page/table.ts";
import { plural } from "../../util/in-words.ts";
import { call } from "../api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { useAction } from "../use-action.ts";

interface DeleteSessionProps {
  readonly which: Input<"session">;
  readonly session: Answer<"session">;
  onClose(): void;
  onDeleted(): void;
}

export function DeleteSession({ which, session, onClose, onDeleted }: DeleteSessionProps) {
  const { run, error, isBusy } = useAction();
  // Another process seems to have it open. The user has read that now.
  const force = error?.code === "conflict";
  const remove = async () => {
    if (await run(() => call("session-delete", { ...which, force }))) onDeleted();
  };
  return (
    <Dialog title="Delete this session?" onClose={onClose}>
      <div className="column">
        <p>
          “{session.name}”, with {plural(session.messages, "message")} and its working memory. This is
          permanent.
        </p>
        <p>Facts and notes that came from it stay.</p>
        {error !== null && <Failure error={error} />}
        <div className="row">
          <button type="button" onClick={onClose}>
            Keep it
          </button>
          <button type="button" className="danger" disabled={isBusy} onClick={remove}>
            {force ? "Delete anyway" : "Delete permanently"}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
