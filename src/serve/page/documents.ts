/** Calls that change documents, and show their versions. */

import type { Retain } from "../../app.ts";
import { documentOfSource } from "../../core/memory.ts";
import * as z from "../../util/zod.ts";
import { call } from "./call.ts";

/** Of a document that both the project and the home workspace have. Default: the nearest one that has it. */
export const ORIGIN = z.optional(z.enum(["project", "home"]));

const MOST_PATHS = 500;

const NAMED = { id: z.string(), collection: z.string(), origin: ORIGIN };

export function documentsOf({ documents }: Retain, { origin }: { origin?: "project" | "home" | undefined }) {
  return origin === undefined ? documents : documents.in(origin);
}

export const documentCalls = {
  "document-new": call(
    z.strictObject({
      text: z.string(),
      title: z.optional(z.string()),
      id: z.optional(z.string()),
      collection: z.optional(z.string()),
      tags: z.optional(z.array(z.string())),
      origin: ORIGIN,
    }),
    async ({ retain }, { text, origin, ...fields }) =>
      documentsOf(retain, { origin }).put({ content: text, ...fields, noOverwrite: true }),
  ),
  /** The documents at these paths ("collection/id"), without those that don't exist. */
  "document-paths": call(
    z.strictObject({ paths: z.array(z.string()).check(z.maxLength(MOST_PATHS)), origin: ORIGIN }),
    async ({ retain }, { paths, ...of }) => {
      const found = paths.map(async (path) => {
        const { collection, id } = documentOfSource(path);
        const ref = path.includes("/") ? await documentsOf(retain, of).find(id, { collection }) : null;
        return ref === null ? [] : [{ path, ...ref }];
      });
      return (await Promise.all(found)).flat();
    },
  ),
  /** Replaces the whole file. `conflict`: it isn't at `etag` any more. */
  "document-save": call(
    z.strictObject({ ...NAMED, text: z.string(), etag: z.string() }),
    async ({ retain }, { id, collection, text, etag, ...of }) =>
      documentsOf(retain, of).rewrite(id, text, { collection, ifVersion: etag }),
  ),
  "document-delete": call(z.strictObject(NAMED), async ({ retain }, { id, collection, ...of }) =>
    documentsOf(retain, of).delete(id, { collection }),
  ),
  "document-versions": call(z.strictObject(NAMED), async ({ retain }, { id, collection, ...of }) =>
    documentsOf(retain, of).versions(id, { collection }),
  ),
  "document-diff": call(
    z.strictObject({ ...NAMED, from: z.string(), to: z.optional(z.string()) }),
    async ({ retain }, { id, origin, ...options }) => documentsOf(retain, { origin }).diff(id, options),
  ),
  /** Without a version, a deleted document comes back. */
  "document-restore": call(
    z.strictObject({ ...NAMED, version: z.optional(z.string()) }),
    async ({ retain }, { id, origin, ...options }) => documentsOf(retain, { origin }).restore(id, options),
  ),
};
