/** The page: its login, and its views. */
import { useEffect, useState } from "react";
import { CallFailed, isKnown, login, logins } from "./api.ts";
import { ChatView } from "./chat/chat.tsx";
import { CHAT_KEYS } from "./chat/keys.ts";
import { Frame, type View } from "./frame.tsx";
import { Login } from "./login.tsx";
import { MEMORY_KEYS } from "./memory/keys.ts";
import { MemoryView } from "./memory/memory-view.tsx";
import { OverviewView } from "./overview/view.tsx";
import { REVIEW_KEYS } from "./review/keys.ts";
import { ReviewView } from "./review/view.tsx";
import { SESSIONS_KEYS } from "./sessions/keys.ts";
import { SessionsView } from "./sessions/view.tsx";

const VIEWS: readonly [View, ...View[]] = [
  { name: "chat", title: "Chat", keys: CHAT_KEYS, show: (route) => <ChatView route={route} /> },
  { name: "memory", title: "Memory", keys: MEMORY_KEYS, show: (route) => <MemoryView route={route} /> },
  {
    name: "sessions",
    title: "Sessions",
    keys: SESSIONS_KEYS,
    show: (route) => <SessionsView route={route} />,
  },
  { name: "review", title: "Review", keys: REVIEW_KEYS, show: () => <ReviewView /> },
  { name: "overview", title: "Overview", keys: [], show: () => <OverviewView /> },
];

/** The code of the link that `retain serve` prints. */
const CODE = /^#code=([\w-]+)$/;

/** It works once, so it leaves the address at once. */
function takeCode(): string | null {
  const [, code = null] = CODE.exec(location.hash) ?? [];
  if (code !== null) history.replaceState(null, "", "/");
  return code;
}

type Access = "entering" | "in" | "out";

export function App() {
  const [access, setAccess] = useState<Access>(() => (CODE.test(location.hash) ? "entering" : accessNow()));
  const [refusal, setRefusal] = useState<CallFailed | null>(null);
  useEffect(() => {
    const code = takeCode();
    if (code === null) return;
    void login(code)
      .catch((error: unknown) => {
        if (!(error instanceof CallFailed)) throw error;
        setRefusal(error);
      })
      .finally(() => setAccess(accessNow()));
  }, []);
  // The link may be opened in the tab that asks for a login, which does not load the page again.
  useEffect(() => {
    const enter = () => CODE.test(location.hash) && location.reload();
    addEventListener("hashchange", enter);
    return () => removeEventListener("hashchange", enter);
  }, []);
  useEffect(() => {
    const leave = () => setAccess("out");
    logins.addEventListener("out", leave);
    return () => logins.removeEventListener("out", leave);
  }, []);
  if (access === "entering") return null;
  if (access === "out") return <Login refusal={refusal} onDone={() => setAccess("in")} />;
  return <Frame views={VIEWS} />;
}

/** A browser with a key is taken to be logged in, which saves the page a question: the first call that is refused shows the login. */
function accessNow(): Access {
  return isKnown() ? "in" : "out";
}
