/** Forgets what an id names. */
import { relative } from "node:path";
import type { Choice } from "../config/workspace.ts";
import type { Facts } from "../facts/facts.ts";
import type { Forgotten } from "../facts/forget/forget.ts";
import { isInside } from "../util/fs.ts";
import type { Documents } from "./documents.ts";
import type { Identified } from "./find-by-id.ts";

/** A conversation is removed by `Sessions.remove`. */
export type Forgettable = Exclude<Identified, { kind: "session" }>;

interface Memory {
  readonly documents: Documents;
  readonly facts: Facts;
  readonly choice: Choice;
}

/** Throws `read_only` for a folder's document, and like the methods of `Facts`. */
export async function forgetFound(
  { documents, facts, choice: { workspace, home } }: Memory,
  found: Forgettable,
  dryRun: boolean,
): Promise<Forgotten> {
  if (found.kind === "fact") {
    const { fact, origin } = found.provenance;
    return facts.forget(fact.id, { origin, dryRun });
  }
  if (found.kind === "note") return facts.forget(found.note.id, { origin: found.note.origin, dryRun });
  if (found.kind === "message") return facts.forgetMessage(found.message, dryRun);
  const { id, collection, file_path } = found.document;
  const { kind: origin, root } = isInside(workspace.root, file_path) ? workspace : home;
  await documents.in(origin).locateOwn(id, { collection });
  return facts.forgetDocument({ id, origin, path: relative(root, file_path) }, dryRun);
}
