/** A terminal command, as the user types it. */
import type { CommandReference } from "../../core/hint.ts";

export function CommandText({ line }: { readonly line: CommandReference }) {
  return <code>{String(line)}</code>;
}
