/** Hints and errors for a model. A command becomes the tool that does the same, or else one that the user can run. */
import type { RetainError } from "../core/errors.ts";
import {
  type CommandReference,
  type Hint,
  hint,
  isOption,
  type OptionReference,
  render,
} from "../core/hint.ts";
import type { ToolSpec } from "../core/model.ts";

/** `offered` are the tools that the model has; options are fields of the tool that it called, if any. */
export function hintForModel(text: Hint, offered: readonly ToolSpec[], called?: ToolSpec): string {
  return render(text, (reference) =>
    isOption(reference) ? fieldFor(reference, called) : callFor(reference, offered),
  );
}

export function errorForModel(
  { message, advice }: Pick<RetainError, "message" | "advice">,
  offered: readonly ToolSpec[],
  called?: ToolSpec,
): string {
  return hintForModel(advice === undefined ? message : hint`${message} ${advice}`, offered, called);
}

function fieldFor(reference: OptionReference, called: ToolSpec | undefined): string {
  const field = fieldNamed(reference);
  if (called === undefined || !Object.hasOwn(called.schema.properties ?? {}, field))
    return `${reference} (on the user's command line)`;
  return reference.value === undefined ? field : `${field} ${String(reference.value)}`;
}

function callFor(reference: CommandReference, offered: readonly ToolSpec[]): string {
  const tool = offered.find(({ commands = {} }) => Object.hasOwn(commands, reference.command));
  const input = tool === undefined ? null : inputOf(reference, tool);
  if (tool === undefined || input === null) return `the user can run \`${reference}\``;
  return Object.keys(input).length === 0 ? tool.name : `${tool.name} ${JSON.stringify(input)}`;
}

/** null if the tool lacks a field for one of the words. */
function inputOf(
  { command, words }: CommandReference,
  { schema, commands }: ToolSpec,
): Record<string, unknown> | null {
  const { properties = {}, required = [] } = schema;
  const { takes = required, sets } = commands?.[command] ?? {};
  const fields = [...takes];
  const input: Record<string, unknown> = { ...sets };
  for (const word of words) {
    // A tool's answer contains everything anyway.
    if (isOption(word) && word.option === "json") continue;
    const field = isOption(word) ? fieldNamed(word) : fields.shift();
    if (field === undefined || !Object.hasOwn(properties, field)) return null;
    const value = isOption(word) ? word.value : word;
    input[field] = value === undefined ? true : String(value);
  }
  return input;
}

function fieldNamed({ option }: OptionReference): string {
  return option.replaceAll("-", "_");
}
