/** A document's versions: what each changed, and a way back to it. */
import { useState } from "react";
import { Failure } from "../ui/failure.tsx";
import { moment } from "../ui/when.ts";
import { useCall } from "../use-call.ts";
import { restore } from "./changes.ts";
import { Diff } from "./diff.tsx";
import type { NamedDocument } from "./opened-memory.ts";

export function Versions({ named }: { readonly named: NamedDocument }) {
  const { data, error } = useCall("document-versions", named);
  const [compared, setCompared] = useState<string | null>(null);
  const earlier = data?.versions.filter(({ current }) => !current) ?? [];
  return (
    <section className="panel versions" aria-label="Versions">
      <h3>Versions</h3>
      {error !== null && <Failure error={error} />}
      {data !== null && earlier.length === 0 && (
        <p className="soft">No earlier versions yet. Retain saves one whenever the document changes.</p>
      )}
      <ul>
        {earlier.map(({ version, timestamp, author, message }) => (
          <li key={version} className="version">
            <div className="row">
              <strong>{version}</strong>
              <span className="soft grow">
                {[timestamp === null ? null : moment(timestamp), author, message].filter(Boolean).join(", ")}
              </span>
              <button
                type="button"
                aria-label={`Compare ${version} with the current text`}
                aria-expanded={compared === version}
                onClick={() => setCompared(compared === version ? null : version)}
              >
                Compare
              </button>
              <button
                type="button"
                aria-label={`Restore ${version}`}
                onClick={() => {
                  setCompared(null);
                  void restore(named, version);
                }}
              >
                Restore
              </button>
            </div>
            {compared === version && <Compared named={named} version={version} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** From that version to the current text. */
function Compared({ named, version }: { readonly named: NamedDocument; readonly version: string }) {
  const { data, error } = useCall("document-diff", { ...named, from: version });
  if (error !== null) return <Failure error={error} />;
  return data === null ? null : <Diff hunks={data.hunks} />;
}
