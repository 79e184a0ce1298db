/** memory_get, memory_list, memory_versions: documents and their earlier versions. */

import { fenced } from "../../context/fence.ts";
import { toContextText } from "../../core/documents/render.ts";
import { deletedText, restoreCommand } from "../../core/documents/versions.ts";
import { hint } from "../../core/hint.ts";
import { documentSource } from "../../core/memory.ts";
import { shareableDocument } from "../../core/secrets/shareable.ts";
import { NO_DOCUMENTS } from "../../documents/list.ts";
import { SORT_KEYS } from "../../documents/sort.ts";
import { localDay, oneLine, plural } from "../../util/text.ts";
import { count } from "../tools/input.ts";
import { memoryTool, type ToolAmong } from "./define.ts";
import { documentNamed, NAMING } from "./document-fields.ts";
import { mayChoice, mayFlag, mayText, mayTexts, mayVersion } from "./fields.ts";
import { COUNT, FLAG, listOfSchema, MAY_NUMBER, MAY_STRING, record, type Schema, STRING } from "./output.ts";
import type { ConversationPorts, DocumentVerbs } from "./ports.ts";

const MOST_CHARACTERS = 50_000;
const MOST_LISTED = 50;
const MOST = 1_000;
const LEFT_OUT = "Private parts and secrets are omitted here, and would be lost if you replaced the content.";

/** Fields in a list, and in a document that was read. */
const SUMMARY: Readonly<Record<string, Schema>> = {
  id: STRING,
  collection: STRING,
  title: STRING,
  tags: listOfSchema(STRING),
  created_at: MAY_STRING,
  updated_at: MAY_STRING,
  version: MAY_NUMBER,
};

export function getTool({ documents }: ConversationPorts): ToolAmong {
  return memoryTool({
    name: "memory_get",
    command: "get",
    title: "Read a document",
    description:
      "Reads a document, or an earlier version of it, by the id that memory_list, memory_search or recall gave. Long documents come " +
      "in parts: continue with offset.",
    example: { id: "release-plan", collection: "plans" },
    effect: "read",
    destructive: false,
    idempotent: true,
    fields: {
      ...NAMING,
      version: mayVersion("An earlier version: v2, or with git any revision."),
      offset: count("The character to start from.", 0, 1_000_000_000),
    },
    output: { ...SUMMARY, etag: STRING, content: STRING, offset: COUNT, length: COUNT },
    async run({ version, offset = 0, ...naming }) {
      const named = await documentNamed(documents, naming);
      const read = await documents.get(named.id, { collection: named.collection, version });
      const document = shareableDocument(read);
      const { id, collection, title, created_at, updated_at, etag } = document;
      const content = partOf(document.content, offset);
      const rest = document.content.length - offset - content.length;
      const about = [
        `Document: ${documentSource(document)}`,
        ...(document.version === null ? [] : [`Version: ${document.version}`]),
        ...(updated_at === null ? [] : [`Updated: ${updated_at}`]),
      ].map(oneLine);
      const said = offset === 0 ? toContextText({ ...document, content }) : content;
      const more = rest > 0 ? ` There is more: continue with offset ${offset + content.length}.` : "";
      const left = document.content === read.content ? "" : ` ${LEFT_OUT}`;
      return {
        ok: true,
        text: `${fenced("Document", `${about.join("\n")}\n\n${said}`)}\n\nEtag: ${etag}.${more}${left}`,
        data: {
          ...{ id, collection, title, tags: [...document.tags], created_at, updated_at },
          ...{ version: document.version, etag, content, offset, length: document.content.length },
        },
        brief: plural(content.length, "character"),
      };
    },
  });
}

/** Never cuts in the middle of a character. */
function partOf(content: string, offset: number): string {
  const part = content.slice(offset, offset + MOST_CHARACTERS);
  return part.length < MOST_CHARACTERS ? part : part.replace(/[\ud800-\udbff]$/, "");
}

export function listTool(documents: DocumentVerbs): ToolAmong {
  return memoryTool({
    name: "memory_list",
    command: "list",
    title: "List documents",
    description:
      "Lists documents with their ids, newest first. To find one by its content, use memory_search or recall.",
    example: { collection: "plans", filters: ["tags=release", "created_at>=2026-01-01"] },
    effect: "read",
    destructive: false,
    idempotent: true,
    fields: {
      collection: mayText("Only this collection."),
      filters: mayTexts("All must match: tags=a,b  priority!=low  created_at>=2026-01-01."),
      sort: mayChoice('By default "updated"; times are newest first.', SORT_KEYS),
      reverse: mayFlag("Reverse the order."),
      limit: count(`At most this many; by default ${MOST_LISTED}.`, 1, MOST),
    },
    output: { documents: listOfSchema(record(SUMMARY)), total: COUNT },
    async run({ limit = MOST_LISTED, ...options }) {
      const { documents: found, total } = await documents.list({ limit, ...options });
      const rows = found.map(({ id, collection, title, tags, created_at, updated_at, version }) => {
        return { id, collection, title, tags: [...tags], created_at, updated_at, version };
      });
      const lines = rows.map(({ title, tags, created_at, updated_at, ...ref }) => {
        const time = updated_at ?? created_at;
        const marks = [...(time === null ? [] : [localDay(time)]), ...tags];
        return oneLine(
          `- ${documentSource(ref)}: ${title}${marks.length === 0 ? "" : ` (${marks.join(", ")})`}`,
        );
      });
      const counted =
        rows.length === total ? plural(total, "document") : `${rows.length} of ${total} documents`;
      return {
        ok: true,
        text:
          total === 0
            ? await nothingListed(documents, options.collection)
            : `${fenced("Documents", lines.join("\n"))}\n\n${counted}.`,
        data: { documents: rows, total },
        brief: counted,
      };
    },
  });
}

/** A missing collection is most likely a guessed name. */
async function nothingListed(documents: DocumentVerbs, collection: string | undefined): Promise<string> {
  const names = (await documents.collections()).map(({ name }) => name);
  if (collection === undefined || names.includes(collection)) return NO_DOCUMENTS;
  const there = names.length === 0 ? "" : ` Available: ${names.join(", ")}.`;
  return `There is no collection '${collection}'.${there}`;
}

export function versionsTool(documents: DocumentVerbs): ToolAmong {
  return memoryTool({
    name: "memory_versions",
    command: "versions",
    title: "List a document's versions",
    description: "Lists a document's stored versions, newest first; memory_get reads one of them.",
    example: { id: "release-plan" },
    effect: "read",
    destructive: false,
    idempotent: true,
    fields: NAMING,
    output: {
      id: STRING,
      collection: STRING,
      deleted: FLAG,
      versions: listOfSchema(
        record({
          version: STRING,
          timestamp: MAY_STRING,
          author: MAY_STRING,
          message: MAY_STRING,
          git_ref: MAY_STRING,
          current: FLAG,
        }),
      ),
    },
    async run(naming, _signal, say) {
      const named = await documentNamed(documents, naming);
      const past = await documents.versions(named.id, { collection: named.collection });
      const { id, collection, deleted } = past;
      const versions = past.versions.map(({ version, timestamp, author, message, git_ref, current }) => {
        return { version, timestamp, author, message, git_ref, current };
      });
      const lines = versions.map(({ version, timestamp, author, message, current }) => {
        const marks = [timestamp, author, message, current ? "current" : null].filter(
          (mark) => mark !== null,
        );
        return oneLine(`- ${version}${marks.length === 0 ? "" : `: ${marks.join(", ")}`}`);
      });
      const gone = deleted
        ? [say(hint`${deletedText(past, past.saved_at)} To restore it: ${restoreCommand(past)}`)]
        : [];
      const counted = plural(versions.length, "version");
      return {
        ok: true,
        text: [...gone, fenced("Versions", [`${documentSource(past)}:`, ...lines].join("\n"))].join("\n\n"),
        data: { id, collection, deleted, versions },
        brief: counted,
      };
    },
  });
}
