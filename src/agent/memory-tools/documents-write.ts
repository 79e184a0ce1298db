/** memory_put, memory_update, memory_delete. The previous content is kept as a version, so that each can be undone. */
import { restoreCommand } from "../../core/documents/versions.ts";
import { hint } from "../../core/hint.ts";
import { documentSource } from "../../core/memory.ts";
import { text } from "../tools/input.ts";
import { memoryTool, type ToolAmong } from "./define.ts";
import { documentNamed, FIELDS, keptAs, NAMING, WRITTEN } from "./document-fields.ts";
import { mayFlag, mayText, mayVersion } from "./fields.ts";
import { listOfSchema, MAY_STRING, STRING } from "./output.ts";
import type { ConversationPorts, DocumentVerbs } from "./ports.ts";

const ALLOW_SECRET = mayFlag(
  "Store it even though it contains a key or password. Only if the user asks for it. No model or server gets the secret back.",
);

/** Tells the user which secrets a stored document contains. */
function keptSecrets(secrets: readonly string[] = []): string {
  return secrets.length === 0 ? "" : ` Only the file contains the secrets: ${secrets.join(", ")}.`;
}

export function putTool({ documents, client }: Pick<ConversationPorts, "documents" | "client">): ToolAmong {
  return memoryTool({
    name: "memory_put",
    title: "Store a document",
    description:
      "Stores a Markdown document: research, a plan, a decision record, anything longer than a fact. The same id replaces the existing " +
      "document; omitted fields keep their values. For single facts use retain; to change a part, memory_update.",
    example: { content: "# Release plan\n\nShip on 12 May.", collection: "plans", tags: ["release"] },
    effect: "write",
    destructive: true,
    idempotent: true,
    fields: {
      content: text("Markdown, with or without frontmatter."),
      id: mayText("By default from the title, the first heading, or the content."),
      collection: mayText('By default "memory".'),
      ...FIELDS,
      created_by: mayText("Who signs it; by default you."),
      no_overwrite: mayFlag("Fail if the document already exists."),
      allow_secret: ALLOW_SECRET,
    },
    output: { ...WRITTEN, title: STRING, also_in: listOfSchema(STRING) },
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

export function updateTool({
  documents,
  client,
}: Pick<ConversationPorts, "documents" | "client">): ToolAmong {
  return memoryTool({
    name: "memory_update",
    command: "update",
    title: "Change a document",
    description:
      "Changes an existing document: its whole content, its tags or other fields. Omitted fields keep their values. Read it first " +
      "(memory_get) and pass its etag as if_version, so that you don't overwrite somebody else's change.",
    example: { id: "release-plan", tags: ["done"], merge_tags: true },
    effect: "write",
    destructive: true,
    idempotent: true,
    fields: {
      ...NAMING,
      content: mayText("The whole new Markdown."),
      ...FIELDS,
      merge_tags: mayFlag("Add the tags to the existing ones."),
      updated_by: mayText("Who signs the change; by default you."),
      if_version: mayVersion("Fail unless it is still at this version: a number, or its etag."),
      allow_secret: ALLOW_SECRET,
    },
    output: WRITTEN,
    async run({ id: said, collection: within, merge_tags, if_version, allow_secret, ...input }) {
      const named = await documentNamed(documents, { id: said, collection: within });
      const updated = await documents.update(named.id, {
        ...input,
        ...{ mergeTags: merge_tags, ifVersion: if_version, collection: named.collection },
        ...{ client: client(), snapshot: true, refuseSecrets: allow_secret !== true },
      });
      const { id, collection, action, version, kept_version, file_path } = updated;
      const name = documentSource(updated);
      const verb = action === "updated" ? "Updated" : "Unchanged";
      return {
        ok: true,
        text: `${verb}: ${name}, version ${version}.${keptAs(kept_version)}${keptSecrets(updated.secrets)}`,
        data: { id, collection, action, version, kept_version, file_path },
        brief: `${action} ${name}`,
      };
    },
  });
}

export function deleteTool(documents: DocumentVerbs): ToolAmong {
  return memoryTool({
    name: "memory_delete",
    command: "delete",
    title: "Delete a document",
    description:
      "Deletes a document. Only if the user asks for it. Its last version is kept, and the user can restore it. To remove facts and " +
      "notes, use memory_forget.",
    example: { id: "release-plan", collection: "plans" },
    effect: "remove",
    destructive: true,
    idempotent: false,
    fields: NAMING,
    output: { id: STRING, collection: STRING, kept_version: MAY_STRING, file_path: STRING },
    async run(naming, _signal, say) {
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
