/** The web page: everything below #root. */
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { showTheme } from "./theme.ts";

showTheme();
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
