/** Calls about one memory, whatever its kind: reading, forgetting, undoing. */
import { confirmationOf } from "../../agent/memory-tools/forget.ts";
import type { Identified } from "../../app/find-by-id.ts";
import type { Forgettable } from "../../app/forget-found.ts";
import type { Retain } from "../../app.ts";
import { RetainError, unlessMissing } from "../../core/errors.ts";
import { documentOfSource } from "../../core/memory.ts";
import { forgetHeadline, forgetRemarks } from "../../facts/forget/report.ts";
import { isPermanent, undoneLines } from "../../facts/undo.ts";
import * as z from "../../util/zod.ts";
import { call } from "./call.ts";
import { documentsOf, ORIGIN } from "./documents.ts";
import { hintOnPage } from "./hint.ts";

const NAMED = { id: z.string(), collection: z.optional(z.string()), origin: ORIGIN };

export const memoryCalls = {
  memory: call(z.strictObject(NAMED), async ({ retain }, named) => {
    const found = await findNamed(retain, named);
    if (found.kind !== "document")
      return {
        ...found,
        session: await sourceSession(retain, found),
        doubts: found.kind === "fact" ? await doubtsAbout(retain, found) : [],
      };
    const { id, collection } = found.document;
    const documents = documentsOf(retain, named);
    const { text, etag } = await documents.source(id, { collection });
    return { ...found, source: { text, etag }, isOwn: await isOwn(documents, { id, collection }) };
  }),
  /** Without `confirm`, or with an outdated one, nothing is removed: the answer says what would be, and how to confirm it. */
  forget: call(
    z.strictObject({ ...NAMED, confirm: z.optional(z.string()) }),
    async ({ retain }, { confirm, ...named }) => {
      const found = await findNamed(retain, named);
      if (found.kind === "session")
        throw new RetainError("usage", "To delete a conversation, use the Sessions view.");
      const expected = confirmationOf(named.id, textOf(found));
      const forgotten = await retain.forget(found, { dryRun: confirm !== expected });
      return {
        ...forgotten,
        confirm: expected,
        text: found.kind === "document" ? found.document.title : textOf(found),
        headline: forgetHeadline(forgotten),
        remarks: forgetRemarks(forgotten).map(hintOnPage),
      };
    },
  ),
  "last-change": call(z.strictObject({}), async ({ retain }) => {
    const change = await retain.facts.lastChange();
    if (change === null) return null;
    const { number, origin, label, at } = change;
    return { number, origin, label, at, isPermanent: isPermanent(change), lines: undoneLines(change) };
  }),
  /** Undoes that change, if nothing has changed memory since. */
  undo: call(
    z.strictObject({ number: z.int(), origin: z.enum(["project", "home"]) }),
    async ({ retain }, change) => {
      const { label } = await retain.facts.undo(change);
      return { label };
    },
  ),
};

type Named = Parameters<typeof memoryCalls.memory.run>[1];

/** Also takes "collection/id", as contexts name documents. */
async function findNamed(retain: Retain, { id, collection, origin }: Named): Promise<Identified> {
  if (collection !== undefined) {
    const document = await documentsOf(retain, { origin }).get(id, { collection });
    return { kind: "document", document };
  }
  if (!id.includes("/")) return retain.find(id);
  const found = await unlessMissing(retain.find(id));
  if (found !== null) return found;
  const named = documentOfSource(id);
  return retain.find(named.id, { collection: named.collection });
}

async function isOwn(documents: Retain["documents"], { id, collection }: { id: string; collection: string }) {
  return documents.locateOwn(id, { collection }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RetainError && error.code === "read_only") return false;
      throw error;
    },
  );
}

/** The pairs in doubt that it is in. */
async function doubtsAbout({ facts }: Retain, { provenance }: Extract<Identified, { kind: "fact" }>) {
  const { origin, fact } = provenance;
  const pairs = await facts.doubts();
  return pairs.filter(
    (pair) => pair.origin === origin && [pair.newer, pair.older].some(({ id }) => id === fact.id),
  );
}

/** The conversation that a fact or message comes from; null for a memory without one. */
async function sourceSession({ sessions }: Retain, found: Identified) {
  const message =
    found.kind === "fact" ? found.provenance.message : found.kind === "message" ? found.message : null;
  if (message === null) return null;
  const session = await unlessMissing(sessions.find(message.session));
  return { id: message.session, title: session?.title ?? null };
}

function textOf(found: Forgettable): string {
  if (found.kind === "fact") return found.provenance.fact.text;
  if (found.kind === "note") return found.note.text;
  return found.kind === "message" ? found.message.content : found.document.etag;
}
