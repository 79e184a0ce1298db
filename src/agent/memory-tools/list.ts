/** memory_list: documents, facts, the versions of a document, and recent activity. */

import { fenced } from "../../context/fence.ts";
import { trustShown } from "../../context/recalled.ts";
import { deletedText, restoreCommand } from "../../core/documents/versions.ts";
import { RetainError } from "../../core/errors.ts";
import { endInWords } from "../../core/facts/fact.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import { type Hint, hint } from "../../core/hint.ts";
import { documentSource } from "../../core/memory.ts";
import { shareableText } from "../../core/secrets/shareable.ts";
import { NO_DOCUMENTS } from "../../documents/list.ts";
import type { OwnedFact } from "../../facts/list-facts.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine } from "../../util/text.ts";
import type { MemoryToolResult } from "../memory-tool.ts";
import { count } from "../tools/input.ts";
import { activityOf } from "./activity.ts";
import { memoryTool, type ToolAmong } from "./define.ts";
import { documentNamed, FILTERS, type Naming } from "./document-fields.ts";
import { mayChoice, mayFlag, mayText, mayTexts } from "./fields.ts";
import type { ConversationPorts, DocumentVerbs } from "./ports.ts";

const LISTED = ["documents", "facts", "versions", "activity"] as const;
const DEFAULT_LIMIT = 50;
const MOST = 1_000;

const NOTHING = { documents: [], facts: [], versions: [], activity: [] };

export function listTool(ports: ConversationPorts): ToolAmong {
  return memoryTool({
    name: "memory_list",
    commands: {
      list: {},
      facts: { sets: { what: "facts" } },
      versions: { takes: ["id"], sets: { what: "versions" } },
    },
    title: "List memories",
    description:
      "Lists documents, facts, one document's versions, or recent activity (what was saved, changed, ended or talked about), newest " +
      "first, with ids. To search by content, use recall.",
    example: { what: "documents", collection: "plans", filters: ["tags=release", "created_at>=2026-01-01"] },
    effect: "read",
    destructive: false,
    idempotent: true,
    openWorld: false,
    fields: {
      what: mayChoice("Default: documents.", LISTED),
      id: mayText("For versions: id, or collection/id."),
      collection: mayText(),
      filters: mayTexts(FILTERS),
      all: mayFlag("Also facts that ended."),
      limit: count(`Default: ${DEFAULT_LIMIT}.`, 1, MOST),
    },
    async run({ what = "documents", limit = DEFAULT_LIMIT, id, collection, filters, all = false }, _, say) {
      if (what === "facts") return listFacts(ports, all, limit);
      if (what === "activity") return listActivity(ports, limit);
      if (what === "documents")
        return listDocuments(ports, { limit, collection, ...(filters && { filters }) });
      if (id === undefined)
        throw new RetainError("usage", "versions needs the id of a document.", "Pass id.");
      return listVersions(ports.documents, { id, collection }, limit, say);
    },
  });
}

function listResult(
  title: string,
  lines: readonly string[],
  { total, noun, empty }: Readonly<Record<"noun" | "empty", string>> & { readonly total: number },
  data: Readonly<Record<string, unknown>>,
): MemoryToolResult {
  const brief = lines.length === total ? plural(total, noun) : `${lines.length} of ${plural(total, noun)}`;
  const text = total === 0 ? empty : `${fenced(title, lines.map(oneLine).join("\n"))}\n\n${brief}.`;
  return { ok: true, text, data: { ...NOTHING, ...data, total }, brief };
}

async function listDocuments(
  ports: ConversationPorts,
  options: Parameters<DocumentVerbs["list"]>[0],
): Promise<MemoryToolResult> {
  const { documents: found, total } = await ports.documents.list(options);
  const rows = found.map(({ id, collection, title, tags, created_at, updated_at, version }) => {
    return { id, collection, title, tags: [...tags], created_at, updated_at, version };
  });
  const lines = rows.map(({ title, tags, created_at, updated_at, ...ref }) => {
    const time = updated_at ?? created_at;
    const marks = [...(time === null ? [] : [localDay(time)]), ...tags];
    return `- ${documentSource(ref)}: ${title}${marks.length === 0 ? "" : ` (${marks.join(", ")})`}`;
  });
  const empty = total > 0 ? "" : await nothingListed(ports, options.collection);
  return listResult("Documents", lines, { total, noun: "document", empty }, { documents: rows });
}

/** A missing collection is most likely a guessed name. */
async function nothingListed(ports: ConversationPorts, collection: string | undefined): Promise<string> {
  const names = (await ports.documents.collections()).map(({ name }) => name);
  if (collection === undefined) {
    const facts = (await ports.facts.list()).filter(({ chat }) => ports.isInScope(chat)).length;
    return facts === 0
      ? NO_DOCUMENTS
      : `${NO_DOCUMENTS} There are facts, though (${facts}). To list them, pass what: "facts"; notes are in what: "activity".`;
  }
  if (names.includes(collection)) return NO_DOCUMENTS;
  const there = names.length === 0 ? "" : ` Available: ${names.join(", ")}.`;
  return `There is no collection '${collection}'.${there}`;
}

async function listFacts(ports: ConversationPorts, all: boolean, limit: number): Promise<MemoryToolResult> {
  const which = all ? "all" : "holding";
  const facts = (await ports.facts.list({ which })).filter(({ chat }) => ports.isInScope(chat));
  const newest = facts
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    .slice(0, limit)
    .map((fact) => ({ ...fact, text: shareableText(fact.text) }));
  const rows = newest.map((fact) => {
    const { id, text, category, origin, created_at, until, ended_at, source, file } = fact;
    const unconfirmed = isInferredFile(file);
    return { id, text, category, origin, trust: source.trust, unconfirmed, created_at, until, ended_at };
  });
  const lines = newest.map((fact, at) => factLine(fact, trustShown(rows[at] ?? fact.source)));
  const elsewhere = ports.usesNetwork() ? " recall also searches a memory server." : "";
  const empty = `No facts are stored on this machine.${elsewhere}`;
  return listResult("Facts", lines, { total: facts.length, noun: "fact", empty }, { facts: rows });
}

/** Like recall's lines. */
function factLine(fact: OwnedFact, trust: string): string {
  const end = endInWords(fact);
  const marks = [localDay(fact.created_at), `fact ${fact.id}`, trust, ...(end === "" ? [] : [end])];
  return `- ${marks.join(", ")}: ${fact.text}`;
}

async function listActivity(ports: ConversationPorts, limit: number): Promise<MemoryToolResult> {
  const { activity, total } = await activityOf(ports, limit);
  const lines = activity.map(({ at, what, kind, id, text }) => `- ${at}, ${what}: ${kind} ${id}: ${text}`);
  return listResult(
    "Recent activity",
    lines,
    { total, noun: "event", empty: "Nothing was saved, changed or talked about yet." },
    { activity },
  );
}

async function listVersions(
  documents: DocumentVerbs,
  naming: Naming,
  limit: number,
  say: (text: Hint) => string,
): Promise<MemoryToolResult> {
  const named = await documentNamed(documents, naming);
  const past = await documents.versions(named.id, { collection: named.collection });
  const versions = past.versions
    .slice(0, limit)
    .map(({ version, timestamp, author, message, git_ref, current }) => {
      return { version, timestamp, author, message, git_ref, current };
    });
  const lines = versions.map(({ version, timestamp, author, message, current }) => {
    const marks = [timestamp, author, message, current ? "current" : null].filter((mark) => mark !== null);
    return `- ${documentSource(past)} ${version}${marks.length === 0 ? "" : `: ${marks.join(", ")}`}`;
  });
  const gone = past.deleted
    ? [say(hint`${deletedText(past, past.saved_at)} To restore it: ${restoreCommand(past)}`)]
    : [];
  const total = past.versions.length;
  const listed = listResult("Versions", lines, { total, noun: "version", empty: "" }, { versions });
  return { ...listed, text: [...gone, listed.text].filter((part) => part !== "").join("\n\n") };
}
