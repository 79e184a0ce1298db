/** What an id names, whatever command printed it: a document, a fact, a note, a conversation or one of its messages. */
import { RetainError, unlessMissing } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import { isVectorId } from "../core/ports/vector-index.ts";
import type { Message, StoredMessage } from "../core/sessions/conversation.ts";
import type { GetOptions, GotDocument } from "../documents/read.ts";
import type { Facts } from "../facts/facts.ts";
import type { DayNote } from "../facts/notes.ts";
import type { Provenance } from "../facts/why.ts";
import type { ShownSession } from "../sessions/export.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Documents } from "./documents.ts";

export type Identified =
  | { readonly kind: "document"; readonly document: GotDocument }
  | { readonly kind: "fact"; readonly provenance: Provenance }
  | { readonly kind: "note"; readonly note: DayNote }
  | { readonly kind: "session"; readonly session: ShownSession }
  | { readonly kind: "message"; readonly message: StoredMessage; readonly around: readonly Message[] };

interface Memory {
  readonly documents: Documents;
  readonly facts: Facts;
  readonly sessions: Sessions;
}

const NOTE_ID = /(?:^|\/)(\d{4}-\d\d-\d\d)\.md#/;
const MESSAGE_ID = /^\d{1,15}$/;

/** Throws `not_found`, and `ambiguous` for a document in several collections or the beginning of several facts' ids. */
export async function findById(memory: Memory, id: string, options: GetOptions = {}): Promise<Identified> {
  const { documents, facts, sessions } = memory;
  if (options.collection !== undefined || options.version !== undefined)
    return { kind: "document", document: await documents.get(id, options) };
  const document = await documents.getIfThere(id);
  if (document !== null) return { kind: "document", document };
  const day = NOTE_ID.exec(id)?.[1];
  const note = day === undefined ? undefined : (await facts.notes([day])).notes.find((one) => one.id === id);
  if (note !== undefined) return { kind: "note", note };
  const message = MESSAGE_ID.test(id) ? await sessions.message(Number(id)) : null;
  if (message !== null) return { kind: "message", ...message };
  const provenance = await unlessMissing(facts.why(id));
  if (provenance !== null) return { kind: "fact", provenance };
  const session = await unlessMissing(sessions.show(id));
  if (session !== null && session.id === id) return { kind: "session", session };
  if (isVectorId(id))
    throw new RetainError(
      "not_found",
      `${id} is on another machine: this one only knows its entry on the hosted index.`,
      hint`${command("search")} shows its text. To delete the entry: ${command("forget", id)}`,
    );
  // Throws: searching for similar ids takes longer than all of the above.
  return { kind: "document", document: await documents.get(id) };
}
