/** The page: its login, and its views. */
import { useEffect, useState } from "react";
import { CallFailed, call, LOGGED_OUT, login } from "./api.ts";
import { ChatView } from "./chat/chat.tsx";
import { Frame, type View } from "./frame.tsx";
import { Login } from "./login.tsx";
import { MemoryView } from "./memory/memory-view.tsx";
import { OverviewView } from "./overview/view.tsx";
import { ReviewView } from "./review/view.tsx";
import { SessionsView } from "./sessions/view.tsx";
import { Failure } from "./ui/failure.tsx";

const VIEWS: readonly [View, ...View[]] = [
  { name: "chat", title: "Chat", show: (route) => <ChatView route={route} /> },
  { name: "memory", title: "Memory", show: (route) => <MemoryView route={route} /> },
  { name: "sessions", title: "Sessions", show: (route) => <SessionsView route={route} /> },
  { name: "review", title: "Review", show: () => <ReviewView /> },
  { name: "overview", title: "Overview", show: () => <OverviewView /> },
];

/** The code of the link that `retain serve` prints. */
const CODE = /^#code=([\w-]+)$/;

/** It works once, so it leaves the address at once. */
function takeCode(): string | null {
  const [, code = null] = CODE.exec(location.hash) ?? [];
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
      .then(() => call("hello", {}))
      .then(() => setAccess("in"))
      .catch((error: unknown) => {
        if (!(error instanceof CallFailed)) throw error;
        if (error.code !== "login") setAccess(error);
        else setAccess(code === null ? "out" : "refused");
      });
  }, []);
  // The link may be opened in the tab that asks for a login, which does not load the page again.
  useEffect(() => {
    const enter = () => CODE.test(location.hash) && location.reload();
    addEventListener("hashchange", enter);
    return () => removeEventListener("hashchange", enter);
  }, []);
  useEffect(() => {
    const leave = () => setAccess((before) => (before === "in" ? "out" : before));
    addEventListener(LOGGED_OUT, leave);
    return () => removeEventListener(LOGGED_OUT, leave);
  }, []);
  if (access === "asking") return null;
  if (access instanceof CallFailed) return <Failure error={access} />;
  if (access !== "in") return <Login wasRefused={access === "refused"} onDone={() => setAccess("in")} />;
  return <Frame views={VIEWS} />;
}
