/** The web page: everything below #root. */
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { showTheme } from "./theme.ts";
import { toast } from "./ui/toast.tsx";

showTheme();
// A bug. The browser writes it to the console, too.
window.addEventListener("unhandledrejection", ({ reason }) =>
  toast({ message: `This failed: ${String(reason)}` }),
);
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
