/** The list of conversations, newest first, or those that match a search. */

import { type KeyboardEvent, useState } from "react";
import { command } from "../../core/hint.ts";
import type { Answer } from "../../serve/page/table.ts";
import { plural } from "../../util/text.ts";
import { linkTo, replace } from "../route.ts";
import { Failure } from "../ui/failure.tsx";
import { FillMemory } from "../ui/fill-memory.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { Title } from "../ui/title.tsx";
import { Typed } from "../ui/typed.tsx";
import { moment } from "../ui/when.ts";
import { type Called, useCall } from "../use-call.ts";

type Listed = Answer<"sessions">["sessions"][number];

const PAGE = 50;
const MOST = 1_000;

export function SessionList({ query }: { readonly query: URLSearchParams }) {
  const [limit, setLimit] = useState(PAGE);
  const words = query.get("q") ?? "";
  const [tag, chat] = [query.get("tag"), query.get("chat")];
  const found = useCall("sessions", {
    query: words,
    limit,
    ...(tag !== null && { tag }),
    ...(chat !== null && { chat }),
  });
  const search = (next: Partial<Record<"q" | "tag" | "chat", string>>) =>
    replace(linkTo(["sessions"], { q: words, tag: tag ?? "", chat: chat ?? "", ...next }));
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
      <SearchBox label="Search conversations" value={words} onSearch={(q) => search({ q })} />
      {(tag !== null || chat !== null) && (
        <div className="row">
          <span className="soft">Only</span>
          {tag !== null && <Filter name="tag" value={tag} onRemove={() => search({ tag: "" })} />}
          {chat !== null && <Filter name="chat" value={chat} onRemove={() => search({ chat: "" })} />}
        </div>
      )}
      {error !== null && <Failure error={error} />}
      {data !== null && <Found found={found} isNarrowed={words !== "" || tag !== null || chat !== null} />}
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
  isNarrowed,
}: {
  readonly found: Called<Answer<"sessions">>;
  readonly isNarrowed: boolean;
}) {
  if (data === null) return null;
  if (data.sessions.length === 0)
    return isNarrowed ? <p role="status">No matching sessions.</p> : <NoSessions />;
  return (
    <>
      <p className="hidden" role="status">
        {plural(data.sessions.length, "session")}
      </p>
      <ul className="sessions">
        {data.sessions.map((session) => (
          <Row key={`${session.origin} ${session.id}`} session={session} />
        ))}
      </ul>
    </>
  );
}

function Row({ session }: { readonly session: Listed }) {
  const { id, origin, title, summary, updated_at, messages, chat, tags, failed, hits } = session;
  return (
    <li>
      <div className="row">
        <a className="title grow" data-row href={linkTo(["sessions", id], { origin })}>
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
          href={linkTo(["sessions", id], { origin, message: String(message ?? "") })}
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
      <p>No conversations yet. Retain stores every conversation that it takes part in:</p>
      <ul>
        <li>
          <a href={linkTo(["chat"])}>Start a chat</a> here, or run <Typed line={command("chat")} /> in a
          terminal.
        </li>
        <FillMemory />
      </ul>
      <p className="soft">An incognito chat leaves no trace, here either.</p>
    </div>
  );
}

/** Arrow keys move between the search box and the rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input[type=search], [data-row]")];
  const at = stops.indexOf(event.target as HTMLElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
