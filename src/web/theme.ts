/** Light, dark, or the system's theme. */
import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "theme";
const CHOSEN = "theme-chosen";

function stored(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";
}

/** Call it before the first frame. */
export function showTheme(theme: Theme = stored()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  showTheme(theme);
  dispatchEvent(new Event(CHOSEN));
}

export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    addEventListener(CHOSEN, listener);
    return () => removeEventListener(CHOSEN, listener);
  }, stored);
}
