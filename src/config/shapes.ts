/** Schemas of structured settings: folders, model endpoints, URLs, variable names. */
import { isNewName } from "../core/documents/names.ts";
import { isPattern } from "../core/documents/patterns.ts";
import * as z from "../util/zod.ts";

export const collectionName = () =>
  z.string().check(z.refine((name) => isNewName("collection", name), "not a valid collection name"));

const patterns = () => z.optional(z.array(z.string().check(z.refine(isPattern, "not a valid pattern"))));

export const folder = () =>
  z.strictObject({
    name: collectionName(),
    path: z.string().check(z.refine((path) => /^(?:~?\/|~$)[^\0]*$/.test(path), "not an absolute path")),
    include: patterns(),
    exclude: patterns(),
  });

/** A directory of Markdown outside the workspace, indexed as a read-only collection. Its path may start with `~/`. */
export type Folder = z.infer<ReturnType<typeof folder>>;

export function haveOwnNames(entries: readonly { readonly name: string }[]): boolean {
  return new Set(entries.map(({ name }) => name.toLowerCase())).size === entries.length;
}

export const variableName = () => z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/));

/** Whether a URL has no user name or password: messages show URLs. */
function isPlainUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.username === "" && parsed.password === "";
}

export const httpUrl = () =>
  z
    .url({ protocol: /^https?$/ })
    .check(z.refine(isPlainUrl, "a URL must not contain a user name or password"));

/** The part of a model's name before the slash. */
export const ENDPOINT_NAME = /^(?!none$)[a-z0-9][a-z0-9_.-]{0,63}$/;

export const modelEndpoint = () =>
  z.strictObject({
    name: z.string().check(z.regex(ENDPOINT_NAME)),
    url: httpUrl(),
    key_env: z.optional(variableName()),
  });

/** A server with OpenAI's chat API, under a name that the user chose. */
export type ModelEndpoint = z.infer<ReturnType<typeof modelEndpoint>>;

/** "provider/model", or empty. */
export const modelName = () => z.string().check(z.regex(/^[^\s\p{C}]*$/u));
