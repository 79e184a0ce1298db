/** memory_put, memory_update, memory_delete. The previous content is kept as a version, so that each can be undone. */
import { restoreCommand } from "../../core/documents/versions.ts";
import { RetainError } from "../../core/errors.ts";
import { command, hint } from "../../core/hint.ts";
import { documentSource } from "../../core/memory.ts";
import { replaceOnce } from "../../core/text/replace-once.ts";
import type { Provenance } from "../../facts/why.ts";
import type { MemoryToolResult } from "../memory-tool.ts";
import { text } from "../tools/input.ts";
import { memoryTool, type ToolAmong } from "./define.ts";
import { ALLOW_SECRET, documentNamed, entryNamed, FIELDS, keptAs, NAMING } from "./document-fields.ts";
import { mayFlag, mayText, mayVersion } from "./fields.ts";
import { replacedText } from "./memory-text.ts";
import type { ConversationPorts } from "./ports.ts";

/** Tells the user which secrets a stored document contains. */
function keptSecrets(secrets: readonly string[] = []): string {
  return secrets.length === 0 ? "" : ` Only the file contains the secrets: ${secrets.join(", ")}.`;
}

export function putTool({ documents, client, usesNetwork }: ConversationPorts): ToolAmong {
  return memoryTool({
    name: "memory_put",
    title: "Store a document",
    description:
      "Stores a Markdown document: research, a plan, a decision, anything longer than a fact. The same id replaces it; omitted fields " +
      "keep their values.",
    example: { content: "# Release plan\n\nShip on 12 May.", collection: "plans", tags: ["release"] },
    effect: "write",
    destructive: true,
    idempotent: true,
    openWorld: usesNetwork(),
    fields: {
      content: text("Markdown."),
      id: mayText("Default: from the title."),
      collection: mayText('Default: "memory".'),
      ...FIELDS,
      no_overwrite: mayFlag("Fail if it exists."),
      allow_secret: ALLOW_SECRET,
    },
    async run({ no_overwrite: noOverwrite, allow_secret: allowSecret, ...input }) {
      const put = await documents.put({
        ...input,
        noOverwrite,
        client: client(),
        snapshot: true,
        refuseSecrets: allowSecret !== true,
      });
      const { id, collection, action, version, kept_version, file_path, title, also_in } = put;
      const name = documentSource(put);
      const verb = { created: "Stored", replaced: "Replaced", unchanged: "Unchanged" }[action];
      const doubled = also_in.length === 0 ? "" : ` The same id is also in: ${also_in.join(", ")}.`;
      return {
        ok: true,
        text: `${verb}: ${name}, version ${version}.${keptAs(kept_version)}${doubled}${keptSecrets(put.secrets)}`,
        data: { id, collection, action, version, kept_version, file_path, title, also_in: [...also_in] },
        brief: `${action} ${name}`,
      };
    },
  });
}

export function updateTool(ports: ConversationPorts): ToolAmong {
  const { documents, client, usesNetwork } = ports;
  return memoryTool({
    name: "memory_update",
    commands: { update: {} },
    title: "Change a memory",
    description:
      "Changes a document or fact: a passage (old_text, new_text), all of its text (content), or a document's fields. Before you " +
      "replace a whole document, read it, and pass its etag as if_version. memory_undo reverts it.",
    example: { id: "release-plan", old_text: "Ship on 12 May.", new_text: "Ship on 19 May." },
    effect: "write",
    destructive: true,
    idempotent: true,
    openWorld: usesNetwork(),
    fields: {
      ...NAMING,
      old_text: mayText("Exact text that occurs once."),
      new_text: mayText("'' removes it."),
      content: mayText("The whole new text."),
      ...FIELDS,
      merge_tags: mayFlag("Add the tags."),
      if_version: mayVersion("Fail unless it has this version or etag."),
      allow_secret: ALLOW_SECRET,
    },
    async run({ id: said, collection: within, ...input }) {
      const { old_text, new_text, content, merge_tags, if_version, allow_secret, ...fields } = input;
      if ((old_text === undefined) !== (new_text === undefined))
        throw new RetainError("usage", "old_text and new_text belong together.", "Pass both, or content.");
      const replace =
        old_text === undefined || new_text === undefined ? undefined : { old: old_text, new: new_text };
      const naming = { id: said, collection: within };
      const entry = await entryNamed(ports, naming);
      if (entry !== null) {
        if (entry.kind === "note")
          throw new RetainError("usage", "A note cannot be changed.", "Save a fact with retain instead.");
        const fact = entry.kind === "fact" ? entry.provenance.fact : entry.statement;
        if (
          Object.values({ ...fields, merge_tags, if_version, allow_secret }).some((one) => one !== undefined)
        )
          throw new RetainError(
            "usage",
            "Only a fact's text can be changed.",
            "Pass old_text and new_text, or content.",
          );
        return editFact(ports, fact, replace === undefined ? content : replaceOnce(fact.text, replace));
      }
      const named = await documentNamed(documents, naming);
      const updated = await documents.update(named.id, {
        ...{ ...fields, content, ...(replace && { replace }) },
        ...{ mergeTags: merge_tags, ifVersion: if_version, collection: named.collection },
        ...{ client: client(), snapshot: true, refuseSecrets: allow_secret !== true },
      });
      const { id, collection, action, version, kept_version, file_path } = updated;
      const name = documentSource(updated);
      const verb = action === "updated" ? "Updated" : "Unchanged";
      return {
        ok: true,
        text: `${verb}: ${name}, version ${version}.${keptAs(kept_version)}${keptSecrets(updated.secrets)}`,
        data: { id, collection, action, version, kept_version, file_path, replaced: null },
        brief: `${action} ${name}`,
      };
    },
  });
}

async function editFact(
  { facts, source }: ConversationPorts,
  { id }: Pick<Provenance["fact"], "id">,
  content: string | undefined,
): Promise<MemoryToolResult> {
  if (content === undefined)
    throw new RetainError("usage", "There is nothing to change.", "Pass old_text and new_text, or content.");
  const edited = await facts
    .edit(id, content, { ...source(), by: "memory_update", trust: "inferred" })
    .catch((error: unknown) => {
      if (!(error instanceof RetainError && error.code === "secret")) throw error;
      // The command could allow it.
      throw new RetainError("secret", error.message, "Remove it: a fact never contains a secret.");
    });
  const { action, before, after } = edited;
  const isSame = action === "unchanged";
  return {
    ok: true,
    text: isSame
      ? `Unchanged: fact ${before.id} already says that.`
      : `Changed: fact ${after.id} now says ${JSON.stringify(after.text)}.\n\n${replacedText([{ ...before, by: after.id, why: "edited" }])}`,
    data: {
      ...{ id: after.id, collection: null, action, version: null, kept_version: null, file_path: null },
      replaced: isSame ? null : before.id,
    },
    brief: `${action} ${after.id}`,
  };
}

export function deleteTool(ports: ConversationPorts): ToolAmong {
  const { documents, usesNetwork } = ports;
  return memoryTool({
    name: "memory_delete",
    commands: { delete: {} },
    title: "Delete a document",
    description: "Deletes a document, if the user asks for it. memory_undo restores it.",
    example: { id: "release-plan", collection: "plans" },
    effect: "remove",
    destructive: true,
    idempotent: false,
    openWorld: usesNetwork(),
    fields: NAMING,
    async run(naming, _signal, say) {
      const entry = await entryNamed(ports, naming);
      if (entry !== null)
        throw new RetainError(
          "usage",
          `That is a ${entry.kind === "note" ? "note" : "fact"}, not a document. Nothing was deleted.`,
          hint`If the user wants every trace of it removed: ${command("forget", naming.id)}`,
        );
      const named = await documentNamed(documents, naming);
      const deleted = await documents.delete(named.id, { collection: named.collection });
      const { id, collection, kept_version, file_path } = deleted;
      const name = documentSource(deleted);
      return {
        ok: true,
        text: say(hint`Deleted: ${name}.${keptAs(kept_version)} To restore it: ${restoreCommand(deleted)}`),
        data: { id, collection, kept_version, file_path },
        brief: `deleted ${name}`,
      };
    },
  });
}
