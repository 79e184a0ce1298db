/** How much is stored, and where. */

import type { Answer } from "../../serve/page/table.ts";
import { sizeInWords } from "../../util/in-words.ts";

type Workspaces = Answer<"overview">["workspaces"];

const COUNTED = ["facts", "documents", "notes", "messages"] as const;

export function Counts({ workspaces }: { readonly workspaces: Workspaces }) {
  return (
    <dl className="counts wide">
      {COUNTED.map((name) => (
        <div key={name} className="panel">
          <dt className="soft">{name}</dt>
          <dd>{sum(workspaces, ({ counts }) => counts[name]).toLocaleString("en")}</dd>
        </div>
      ))}
      <div className="panel">
        <dt className="soft">on disk</dt>
        <dd>{sizeInWords(sum(workspaces, bytesOf))}</dd>
      </div>
    </dl>
  );
}

function sum(workspaces: Workspaces, count: (workspace: Workspaces[number]) => number): number {
  return workspaces.reduce((total, workspace) => total + count(workspace), 0);
}

function bytesOf({ bytes }: Workspaces[number]): number {
  return Object.values(bytes).reduce((total, one) => total + one, 0);
}

export function Sizes({ workspaces }: { readonly workspaces: Workspaces }) {
  return (
    <section className="panel column" aria-labelledby="sizes">
      <h2 id="sizes">Sizes</h2>
      {workspaces.map(({ origin, root, bytes, counts }) => (
        <div key={root}>
          <h3>{origin === "home" ? "Home" : "Project"}</h3>
          <dl className="pairs">
            <dt>Documents</dt>
            <dd>{sizeInWords(bytes.documents)}</dd>
            <dt>Facts and notes</dt>
            <dd>{sizeInWords(bytes.memories)}</dd>
            <dt>Conversations</dt>
            <dd>{sizeInWords(bytes.conversations)}</dd>
            <dt>Index</dt>
            <dd>
              {sizeInWords(bytes.index)}, {counts.chunks.toLocaleString("en")} passages,{" "}
              {counts.vectors.toLocaleString("en")} embedded
            </dd>
          </dl>
        </div>
      ))}
    </section>
  );
}

interface WhereProps {
  readonly where: Answer<"where">;
  readonly backend: Answer<"status">["backend"];
}

export function Where({ where, backend }: WhereProps) {
  const {
    kind,
    root,
    exists,
    reasons,
    person,
    rest,
    reads,
    collections,
    conversations,
    configFile,
    versions,
  } = where;
  const rows: [string, string][] = [
    [
      "Backend",
      backend.name === "off" ? "off: nothing is recalled or saved automatically" : backend.location,
    ],
    ["Workspace", `${root} (${kind}${exists ? "" : ", created at the first write"})`],
    ...reasons.map((reason): [string, string] => ["Because", reason]),
    ...(person === rest ? [] : ([["Facts about you", person]] as [string, string][])),
    [person === rest ? "Saved in" : "Everything else", rest],
    ["Reads", reads.join(", ")],
    ["Documents", collections],
    ["Conversations", conversations],
    ["Config", configFile],
    ["Versions", versions === "git" ? "git" : "numbered files"],
  ];
  return (
    <section className="panel column" aria-labelledby="where">
      <h2 id="where">Where memory lives</h2>
      <dl className="pairs">
        {rows.map(([name, value]) => (
          <div key={`${name} ${value}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
