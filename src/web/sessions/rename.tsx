/** A session's title, being changed. Esc leaves it as it was. */
import { type FormEvent, useState } from "react";
import type { Input } from "../../serve/page/table.ts";
import { call } from "../api.ts";
import { Failure } from "../ui/failure.tsx";
import { useAction } from "../use-action.ts";

interface RenameProps {
  readonly which: Input<"session">;
  readonly name: string;
  onDone(): void;
}

export function Rename({ which, name, onDone }: RenameProps) {
  const [title, setTitle] = useState(name);
  const { run, error, isBusy } = useAction();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run(() => call("session-rename", { ...which, title }))) onDone();
  };
  return (
    <form className="column" onSubmit={submit}>
      <div className="row">
        <input
          className="grow"
          aria-label="Title"
          // biome-ignore lint/a11y/noAutofocus: the user has just asked to type here
          autoFocus
          value={title}
          readOnly={isBusy}
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={({ key }) => key === "Escape" && onDone()}
        />
        <button type="submit" className="main" disabled={isBusy || title.trim() === ""}>
          Save
        </button>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </div>
      {error !== null && <Failure error={error} />}
    </form>
  );
}
