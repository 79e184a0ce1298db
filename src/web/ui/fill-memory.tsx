/** How memory fills from other tools, as items of a list. */
import { command } from "../../core/hint.ts";
import { Typed } from "./typed.tsx";

export function FillMemory() {
  return (
    <>
      <li>
        Connect an agent: <Typed line={command("connect", "claude-code")} />
      </li>
      <li>
        Import from another tool: <Typed line={command("migrate")} />
      </li>
    </>
  );
}
