/** Options for a document's fields, shared by `put` and `update`. */
import type { Command } from "commander";
import { textList } from "../core/documents/document.ts";
import type { Fields } from "../core/documents/read-yaml.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import type { DocumentFieldsInput } from "../documents/input.ts";

export interface FieldOptions {
  title?: string;
  tags?: string;
  category?: string;
  context?: string;
  relatedTo?: string;
  project?: string;
  priority?: string;
  status?: string;
  metadata?: string;
}

export function addFieldOptions(command: Command): void {
  command
    .option("--title <title>", "the document's title")
    .option("--tags <tags>", "tags, separated by commas")
    .option("--category <name>", "a category")
    .option("--context <text>", "why it is worth keeping")
    .option("--related-to <ids>", "related ids or issues, separated by commas")
    .option("--project <name>", "the project it is about")
    .option("--priority <level>", "the priority")
    .option("--status <state>", "the status")
    .option("--metadata <json>", 'other fields, as JSON: {"reviewed": true}');
}

export function fieldsFrom(options: FieldOptions): DocumentFieldsInput {
  return {
    title: options.title,
    tags: options.tags === undefined ? undefined : textList(options.tags),
    category: options.category,
    context: options.context,
    related_to: options.relatedTo === undefined ? undefined : textList(options.relatedTo),
    project: options.project,
    priority: options.priority,
    status: options.status,
    metadata: options.metadata === undefined ? undefined : parseMetadata(options.metadata),
  };
}

function parseMetadata(json: string): Fields {
  const example = `For example: --metadata '{"priority": "high"}'`;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new RetainError("usage", `--metadata is not valid JSON: ${messageOf(error)}.`, example);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new RetainError("usage", "--metadata must be a JSON object.", example);
}
