/** Writes a new document. */
import { type FormEvent, useState } from "react";
import { call } from "../api.ts";
import { go } from "../route.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { useAction } from "../use-action.ts";
import { useCall } from "../use-call.ts";
import { clearDraft, useDraft } from "./draft.ts";
import { linkOf, type MemoryQuery } from "./query.ts";
import { onSaveKey } from "./save-form.ts";

interface NewDocumentProps {
  readonly query: MemoryQuery;
  onClose(): void;
}

const DRAFT = "new document";

export function NewDocument({ query, onClose }: NewDocumentProps) {
  const [typed, setDraft] = useDraft(DRAFT);
  const draft = typed ?? { text: "", etag: "" };
  const [collection, setCollection] = useState(query.collection);
  const [tags, setTags] = useState(query.tag);
  const { run, error, isBusy } = useAction();
  const { data } = useCall("memory-filters", {});
  const isEmpty = draft.text.trim() === "";
  const save = () =>
    run(async () => {
      if (isEmpty) return;
      const named = tags.split(",").map((tag) => tag.trim());
      const put = await call("document-new", {
        text: draft.text,
        collection: collection.trim() || undefined,
        tags: named.filter((tag) => tag !== ""),
      });
      clearDraft(DRAFT);
      onClose();
      go(linkOf(query, put));
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <Dialog title="New document" onClose={onClose}>
      <form className="column" onSubmit={submit} onKeyDown={onSaveKey(save)}>
        <label className="column">
          Text, in Markdown; the first heading is the title
          <textarea
            rows={12}
            readOnly={isBusy}
            value={draft.text}
            onChange={(event) => setDraft({ ...draft, text: event.target.value })}
          />
        </label>
        <div className="row">
          <label className="grow column">
            Collection
            <input
              list="collections"
              placeholder="memory"
              value={collection}
              onChange={(event) => setCollection(event.target.value)}
            />
          </label>
          <datalist id="collections">
            {data?.collections.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <label className="grow column">
            Tags, separated by commas
            <input value={tags} onChange={(event) => setTags(event.target.value)} />
          </label>
        </div>
        {error !== null && <Failure error={error} />}
        <div className="row">
          <button type="submit" className="main" disabled={isBusy || isEmpty} title="Ctrl-S or Cmd-S">
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
