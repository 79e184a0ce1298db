/** The frame around every view: navigation, the notice that the server is down, and keys. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import { command } from "../core/hint.ts";
import { followChanges, useIsConnected } from "./changes.ts";
import { HELP, KEYS_EVERYWHERE, type KeyHelp, SEARCH, useKeys, usePaletteKey } from "./keys.ts";
import { RememberDialog } from "./memory/add-fact.tsx";
import { Palette } from "./palette.tsx";
import { linkTo, type Route, useRoute } from "./route.ts";
import { chooseTheme, nextTheme, useTheme } from "./theme.ts";
import { CommandText } from "./ui/command-text.tsx";
import { Crash } from "./ui/crash.tsx";
import { KeyList } from "./ui/key-list.tsx";
import { Toasts } from "./ui/toast.tsx";
import { useCall } from "./use-call.ts";
import "./frame.css";

export interface View {
  /** The first part of its address. */
  readonly name: string;
  readonly title: string;
  readonly keys: readonly KeyHelp[];
  show(route: Route): ReactNode;
}

export function Frame({ views }: { readonly views: readonly [View, ...View[]] }) {
  const address = useRoute();
  const theme = useTheme();
  const main = useRef<HTMLElement>(null);
  const [open, setOpen] = useState<"palette" | "keys" | { readonly remember: string } | null>(null);
  const known = views.find(({ name }) => name === address.path[0]);
  const view = known ?? views[0];
  // What follows an unknown view's name means nothing in another.
  const route: Route = known === undefined ? { path: [view.name], query: new URLSearchParams() } : address;
  useEffect(followChanges, []);
  useEffect(() => {
    document.title = `${view.title} · Retain`;
  }, [view]);
  useFocusOfView(main, [view.name, ...route.path.slice(1)].join("/"));
  usePaletteKey(() => setOpen("palette"));
  useKeys((key) => {
    if (key === HELP) setOpen("keys");
    else if (key === SEARCH) {
      const search = main.current?.querySelector<HTMLElement>("input[type=search]");
      if (search) search.focus();
      else setOpen("palette");
    } else return false;
    return true;
  });
  return (
    <div className="layout">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <nav aria-label="Views">
        <div className="name">Retain</div>
        {views.map(({ name, title }) => (
          <a key={name} href={linkTo([name])} aria-current={name === view.name ? "page" : undefined}>
            {title}
            {name === "review" && <ToReview />}
          </a>
        ))}
        <button type="button" className="plain command" onClick={() => setOpen("palette")}>
          <span className="label">Commands</span>
          <span className="narrow" aria-hidden="true">
            ⋯
          </span>
          <kbd className="wide">Ctrl K</kbd>
        </button>
        <button type="button" className="plain wide" onClick={() => chooseTheme(nextTheme(theme))}>
          Theme: {theme}
        </button>
      </nav>
      <main ref={main} tabIndex={-1} aria-label={view.title}>
        <Gone />
        <Crash key={view.name}>{view.show(route)}</Crash>
      </main>
      {open === "palette" && (
        <Palette
          views={views}
          onKeys={() => setOpen("keys")}
          onRemember={(remember) => setOpen({ remember })}
          onClose={() => setOpen(null)}
        />
      )}
      {open !== null && typeof open === "object" && (
        <RememberDialog text={open.remember} onClose={() => setOpen(null)} />
      )}
      {open === "keys" && (
        <KeyList
          groups={[{ title: "Everywhere", keys: KEYS_EVERYWHERE }, ...views]}
          onClose={() => setOpen(null)}
        />
      )}
      <Toasts />
    </div>
  );
}

/** A screen reader stays where the focus is, so a new address moves it to the view's heading, unless the view took it. */
function useFocusOfView(main: { readonly current: HTMLElement | null }, address: string): void {
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    const { activeElement } = document;
    if (activeElement !== main.current && main.current?.contains(activeElement)) return;
    (main.current?.querySelector<HTMLElement>("h1[tabindex]") ?? main.current)?.focus();
  }, [main, address]);
}

function Gone() {
  const isConnected = useIsConnected();
  if (isConnected) return null;
  return (
    <div className="note warning gone" role="status">
      The server is not responding. Start it again: <CommandText line={command("serve")} />. This page then
      reconnects.
    </div>
  );
}

function ToReview() {
  const { data } = useCall("review-count", {});
  if (data === null || data === 0) return null;
  return (
    <span className="badge">
      {data}
      <span className="hidden"> to review</span>
    </span>
  );
}
