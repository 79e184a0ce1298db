/** Memories as MCP resources: the newest are listed, each can be read by its URI, and ids complete as they are typed. */
import { type Resource, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { errorForModel } from "../agent/error-for-model.ts";
import type { MemoryTool } from "../agent/memory-tool.ts";
import { entryText } from "../agent/memory-tools/entry-text.ts";
import type { Retain } from "../app.ts";
import { fenced, harmless } from "../context/fence.ts";
import { lastDays } from "../context/time.ts";
import { RetainError, unlessMissing } from "../core/errors.ts";
import { shareableText } from "../core/secrets/shareable.ts";
import type { OwnedFact } from "../facts/list-facts.ts";
import { oneLine, truncate } from "../util/text.ts";
import { isIncognito } from "./incognito.ts";
import {
  CONTEXT_URI,
  documentUri,
  entryUri,
  MEMORY_TEMPLATE,
  nameInUri,
  readMemoryUri,
} from "./memory-uri.ts";
import { SWITCHED_OFF } from "./off.ts";

const MARKDOWN = "text/markdown";
/** Per kind. */
const LISTED = 20;
/** The protocol's limit. */
const COMPLETIONS = 100;
const NAME_LENGTH = 80;

const CONTEXT_RESOURCE: Resource = {
  uri: CONTEXT_URI,
  name: "context",
  title: "Context",
  description:
    "The context to start a conversation with: instructions, who the user is, facts, notes of the last days.",
  mimeType: MARKDOWN,
};

export const MEMORY_RESOURCES = {
  uriTemplate: MEMORY_TEMPLATE,
  name: "memory",
  title: "A memory",
  description: "A fact or a note by its id, a document as <collection>/<id>.",
  mimeType: MARKDOWN,
};

export async function listResources(retain: Retain): Promise<Resource[]> {
  if (retain.isOff) return [CONTEXT_RESOURCE];
  const { documents } = await retain.documents.list({ limit: LISTED });
  const facts = newest(await retain.facts.list()).slice(0, LISTED);
  const days = lastDays(retain.now(), Math.max(1, retain.config.settings.memory_days));
  const { notes } = await retain.facts.notes(days);
  return [
    CONTEXT_RESOURCE,
    ...documents.map(({ collection, id, title, updated_at, created_at }) =>
      resource(documentUri(collection, id), `${collection}/${id}`, title, updated_at ?? created_at),
    ),
    ...facts.map(({ id, text, created_at }) => resource(entryUri(id), id, text, created_at)),
    ...notes
      .toReversed()
      .slice(0, LISTED)
      .map(({ id, title }) => resource(entryUri(id), id, title, null)),
  ];
}

function resource(uri: string, name: string, title: string, changed: string | null): Resource {
  const lastModified = changed === null ? Number.NaN : Date.parse(changed);
  return {
    uri,
    name: oneLine(name),
    title: truncate(harmless(oneLine(title)), NAME_LENGTH),
    mimeType: MARKDOWN,
    ...(!Number.isNaN(lastModified) && {
      annotations: { lastModified: new Date(lastModified).toISOString() },
    }),
  };
}

function newest(facts: readonly OwnedFact[]): OwnedFact[] {
  return facts.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
}

/** Template values with this beginning: documents, then facts, newest first. */
export async function completeMemory(
  retain: Retain,
  beginning: string,
): Promise<{ values: string[]; total: number }> {
  const { documents } = await retain.documents.list();
  const facts = newest(await retain.facts.list());
  const uris = [
    CONTEXT_URI,
    ...documents.map(({ collection, id }) => documentUri(collection, id)),
    ...facts.map(({ id }) => entryUri(id)),
  ];
  const fitting = uris.map(nameInUri).filter((name) => name.startsWith(beginning));
  return { values: fitting.slice(0, COMPLETIONS), total: fitting.length };
}

/** For comparing: null if the memory is gone. Throws ResourceNotFoundError if the URI isn't one of a memory. */
export async function resourceText(
  retain: Retain,
  uri: string,
  chat: string | undefined,
): Promise<string | null> {
  if (readMemoryUri(uri) === null) return textOf(retain, uri, chat);
  return unlessMissing(textOf(retain, uri, chat)).catch((error: unknown) => {
    if (error instanceof ResourceNotFoundError) return null;
    throw error;
  });
}

/** Throws ResourceNotFoundError. */
export async function readResource(
  retain: Retain,
  uri: string,
  chat: string | undefined,
  tools: readonly MemoryTool[],
) {
  const text = await textOf(retain, uri, chat).catch((error: unknown) => {
    if (!(error instanceof RetainError && error.code === "not_found")) throw error;
    throw new ResourceNotFoundError(uri, errorForModel(error, tools));
  });
  return { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

async function textOf(retain: Retain, uri: string, chat: string | undefined): Promise<string> {
  const name = readMemoryUri(uri);
  if (name === null)
    throw new ResourceNotFoundError(
      uri,
      `'${uri}' is not the URI of a memory. For example: ${documentUri("notes", "auth")}`,
    );
  if (name.kind === "context")
    return (
      await retain.context({
        marks: false,
        incognito: isIncognito(retain),
        ...(chat !== undefined && { chat }),
      })
    ).text;
  if (retain.isOff) throw new ResourceNotFoundError(uri, SWITCHED_OFF);
  if (name.kind === "document") {
    const { text } = await retain.documents.source(name.id, { collection: name.collection });
    return fenced("Document", shareableText(text));
  }
  const found = await retain.find(name.id);
  if (found.kind === "fact" || found.kind === "note") return entryText(found);
  throw new ResourceNotFoundError(uri, `There is no fact or note '${name.id}'.`);
}
