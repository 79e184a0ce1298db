/** Documents that clients retained, and those that others wrote into the bank. */
import { relative } from "node:path";
import { shareableDocument } from "../../core/secrets/shareable.ts";
import { passesTags } from "../../core/tag-rule.ts";
import type { GotDocument } from "../../documents/read.ts";
import { sha256 } from "../../util/hash.ts";
import * as z from "../../util/zod.ts";
import { documentIdOf, findDocument, metadataIn } from "../documents.ts";
import { missing } from "./errors.ts";
import { paged } from "./query.ts";
import { type BankCall, bankRoute } from "./route.ts";

const UPDATE = z.object({ tags: z.nullish(z.array(z.string())) });

/** The most recently written first. */
async function list({ bank, retain, query }: BankCall) {
  const words = query.text("q")?.toLowerCase() ?? "";
  const rule = query.tagRule("any_strict");
  const { documents } = await retain.documents.list({});
  const all = documents
    .map((document) => ({ document, id: documentIdOf(document) }))
    .filter(({ id }) => id.toLowerCase().includes(words))
    .filter(({ document }) => rule === null || passesTags(document.tags, rule))
    .map(({ document, id }) => {
      const { tags, created_at, updated_at, context } = document;
      const times = { created_at, updated_at: updated_at ?? created_at };
      return { id, bank_id: bank.id, ...times, tags, memory_unit_count: 1, retain_params: { context } };
    });
  return paged(all, query.page());
}

async function required({ retain, params }: BankCall<unknown>): Promise<GotDocument> {
  const found = await findDocument(retain, params.document_id ?? "");
  if (found === null) throw missing("Document");
  return found;
}

async function get(call: BankCall) {
  const document = shareableDocument(await required(call));
  const { content, created_at, updated_at, tags, context } = document;
  const metadata = metadataIn(document);
  const now = call.retain.now().toISOString();
  return {
    id: documentIdOf(document),
    bank_id: call.bank.id,
    original_text: content,
    content_hash: sha256(content),
    created_at: created_at ?? now,
    updated_at: updated_at ?? created_at ?? now,
    memory_unit_count: 1,
    tags,
    document_metadata: metadata,
    retain_params: { context, metadata },
  };
}

async function update(call: BankCall<z.infer<typeof UPDATE>>) {
  const { id, collection } = await required(call);
  const { tags } = call.body;
  if (tags) await call.retain.documents.update(id, { collection, tags });
  return { success: true };
}

/** Permanent: its versions and its rows go too. */
async function remove(call: BankCall) {
  const { retain } = call;
  const document = await required(call);
  const { kind: origin, root } = retain.workspace;
  const path = relative(root, document.file_path);
  await retain.facts.forgetDocument({ id: document.id, origin, path });
  const document_id = documentIdOf(document);
  return { success: true, message: "Deleted the document.", document_id, memory_units_deleted: 1 };
}

export const DOCUMENT_ROUTES = [
  bankRoute("GET", "/documents", list),
  bankRoute("GET", "/documents/{document_id}", get),
  bankRoute("PATCH", "/documents/{document_id}", update, UPDATE),
  bankRoute("DELETE", "/documents/{document_id}", remove),
];
