/** The page's frame: login, navigation, and the view that the address names. */
import { type ReactNode, useEffect, useState } from "react";
import { command } from "../core/hint.ts";
import { CallFailed, call, login } from "./api.ts";
import { followChanges, useIsConnected } from "./changes.ts";
import { ChatView } from "./chat/chat.tsx";
import { Login } from "./login.tsx";
import { MemoryView } from "./memory/memory-view.tsx";
import { linkTo, type Route, useRoute } from "./route.ts";
import { useTheme } from "./theme.ts";
import { Failure } from "./ui/failure.tsx";

interface View {
  /** The first part of its address. */
  readonly name: string;
  readonly title: string;
  show(route: Route): ReactNode;
}

const VIEWS: readonly View[] = [
  { name: "chat", title: "Chat", show: (route) => <ChatView route={route} /> },
  { name: "memory", title: "Memory", show: (route) => <MemoryView route={route} /> },
  { name: "sessions", title: "Sessions", show: () => <div className="view">Sessions</div> },
  { name: "review", title: "Review", show: () => <div className="view">Review</div> },
  { name: "overview", title: "Overview", show: () => <div className="view">Overview</div> },
];

const [FIRST] = VIEWS;

/** The code of the link that `retain serve` prints. It works once, so it leaves the address at once. */
function takeCode(): string | null {
  const [, code = null] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  if (code !== null) history.replaceState(null, "", "/");
  return code;
}

type Access = "asking" | "in" | "out" | "refused" | CallFailed;

export function App() {
  const [access, setAccess] = useState<Access>("asking");
  useEffect(() => {
    const code = takeCode();
    const entering = code === null ? Promise.resolve() : login(code).catch(() => {});
    entering
      .then(() => call("status", {}))
      .then(() => setAccess("in"))
      .catch((error: unknown) => {
        if (!(error instanceof CallFailed)) throw error;
        if (error.code !== "login") setAccess(error);
        else setAccess(code === null ? "out" : "refused");
      });
  }, []);
  if (access === "asking") return null;
  if (access instanceof CallFailed) return <Failure error={access} />;
  if (access !== "in") return <Login wasRefused={access === "refused"} onDone={() => setAccess("in")} />;
  return <Inside />;
}

function Inside() {
  const route = useRoute();
  const [theme, nextTheme] = useTheme();
  const isConnected = useIsConnected();
  const view = VIEWS.find(({ name }) => name === route.path[0]) ?? FIRST;
  useEffect(followChanges, []);
  useEffect(() => {
    document.title = `${view?.title} · Retain`;
  }, [view]);
  return (
    <div className="layout">
      <nav aria-label="Views">
        <div className="name">Retain</div>
        {VIEWS.map(({ name, title }) => (
          <a key={name} href={linkTo([name])} aria-current={name === view?.name ? "page" : undefined}>
            {title}
          </a>
        ))}
        <button type="button" className="plain end" onClick={nextTheme}>
          Theme: {theme}
        </button>
      </nav>
      <main>
        {!isConnected && (
          <div className="note warning" role="status">
            The server does not answer. Start it again: <code>{String(command("serve"))}</code>
          </div>
        )}
        {view?.show(route)}
      </main>
    </div>
  );
}
