/** Options for a document's fields, shared by `put` and `update`. */
import { textList } from "../core/documents/document.ts";
import type { Fields } from "../core/documents/read-yaml.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import type { DocumentFieldsInput } from "../documents/input.ts";
import { isRecord } from "../util/json.ts";
import type { CommandParser } from "./command-parser.ts";

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

export function addFieldOptions(command: CommandParser): void {
  command
    .option("--title <title>", "the document's title")
    .takes("text")
    .option("--tags <tags>", "tags, separated by commas")
    .takes({ listOf: "tag" })
    .option("--category <name>", "a category")
    .takes("text")
    .option("--context <text>", "why it is worth keeping")
    .takes("text")
    .option("--related-to <ids>", "related ids or issues, separated by commas")
    .takes({ listOf: "document" })
    .option("--project <name>", "the project it is about")
    .takes("text")
    .option("--priority <level>", "the priority")
    .takes("text")
    .option("--status <state>", "the status")
    .takes("text")
    .option("--metadata <json>", 'other fields, as JSON: {"reviewed": true}')
    .takes("text");
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
  if (isRecord(value)) return value;
  throw new RetainError("usage", "--metadata must be a JSON object.", example);
}
