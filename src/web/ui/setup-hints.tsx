/** The commands that connect an agent or import from another tool, as list items. */
import { command } from "../../core/hint.ts";
import { CommandText } from "./command-text.tsx";

export function SetupHints() {
  return (
    <>
      <li>
        Connect an agent: <CommandText line={command("connect", "claude-code")} />
      </li>
      <li>
        Import from another tool: <CommandText line={command("migrate")} />
      </li>
    </>
  );
}
