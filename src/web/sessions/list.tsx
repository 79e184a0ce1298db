/** The list of conversations, newest first, or those that match a search. */

import { type KeyboardEvent, useState } from "react";
import { command } from "../../core/hint.ts";
import type { Answer } from "../../serve/page/table.ts";
import { plural } from "../../util/in-words.ts";
import { linkTo, replace } from "../route.ts";
import { CommandText } from "../ui/command-text.tsx";
import { Failure } from "../ui/failure.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { SetupHints } from "../ui/setup-hints.tsx";
import { Title } from "../ui/title.tsx";
import { moment } from "../ui/when.ts";
import { type Called, useCall } from "../use-call.ts";
import { STEPS } from "./keys.ts";

type Listed = Answer<"sessions">["sessions"][number];

const PAGE = 50;
const MOST = 1_000;

/** What limits the list, as its address says it; "" limits nothing. The address of a conversation has it too, for the way back. */
type Filters = Readonly<Record<"q" | "tag" | "chat", string>>;

export function filtersOf(query: URLSearchParams): Filters {
  const value = (name: string) => query.get(name) ?? "";
  return { q: value("q"), tag: value("tag"), chat: value("chat") };
}

export function SessionList({ query }: { readonly query: URLSearchParams }) {
  const [limit, setLimit] = useState(PAGE);
  const filters = filtersOf(query);
  const { q, tag, chat } = filters;
  const found = useCall("sessions", {
    query: q,
    limit,
    ...(tag !== "" && { tag }),
    ...(chat !== "" && { chat }),
  });
  const search = (next: Partial<Filters>) => replace(linkTo(["sessions"], { ...filters, ...next }));
  const { data, error } = found;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only move the focus between links
    <div className="view column" onKeyDown={moveFocus}>
      <div className="row">
        <Title>Sessions</Title>
        <a className="button main end" href={linkTo(["chat"])}>
          New chat
        </a>
      </div>
      <SearchBox label="Search conversations" value={q} onSearch={(q) => search({ q })} />
      {(tag !== "" || chat !== "") && (
        <div className="row">
          <span className="soft">Only</span>
          {tag !== "" && <Filter name="tag" value={tag} onRemove={() => search({ tag: "" })} />}
          {chat !== "" && <Filter name="chat" value={chat} onRemove={() => search({ chat: "" })} />}
        </div>
      )}
      {error !== null && <Failure error={error} />}
      {data !== null && <Found found={found} filters={filters} />}
      {data?.more && limit < MOST && (
        <button type="button" onClick={() => setLimit(Math.min(MOST, limit * 2))}>
          Show more
        </button>
      )}
    </div>
  );
}

function Found({
  found: { data },
  filters,
}: {
  readonly found: Called<Answer<"sessions">>;
  readonly filters: Filters;
}) {
  if (data === null) return null;
  if (data.sessions.length === 0)
    return Object.values(filters).some((value) => value !== "") ? (
      <p role="status">No matching sessions.</p>
    ) : (
      <NoSessions />
    );
  return (
    <>
      <p className="hidden" role="status">
        {plural(data.sessions.length, "session")}
      </p>
      <ul className="sessions">
        {data.sessions.map((session) => (
          <Row key={`${session.origin} ${session.id}`} session={session} filters={filters} />
        ))}
      </ul>
    </>
  );
}

function Row({ session, filters }: { readonly session: Listed; readonly filters: Filters }) {
  const { id, origin, title, summary, updated_at, messages, chat, tags, failed, hits } = session;
  return (
    <li>
      <div className="row">
        <a className="title grow" data-row href={linkTo(["sessions", id], { origin, ...filters })}>
          {title ?? summary ?? id}
        </a>
        {failed && <span className="tag">failed</span>}
        <a href={linkTo(["chat", id])} aria-label={`Resume ${title ?? id}`}>
          Resume
        </a>
      </div>
      <div className="soft about">
        <time dateTime={updated_at}>{moment(updated_at)}</time> · {plural(messages, "message")} ·{" "}
        <a href={linkTo(["sessions"], { chat })}>{chat}</a>
        {origin === "project" && " · project"}{" "}
        {tags.map((tag) => (
          <a key={tag} className="tag" href={linkTo(["sessions"], { tag })}>
            {tag}
          </a>
        ))}
      </div>
      {hits.map(({ message, speaker, text }) => (
        <a
          key={message ?? "summary"}
          className="hit"
          data-row
          href={linkTo(["sessions", id], { origin, message: String(message ?? ""), ...filters })}
        >
          <span className="soft">{speaker ?? "Summary"}:</span> {text}
        </a>
      ))}
    </li>
  );
}

function Filter({
  name,
  value,
  onRemove,
}: {
  readonly name: string;
  readonly value: string;
  onRemove(): void;
}) {
  return (
    <span className="tag">
      {name} {value}{" "}
      <button
        type="button"
        className="plain"
        aria-label={`Remove filter ${name} ${value}`}
        onClick={onRemove}
      >
        ×
      </button>
    </span>
  );
}

function NoSessions() {
  return (
    <div className="panel column">
      <p>No conversations yet. To have one that Retain stores:</p>
      <ul>
        <li>
          <a href={linkTo(["chat"])}>Start a chat</a> here, or run <CommandText line={command("chat")} /> in a
          terminal.
        </li>
        <SetupHints />
      </ul>
      <p className="soft">Incognito chats leave no trace, and don't appear here.</p>
    </div>
  );
}

/** Arrow keys move between the search box and the rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input[type=search], [data-row]")];
  const at = stops.indexOf(event.target as HTMLElement);
  const next = stops[at + step];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
