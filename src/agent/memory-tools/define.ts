/** Builds a tool from its definition: fields, example and run function. All tools share the rest. */
import { RetainError, toldToModel } from "../../core/errors.ts";
import type { MemoryTool, MemoryToolResult } from "../memory-tool.ts";
import { type Field, toolInput, type Values } from "../tools/input.ts";
import { dataSchema, type Schema } from "./output.ts";

type Fields = Readonly<Record<string, Field<unknown>>>;

export interface Definition<F extends Fields>
  extends Pick<MemoryTool, "name" | "title" | "effect" | "destructive" | "idempotent"> {
  /** When to call it, and when not. */
  readonly description: string;
  /** A sensible input, for the model. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly fields: F;
  /** The schema of `data` on success. */
  readonly output: Readonly<Record<string, Schema>>;
  /** Throws RetainError, which becomes a result. */
  run(input: Values<F>, signal: AbortSignal): Promise<MemoryToolResult>;
}

export function memoryTool<F extends Fields>(definition: Definition<F>): MemoryTool {
  const { name, title, effect, destructive, idempotent, description, fields, output } = definition;
  const input = toolInput(name, fields);
  const example = `For example: ${JSON.stringify(definition.example)}`;
  const read = (said: unknown) => {
    try {
      return { values: input.read(said) };
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      const hint = [error.hint, example].filter((part) => part !== undefined).join(" ");
      return { wrong: new RetainError(error.code, error.message, hint) };
    }
  };
  return {
    name,
    title,
    effect,
    readOnly: effect === "read",
    destructive,
    idempotent,
    description: `${description} ${example}`,
    schema: input.schema,
    output: dataSchema(output),
    check(said) {
      const { wrong } = read(said);
      return wrong === undefined ? null : failure(wrong).text;
    },
    async run(said, signal) {
      const { values, wrong } = read(said);
      if (wrong !== undefined) return failure(wrong);
      try {
        if (signal.aborted) throw new RetainError("interrupted", "Cancelled before anything was done.");
        return await definition.run(values, signal);
      } catch (error) {
        if (error instanceof RetainError) return failure(error, toldWithFields(error, fields));
        throw error;
      }
    },
  };
}

/** An error that the user or the model can fix: "not_found: Memory not found: plan. …" */
export function failure(error: RetainError, told = toldToModel(error)): MemoryToolResult {
  const { code, message, hint = null } = error;
  return { ok: false, text: `${code}: ${told}`, data: { error: { code, message, hint } }, brief: "failed" };
}

const OPTION = /(?<![\w-])--([a-z]+(?:-[a-z]+)*)/g;

/** If all options that a hint names are fields of the tool, the model can follow the hint itself, so it names the fields. */
function toldWithFields(error: RetainError, fields: Fields): string {
  const { message, hint = "" } = error;
  const named = hint.replace(OPTION, (option, name: string) => {
    const field = name.replaceAll("-", "_");
    return Object.hasOwn(fields, field) ? field : option;
  });
  const told = toldToModel({ message, hint: named });
  return told === `${message} ${named}` && named !== hint ? told : toldToModel(error);
}
