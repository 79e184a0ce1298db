/** Changes a document's content, tags or metadata. Everything else stays. */
import { type DocumentRef, etagOf, fieldText } from "../core/documents/document.ts";
import { contentOf, printMarkdown, withFields } from "../core/documents/frontmatter.ts";
import type { Fields } from "../core/documents/read-yaml.ts";
import { versionNumber } from "../core/documents/versions.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import type { DocumentIndex } from "../core/ports/documents.ts";
import { shareableText } from "../core/secrets/shareable.ts";
import { type Replacement, replaceOnce } from "../core/text/replace-once.ts";
import { sha256 } from "../util/hash.ts";
import {
  broughtFields,
  type DocumentFieldsInput,
  differing,
  mergedTags,
  parseInput,
  requestedFields,
  requireStorable,
  saying,
  titleAfter,
} from "./input.ts";
import { type ByClient, type DocumentPorts, signer } from "./ports.ts";
import { type OpenDocument, openDocument } from "./read.ts";
import { refuseSecrets, secretsIn, warnOfSecrets } from "./secrets.ts";
import { keepMode, refuseUnreadable, unchanged, type WrittenDocument, writeSingle } from "./write.ts";

export interface UpdateInput extends DocumentFieldsInput, ByClient {
  /** New Markdown; fields in its frontmatter are applied too. */
  content?: string;
  /** A passage of the content that occurs once, and its new text. Private text and secrets cannot be matched. */
  replace?: Replacement;
  collection?: string;
  /** Add `tags` to the existing tags instead of replacing them. */
  mergeTags?: boolean;
  updated_by?: string;
  /** Fail with `conflict` unless the document is still at this version ("3"), or has these exact bytes (an etag). */
  ifVersion?: string | number;
  /** Keep the previous state as a version even if `auto_version` is off. */
  snapshot?: boolean;
  /** Fail with `secret` if the content or a field contains one, instead of warning. */
  refuseSecrets?: boolean;
}

export type RewriteOptions = Pick<UpdateInput, "collection" | "updated_by" | "ifVersion" | "snapshot">;

export interface UpdateResult extends WrittenDocument {
  readonly action: "updated" | "unchanged";
  /** Where the new content and fields contain secrets. Omitted if there are none. */
  readonly secrets?: readonly string[];
}

export async function updateDocument(
  ports: DocumentPorts,
  ref: DocumentRef,
  input: UpdateInput,
): Promise<UpdateResult> {
  const { content, replace } = input;
  if (content !== undefined && replace !== undefined)
    throw new RetainError("usage", "Pass either new content or a passage to replace, not both.");
  const limit = ports.settings.max_document_bytes;
  const incoming = content === undefined ? null : parseInput(content, limit);
  const requested = { ...(incoming && broughtFields(incoming)), ...requestedFields(input) };
  if (incoming === null && replace === undefined && Object.keys(requested).length === 0)
    throw new RetainError(
      "usage",
      "There is nothing to update.",
      hint`Pass ${option("content")}, ${option("tags")}, ${option("metadata")} or another field.`,
    );
  const secrets = secretsIn(content ?? replace?.new ?? "", requestedFields(input));
  if (input.refuseSecrets) refuseSecrets(secrets);
  return writeChanged(ports, ref, "update", { ...input, secrets }, (current) => {
    refuseUnreadable(current);
    const fields: Fields = { ...requested };
    if (input.mergeTags) fields.tags = mergedTags(current.document, requested);
    const next =
      replace === undefined
        ? incoming && contentOf(incoming)
        : withReplaced(contentOf(current.markdown), replace, limit);
    if (next === null) return withFields(current.markdown, differing(fields, current.markdown.fields));
    const titled = titleAfter(current.document, next);
    if (titled !== null && !Object.hasOwn(fields, "title")) fields.title = titled;
    return saying(withFields(current.markdown, differing(fields, current.markdown.fields)), next);
  });
}

/** Throws like `replaceOnce` and `requireStorable`. */
function withReplaced(content: string, replace: Replacement, limit: number): string {
  const next = replaceOnce(content, replace, shareableText(content));
  requireStorable(next, limit);
  return next;
}

/**
 * Replaces the whole text including frontmatter, as saved by an editor. A text without frontmatter keeps the document's;
 * a text that only lost the opening fence, or has another id, is an error.
 */
export async function rewriteDocument(
  ports: DocumentPorts,
  ref: DocumentRef,
  text: string,
  options: RewriteOptions,
): Promise<UpdateResult> {
  const rewritten = parseInput(text, ports.settings.max_document_bytes);
  return writeChanged(ports, ref, "edit", { ...options, secrets: secretsIn(text) }, ({ markdown }) => {
    const id = fieldText(rewritten.fields.id);
    // After a file was renamed, it has its old id until the next write.
    if (id !== null && id !== ref.id && id !== fieldText(markdown.fields.id))
      throw new RetainError(
        "invalid_input",
        `Not saved: the id is the file's name, '${ref.id}', and can't be edited.`,
        `Write 'id: ${ref.id}' again, or rename the file.`,
      );
    if (rewritten.yaml !== null || markdown.yaml === null) return rewritten;
    const lostKey = /^([\w-]+):[^\n]*\n(?:[\s\S]*\n)?---[ \t]*\r?(?:\n|$)/.exec(rewritten.body)?.[1];
    if (lostKey !== undefined && Object.hasOwn(markdown.fields, lostKey))
      throw new RetainError(
        "invalid_input",
        "The frontmatter's opening '---' is missing.",
        "Add it back as the first line.",
      );
    return markdown.problem === null ? saying(markdown, text) : rewritten;
  });
}

async function writeChanged(
  ports: DocumentPorts,
  ref: DocumentRef,
  label: string,
  { secrets, ...options }: RewriteOptions & ByClient & { readonly secrets: readonly string[] },
  change: (current: OpenDocument) => OpenDocument["markdown"],
): Promise<UpdateResult> {
  warnOfSecrets(ports, [{ name: ref.id, secrets }]);
  return ports.lock.exclusively(() => {
    const current = openDocument(ports, ref);
    if (options.ifVersion !== undefined) checkVersion(ports.index, current, String(options.ifVersion));
    const markdown = change(current);
    if (printMarkdown(markdown) === printMarkdown(current.markdown))
      return { ...unchanged(current), action: "unchanged" as const };
    const by = options.updated_by ?? signer(ports, options);
    const plan = { ref, current, markdown, by, keep: keepMode(options.snapshot) };
    const updated = { ...writeSingle(ports, plan, label), action: "updated" as const };
    return secrets.length === 0 ? updated : { ...updated, secrets };
  });
}

/** A number matches until somebody edits the file by hand or Retain writes it; an etag matches these exact bytes. */
function checkVersion(index: DocumentIndex, { file, document }: OpenDocument, expected: string): void {
  const etag = etagOf(document.version, file.bytes);
  if (expected === etag) return;
  const number = versionNumber(expected);
  if (number === null && !/^\d+-[0-9a-f]{12}$/.test(expected))
    throw new RetainError(
      "usage",
      `'${expected}' is not a version.`,
      hint`Pass a number (${option("if-version", "3")}), or the etag. To see it: ${command("get", document.id, option("json"))}`,
    );
  const written = index.find(file.ref)?.writtenHash ?? null;
  const edited = written !== null && written !== sha256(file.bytes);
  if (number === document.version && !edited) return;
  const found = edited
    ? `edited by hand since version ${document.version}`
    : `at version ${document.version ?? "none"}`;
  throw new RetainError(
    "conflict",
    `Nothing was written: '${document.id}' has changed. It is ${found}, not at ${expected}.`,
    hint`Read it again, then pass ${option("if-version", etag)}`,
  );
}
