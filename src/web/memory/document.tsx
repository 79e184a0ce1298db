/** A document: its text, its fields, its versions, and the editor. */
import { type ReactNode, useState } from "react";
import { localDay } from "../../util/days.ts";
import { call } from "../api.ts";
import { go } from "../route.ts";
import { toast } from "../ui/toast.tsx";
import { attempt, restore } from "./changes.ts";
import { DocumentText } from "./document-text.tsx";
import { draftOf } from "./draft.ts";
import { draftName, Editor } from "./editor.tsx";
import type { NamedDocument, Opened } from "./opened-memory.ts";
import { Versions } from "./versions.tsx";

interface DocumentReaderProps extends Pick<NamedDocument, "origin"> {
  readonly opened: Opened<"document">;
  readonly forget: ReactNode;
  readonly back: string;
  /** It was deleted since it was read. */
  readonly isGone: boolean;
  reload(): Promise<void>;
}

export function DocumentReader({ opened, origin, forget, back, isGone, reload }: DocumentReaderProps) {
  const { document, source, isOwn } = opened;
  const named = { id: document.id, collection: document.collection, origin };
  const name = draftName(opened);
  // A draft like the file is one that was just saved.
  const [isEditing, setIsEditing] = useState(() => (draftOf(name)?.text ?? source.text) !== source.text);
  const [hasVersions, setHasVersions] = useState(false);
  const remove = async () => {
    if ((await attempt(call("document-delete", named))) === null) return;
    toast({ message: `Deleted ${named.id}.`, action: { label: "Undo", run: () => void restore(named) } });
    go(back);
  };
  return (
    <>
      <header>
        <h2>{document.title}</h2>
        {!isEditing && (
          <div className="row">
            {isOwn && (
              <>
                <button type="button" onClick={() => setIsEditing(true)}>
                  Edit
                </button>
                <button
                  type="button"
                  aria-expanded={hasVersions}
                  onClick={() => setHasVersions(!hasVersions)}
                >
                  Versions
                </button>
                <button type="button" onClick={remove}>
                  Delete
                </button>
                {forget}
              </>
            )}
            {!isOwn && <span className="soft">Read-only: edit it in its own folder.</span>}
          </div>
        )}
      </header>
      {isEditing ? (
        <Editor
          named={named}
          name={name}
          source={source}
          isGone={isGone}
          reload={reload}
          onDone={() => setIsEditing(false)}
        />
      ) : (
        <>
          <p className="soft row">
            <span>Document, collection {document.collection}</span>
            {document.tags.map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
            ))}
          </p>
          {hasVersions && <Versions named={named} />}
          <DocumentText text={withoutTitle(document)} named={named} />
          <Fields opened={opened} />
        </>
      )}
    </>
  );
}

/** The heading above has the title already. */
function withoutTitle({ title, content }: Opened<"document">["document"]): string {
  const [first = "", ...rest] = content.trimStart().split("\n");
  return first.trim() === `# ${title}` ? rest.join("\n") : content;
}

function Fields({ opened: { document } }: { readonly opened: Opened<"document"> }) {
  const { created_at, created_by, updated_at, updated_by, version, file_path, metadata } = document;
  const changed = (at: string | null, by: string | null) =>
    at === null ? null : `${localDay(at)}${by === null ? "" : `, by ${by}`}`;
  const fields: [name: string, value: string | null][] = [
    ["File", file_path],
    ["Created", changed(created_at, created_by)],
    ["Changed", changed(updated_at, updated_by)],
    ["Version", version === null ? null : String(version)],
    ["Category", document.category],
    ["Context", document.context],
    ["Project", document.project],
    ["Priority", document.priority],
    ["Status", document.status],
    ["Related to", document.related_to.join(", ") || null],
    ...Object.entries(metadata).map(([key, value]): [string, string] => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ];
  return (
    <dl>
      {fields.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
