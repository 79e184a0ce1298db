/**
 * Finds secrets in a document before it is stored. Its owner may store one after a warning; a model must ask first. Search, models
 * and servers never get a stored secret (core/secrets/shareable.ts). Private parts aren't checked: they are never shared either.
 */

import type { DocumentRef } from "../core/documents/document.ts";
import type { Fields } from "../core/documents/read-yaml.ts";
import { RetainError } from "../core/errors.ts";
import { withPrivateBlanked } from "../core/secrets/private.ts";
import { findSecrets } from "../core/secrets/secrets.ts";
import { plural } from "../util/in-words.ts";
import type { DocumentPorts } from "./ports.ts";

const MOST_NAMED = 5;
const MOST_DOCUMENTS = 10;

/** Where the secrets are, without the secrets: "line 4 contains a password", "the field 'context' contains a token". */
export function secretsIn(text: string, fields: Fields = {}): string[] {
  const open = withPrivateBlanked(text);
  let [line, counted] = [1, 0];
  const inText = findSecrets(open).map(({ what, start }) => {
    line += open.slice(counted, start).split("\n").length - 1;
    counted = start;
    return `line ${line} contains ${what}`;
  });
  const inFields = Object.entries(fields).flatMap(([key, value]) =>
    textsIn(key, value).flatMap((field) =>
      findSecrets(withPrivateBlanked(field)).map(({ what }) => `the field '${key}' contains ${what}`),
    ),
  );
  return [...new Set([...inText, ...inFields])];
}

/** Each value with its key, since the key may be what makes it a secret. */
function textsIn(key: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(key, one));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([inner, one]) => textsIn(inner, one));
  return value === undefined || value === null ? [] : [`${key}: ${value}`];
}

/** Where these stored documents contain secrets. An unreadable one is left out: `list` warns about it. */
export function secretsOf(
  { files }: Pick<DocumentPorts, "files">,
  documents: readonly DocumentRef[],
): { name: string; secrets: string[] }[] {
  return documents.map((ref) => {
    try {
      return { name: ref.id, secrets: secretsIn(new TextDecoder().decode(files.read(ref)?.bytes)) };
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      return { name: ref.id, secrets: [] };
    }
  });
}

/** Throws `secret` if there are any. */
export function refuseSecrets(found: readonly string[]): void {
  if (found.length === 0) return;
  throw new RetainError(
    "secret",
    `Not stored: ${listed(found)}.`,
    "Remove it, or pass allow_secret: true if the user wants it in the file. No model or server gets it from there.",
  );
}

/** Warns about each document that contains secrets, by name. */
export function warnOfSecrets(
  { warn }: Pick<DocumentPorts, "warn">,
  documents: readonly { readonly name: string; readonly secrets: readonly string[] }[],
): void {
  const affected = documents.filter(({ secrets }) => secrets.length > 0);
  for (const { name, secrets } of affected.slice(0, MOST_DOCUMENTS))
    warn(`'${name}': ${listed(secrets)}. The file keeps it; search, models and servers don't get it.`);
  const rest = affected.length - MOST_DOCUMENTS;
  if (rest > 0) warn(`${plural(rest, "more document contains", "more documents contain")} secrets.`);
}

function listed(found: readonly string[]): string {
  const rest = found.length - MOST_NAMED;
  return [...found.slice(0, MOST_NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
