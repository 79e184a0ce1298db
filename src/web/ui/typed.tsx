/** A command of the terminal, as it is typed. */
import type { CommandReference } from "../../core/hint.ts";

export function Typed({ line }: { readonly line: CommandReference }) {
  return <code>{String(line)}</code>;
}
