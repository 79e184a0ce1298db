/** Light, dark, or as the system has it. */
import { useState } from "react";

const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "theme";

function stored(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";
}

/** Call it before the first frame. */
export function showTheme(theme: Theme = stored()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The theme, and a function that switches to the next one. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState(stored);
  const next = () => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
    localStorage.setItem(KEY, chosen);
    showTheme(chosen);
    setTheme(chosen);
  };
  return [theme, next];
}
