/** Calls that change documents, and show their versions. */
import * as z from "../../util/zod.ts";
import { call } from "./call.ts";

const NAMED = { id: z.string(), collection: z.string() };

export const documentCalls = {
  "document-new": call(
    z.strictObject({
      text: z.string(),
      title: z.optional(z.string()),
      collection: z.optional(z.string()),
      tags: z.optional(z.array(z.string())),
    }),
    async ({ retain }, { text, ...fields }) =>
      retain.documents.put({ content: text, ...fields, noOverwrite: true }),
  ),
  /** Replaces the whole file. `conflict`: it isn't at `etag` any more. */
  "document-save": call(
    z.strictObject({ ...NAMED, text: z.string(), etag: z.string() }),
    async ({ retain }, { id, collection, text, etag }) =>
      retain.documents.rewrite(id, text, { collection, ifVersion: etag }),
  ),
  "document-delete": call(z.strictObject(NAMED), async ({ retain }, { id, collection }) =>
    retain.documents.delete(id, { collection }),
  ),
  "document-versions": call(z.strictObject(NAMED), async ({ retain }, { id, collection }) =>
    retain.documents.versions(id, { collection }),
  ),
  "document-diff": call(
    z.strictObject({ ...NAMED, from: z.string(), to: z.optional(z.string()) }),
    async ({ retain }, { id, ...options }) => retain.documents.diff(id, options),
  ),
  /** Without a version, a deleted document comes back. */
  "document-restore": call(
    z.strictObject({ ...NAMED, version: z.optional(z.string()) }),
    async ({ retain }, { id, ...options }) => retain.documents.restore(id, options),
  ),
};
