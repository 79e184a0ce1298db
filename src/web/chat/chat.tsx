/** The chat: one conversation, at #/chat/<session>, or a new one at #/chat. */
import { useCallback, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { go, linkTo, type Route, replace } from "../route.ts";
import { Failure } from "../ui/failure.tsx";
import { ApprovalCard } from "./approval.tsx";
import { Composer } from "./composer.tsx";
import { ChatConnection } from "./connection.ts";
import { STOP } from "./keys.ts";
import { PickerCard } from "./picker.tsx";
import { otherOffers } from "./state.ts";
import { Activity, StatusLine } from "./status.tsx";
import { Transcript } from "./transcript.tsx";
import "./chat.css";
import "./footer.css";

const CHAT = "chat";

export function ChatView({ route }: { readonly route: Route }) {
  const session = route.path[1] || null;
  const [connection, setConnection] = useState<ChatConnection | null>(null);
  const open = useCallback((wanted: string | null, incognito = false) => {
    const onSession = (id: string | null) => replace(linkTo(id === null ? [CHAT] : [CHAT, id]));
    setConnection(new ChatConnection({ session: wanted, incognito, onSession }));
  }, []);
  // The first frame has the input already: it doesn't wait for the server.
  useLayoutEffect(() => {
    if (connection === null || !connection.isFor(session)) open(session);
  }, [connection, session, open]);
  useEffect(() => () => connection?.leave(), [connection]);
  const startNew = (incognito: boolean) => {
    connection?.forget();
    if (session !== null) replace(linkTo([CHAT]));
    open(null, incognito);
  };
  return connection === null ? null : <OpenChat connection={connection} onNew={startNew} />;
}

interface OpenChatProps {
  readonly connection: ChatConnection;
  onNew(incognito: boolean): void;
}

const RESUME = /^\/resume\s+(\S+)$/i;

function OpenChat({ connection, onNew }: OpenChatProps) {
  const shown = useSyncExternalStore(connection.subscribe, connection.shown);
  const { chat, error } = shown;
  const { approval, picker, doing, canRetry } = chat;
  const offers = otherOffers(chat);
  const send = useCallback(
    (line: string) => {
      // A session has an address of its own, and another tab may have it open.
      const [, session] = RESUME.exec(line.trim()) ?? [];
      if (session === undefined) connection.send(line);
      else go(linkTo([CHAT, session]));
    },
    [connection],
  );
  const isBusy = doing !== null && doing !== "starting";
  useEffect(() => {
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      const stops = key === STOP && !defaultPrevented && isBusy && picker === null;
      if (stops && document.querySelector("dialog[open]") === null) connection.stop();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [connection, isBusy, picker]);
  const isIdle = doing === null && approval === null && picker === null;
  return (
    <div className="chat">
      <header>
        <h1>{chat.title ?? (chat.incognito ? "Incognito chat" : chat.isLoaded ? "New chat" : "Chat")}</h1>
        <button type="button" className="plain" aria-label="New incognito chat" onClick={() => onNew(true)}>
          Incognito
        </button>
        <button type="button" onClick={() => onNew(false)}>
          New chat
        </button>
      </header>
      <Transcript chat={chat} connection={connection} onSend={send} />
      <footer>
        <Activity chat={chat} isStopping={shown.isStopping} hasFailed={error !== null && !chat.isLoaded} />
        {error !== null && (
          <div className="row">
            <div className="grow">
              <Failure error={error} />
            </div>
            {error.code === "conflict" && !chat.isLoaded && (
              <button type="button" onClick={() => connection.takeOver()}>
                Take it over
              </button>
            )}
          </div>
        )}
        {approval !== null && <ApprovalCard key={approval.id} approval={approval} connection={connection} />}
        {picker !== null && (
          <PickerCard key={picker.key} open={picker} onSend={send} onClose={() => connection.dismiss()} />
        )}
        {isIdle && (canRetry || offers.length > 0) && (
          <div className="row offers">
            {canRetry && (
              <button type="button" onClick={() => send("/retry")}>
                Retry
              </button>
            )}
            {offers.map(({ name, label, line }) => (
              <button key={name} type="button" onClick={() => send(line)}>
                {label.replace(/^./, (first) => first.toUpperCase())}
              </button>
            ))}
          </div>
        )}
        {chat.isClosed ? (
          <div className="note row">
            <span className="grow">This chat is closed.</span>
            <button type="button" onClick={() => onNew(false)}>
              New chat
            </button>
          </div>
        ) : (
          <Composer shown={shown} connection={connection} onSend={send} />
        )}
        <StatusLine chat={chat} />
      </footer>
    </div>
  );
}
