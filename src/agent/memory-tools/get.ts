/** memory_get: a document or an earlier version of it, a fact, or a note. */

import { fenced } from "../../context/fence.ts";
import { fieldLines } from "../../core/documents/render.ts";
import { headingOf } from "../../core/documents/slug.ts";
import { documentSource } from "../../core/memory.ts";
import { shareableDocument, shareableText } from "../../core/secrets/shareable.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine } from "../../util/text.ts";
import type { MemoryToolResult } from "../memory-tool.ts";
import { count } from "../tools/input.ts";
import { memoryTool, type ToolAmong } from "./define.ts";
import { documentNamed, entryNamed, NAMING } from "./document-fields.ts";
import { entryText } from "./entry-text.ts";
import { mayVersion } from "./fields.ts";
import type { ConversationPorts, Entry } from "./ports.ts";

const MOST_CHARACTERS = 50_000;
const LEFT_OUT =
  "Private parts and secrets are omitted here. Replacing the content would lose them; replacing a passage keeps them.";

export function getTool(ports: ConversationPorts): ToolAmong {
  const { documents } = ports;
  return memoryTool({
    name: "memory_get",
    commands: { get: {} },
    title: "Read a memory",
    description:
      "Reads a document (or an earlier version), fact or note. Long documents come in parts: continue with offset.",
    example: { id: "release-plan", collection: "plans" },
    effect: "read",
    destructive: false,
    idempotent: true,
    openWorld: false,
    fields: {
      ...NAMING,
      version: mayVersion("v2, or a git revision."),
      offset: count("The first character.", 0, 1_000_000_000),
    },
    async run({ version, offset = 0, ...naming }) {
      const entry = version === undefined ? await entryNamed(ports, naming) : null;
      if (entry !== null) return entryResult(entry);
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
        ...(offset > 0 ? [] : fieldLines(document)),
        ...(offset > 0 || headingOf(content) === title ? [] : [`Title: ${title}`]),
      ].map(oneLine);
      const more = rest > 0 ? ` There is more: continue with offset ${offset + content.length}.` : "";
      const left = document.content === read.content ? "" : ` ${LEFT_OUT}`;
      return {
        ok: true,
        text: `${fenced("Document", `${about.join("\n")}\n\n${content}`)}\n\nEtag: ${etag}.${more}${left}`,
        data: {
          ...{ kind: "document", id, collection, title, tags: [...document.tags], created_at, updated_at },
          ...{ version: document.version, etag, content, offset, length: document.content.length },
        },
        brief: plural(content.length, "character"),
      };
    },
  });
}

function entryResult(entry: Entry): MemoryToolResult {
  const { id, text, title, created_at } = fieldsOf(entry);
  const content = shareableText(text);
  return {
    ok: true,
    text: `${entryText(entry)}\n\nId: ${id}.`,
    data: {
      ...{
        kind: entry.kind === "note" ? "note" : "fact",
        id,
        collection: null,
        title,
        tags: [],
        created_at,
        updated_at: null,
      },
      ...{ version: null, etag: null, content, offset: 0, length: content.length },
    },
    brief: plural(content.length, "character"),
  };
}

function fieldsOf(entry: Entry): Record<"id" | "text" | "title", string> & { created_at: string | null } {
  if (entry.kind === "note") return { ...entry.note, created_at: entry.note.day };
  if (entry.kind === "statement") return { ...entry.statement, title: "", created_at: null };
  const { fact } = entry.provenance;
  return { ...fact, title: fact.category };
}

/** Never cuts in the middle of a character. */
function partOf(content: string, offset: number): string {
  const part = content.slice(offset, offset + MOST_CHARACTERS);
  return part.length < MOST_CHARACTERS ? part : part.replace(/[\ud800-\udbff]$/, "");
}
