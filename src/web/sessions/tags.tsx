/** A session's tags, with a box to add one. */
import { type FormEvent, useRef, useState } from "react";
import type { Input } from "../../serve/page/table.ts";
import { call } from "../api.ts";
import { linkTo } from "../route.ts";
import { Failure } from "../ui/failure.tsx";
import { useAction } from "../use-action.ts";

interface TagsProps {
  readonly which: Input<"session">;
  readonly tags: readonly string[];
  onChanged(): void;
}

export function Tags({ which, tags, onChanged }: TagsProps) {
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const { run, error, isBusy } = useAction();
  const change = async (add: string[], remove: string[]) => {
    const isDone = await run(() => call("session-tag", { ...which, add, remove }));
    if (!isDone) return false;
    onChanged();
    // The button of a removed tag takes the focus with it.
    input.current?.focus();
    return true;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const added = typed.split(",").filter((tag) => tag.trim() !== "");
    if (added.length > 0 && (await change(added, []))) setTyped((since) => (since === typed ? "" : since));
  };
  return (
    <>
      <form className="row tags" onSubmit={submit}>
        {tags.map((tag) => (
          <span key={tag} className="tag">
            <a href={linkTo(["sessions"], { tag })}>{tag}</a>{" "}
            <button
              type="button"
              className="plain"
              aria-label={`Remove tag ${tag}`}
              disabled={isBusy}
              onClick={() => change([], [tag])}
            >
              ×
            </button>
          </span>
        ))}
        <input
          ref={input}
          aria-label="Add a tag"
          placeholder="Add a tag"
          size={12}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {typed.trim() !== "" && <button type="submit">Add</button>}
      </form>
      {error !== null && <Failure error={error} />}
    </>
  );
}
