/** One conversation: its messages, and what can be done with it. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Answer, Input } from "../../serve/page/table.ts";
import { plural } from "../../util/in-words.ts";
import { call } from "../api.ts";
import { go, linkTo } from "../route.ts";
import { download } from "../ui/download.ts";
import { Failure } from "../ui/failure.tsx";
import { Title } from "../ui/title.tsx";
import { moment } from "../ui/when.ts";
import { useAction } from "../use-action.ts";
import { useCall } from "../use-call.ts";
import { DeleteSession } from "./delete.tsx";
import { Rename } from "./rename.tsx";
import { Tags } from "./tags.tsx";
import { Turn } from "./turn.tsx";

export interface ReaderProps {
  readonly which: Input<"session">;
  /** The id of the message to show first. */
  readonly message: string | null;
  /** The list that it was opened from. */
  readonly back: string;
}

export function SessionReader({ which, message, back }: ReaderProps) {
  const { data, error, reload } = useCall("session", which);
  return (
    <div className="view column">
      <a href={back}>← Sessions</a>
      {error !== null && <Failure error={error} />}
      {data !== null && (
        <Session session={data} which={which} back={back} onChanged={reload}>
          <Turns turns={data.turns} message={message} />
        </Session>
      )}
    </div>
  );
}

interface SessionProps extends Pick<ReaderProps, "back"> {
  readonly session: Answer<"session">;
  readonly which: Input<"session">;
  onChanged(): void;
  readonly children: ReactNode;
}

function Session({ session, which, back, onChanged, children }: SessionProps) {
  const { id, name, origin, chat, tags, summary, messages, created_at, updated_at } = session;
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const rename = useRef<HTMLButtonElement>(null);
  const exporting = useAction();
  const save = (format: Input<"session-export">["format"]) =>
    exporting.run(async () => download(await call("session-export", { ...which, id, format })));
  return (
    <>
      {open === "rename" ? (
        <Rename
          which={which}
          name={name}
          onDone={() => {
            setOpen(null);
            onChanged();
            rename.current?.focus();
          }}
        />
      ) : (
        <Title>{name}</Title>
      )}
      <div className="soft">
        {moment(created_at)} to {moment(updated_at)} · {plural(messages, "message")} · chat {chat}
        {origin === "project" && " · project"} · <code>{id}</code>
      </div>
      <Tags which={which} tags={tags} onChanged={onChanged} />
      {summary !== null && <p className="summary">{summary}</p>}
      <div className="row">
        <a className="button main" href={linkTo(["chat", id])}>
          Resume
        </a>
        <button type="button" ref={rename} onClick={() => setOpen("rename")}>
          Rename
        </button>
        <button type="button" onClick={() => save("markdown")}>
          Export Markdown
        </button>
        <button type="button" onClick={() => save("json")}>
          Export JSON
        </button>
        <button type="button" className="danger" onClick={() => setOpen("delete")}>
          Delete
        </button>
      </div>
      {exporting.error !== null && <Failure error={exporting.error} />}
      {open === "delete" && (
        <DeleteSession
          which={which}
          session={session}
          onClose={() => setOpen(null)}
          onDeleted={() => go(back)}
        />
      )}
      {children}
    </>
  );
}

interface TurnsProps {
  readonly turns: Answer<"session">["turns"];
  readonly message: string | null;
}

function Turns({ turns, message }: TurnsProps) {
  const ref = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (message === null) return;
    const wanted = ref.current?.querySelector<HTMLElement>(`[data-message="${Number(message)}"]`);
    wanted?.scrollIntoView({ block: "start" });
    wanted?.focus({ preventScroll: true });
  }, [message]);
  return (
    <ol className="turns" ref={ref}>
      {turns.map((turn) => (
        <Turn key={turn.id} turn={turn} isWanted={String(turn.id) === message} />
      ))}
    </ol>
  );
}
