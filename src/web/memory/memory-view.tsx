/** The memory browser: one search box, the list, and the memory that is open. */
import { useCallback, useRef, useState } from "react";
import { command } from "../../core/hint.ts";
import { useRevision } from "../changes.ts";
import type { Route } from "../route.ts";
import { Failure } from "../ui/failure.tsx";
import { useCall } from "../use-call.ts";
import { AddFact, RememberDialog } from "./add-fact.tsx";
import { List, type ListHandle } from "./list.tsx";
import { MentalModels } from "./mental-models.tsx";
import { NewDocument } from "./new-document.tsx";
import { filterCount, linkOf, type MemoryQuery, queryFrom, selectedFrom } from "./query.ts";
import { Reader } from "./reader.tsx";
import { type InView, type Rows, useRows } from "./rows.ts";
import { SearchBar } from "./search-bar.tsx";
import { UndoDialog } from "./undo.tsx";
import "./memory-view.css";

type Open = "remember" | "document" | "undo";

export function MemoryView({ route }: { readonly route: Route }) {
  const query = queryFrom(route);
  const selected = selectedFrom(route);
  const [inView, setInView] = useState<InView>({ first: 0, last: 0 });
  const [open, setOpen] = useState<Open | null>(null);
  const rows = useRows(query, inView);
  const revision = useRevision();
  const { data: filters } = useCall("memory-filters", { seen: revision || undefined });
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<ListHandle>(null);
  const onLeave = useCallback(() => box.current?.focus(), []);
  const close = () => setOpen(null);
  return (
    <div className={selected === null ? "memory" : "memory with-reader"}>
      <div className="memory-head">
        <div className="row">
          <h1 className="grow">Memory</h1>
          <button type="button" onClick={() => setOpen("remember")}>
            Remember…
          </button>
          <button type="button" onClick={() => setOpen("document")}>
            New document…
          </button>
          <button type="button" className="plain" onClick={() => setOpen("undo")}>
            Undo…
          </button>
        </div>
        <SearchBar
          query={query}
          selected={selected}
          filters={filters}
          box={box}
          onEnterList={() => list.current?.focus(0)}
        />
      </div>
      <div className="memory-list">
        {query.kind === "mental-model" ? (
          <MentalModels query={query} />
        ) : (
          <>
            <Count rows={rows} query={query} />
            {rows.error !== null && <Failure error={rows.error} />}
            {rows.total === 0 && !rows.isOutdated && <Nothing query={query} />}
            {(rows.total !== 0 || rows.isOutdated) && !hasFailed(rows) && (
              <List
                rows={rows}
                query={query}
                selected={selected}
                isMixed={filters?.hasProject === true}
                handle={list}
                onView={setInView}
                onLeave={onLeave}
              />
            )}
          </>
        )}
      </div>
      {selected !== null && <Reader selected={selected} back={linkOf(query)} />}
      {open === "remember" && <RememberDialog onClose={close} />}
      {open === "document" && <NewDocument query={query} onClose={close} />}
      {open === "undo" && <UndoDialog onClose={close} />}
    </div>
  );
}

/** There are no rows to show, and none are on their way. */
function hasFailed({ total, error }: Rows): boolean {
  return total === null && error !== null;
}

function Count({ rows, query }: { readonly rows: Rows; readonly query: MemoryQuery }) {
  const { total, isOutdated, warnings } = rows;
  const isSearch = query.q.trim() !== "";
  const noun = total === 1 ? "memory" : "memories";
  if (hasFailed(rows)) return null;
  return (
    <p className="count soft" role="status">
      {total === null || isOutdated
        ? `${isSearch ? "Searching" : "Loading"}…`
        : `${total.toLocaleString()} ${noun}${total === 0 ? "" : isSearch ? ", best first" : ", newest first"}`}
      {!isOutdated && warnings.length > 0 && (
        <>
          <br />
          {warnings.join(" ")}
        </>
      )}
    </p>
  );
}

function Nothing({ query }: { readonly query: MemoryQuery }) {
  if (query.q.trim() !== "") return <p className="nothing">No matches. Try other words or fewer filters.</p>;
  if (query.kind === "message")
    return (
      <p className="nothing">
        Type words to search conversations, or read them under <a href="#/sessions">Sessions</a>.
      </p>
    );
  if (filterCount(query) > 0)
    return (
      <p className="nothing">
        No memories match these filters.{" "}
        <a href={linkOf(queryFrom({ query: new URLSearchParams() }))}>Show all</a>
      </p>
    );
  return (
    <div className="nothing column">
      <h2>Nothing here yet</h2>
      <p>Tell Retain something worth keeping:</p>
      <AddFact />
      <p>Or fill memory from a terminal:</p>
      <ul>
        <li>
          <code>{String(command("put", "notes.md"))}</code> stores a document
        </li>
        <li>
          <code>{String(command("migrate"))}</code> imports from other tools
        </li>
        <li>
          <code>{String(command("connect"))}</code> gives your agents this memory
        </li>
      </ul>
      <p>
        Facts also come from your <a href="#/chat">chats</a>.
      </p>
    </div>
  );
}
