/** Builds a tool from its definition: fields, example and run function. All tools share the rest. */
import { RetainError } from "../../core/errors.ts";
import { type Hint, hint } from "../../core/hint.ts";
import { errorForModel, hintForModel } from "../error-for-model.ts";
import type { MemoryTool, MemoryToolResult } from "../memory-tool.ts";
import { type Field, toolInput, type Values } from "../tools/input.ts";

type Fields = Readonly<Record<string, Field<unknown>>>;

interface Definition<F extends Fields>
  extends Pick<
    MemoryTool,
    "name" | "title" | "effect" | "destructive" | "idempotent" | "openWorld" | "commands" | "caution"
  > {
  /** When to call it, and when not. Every request contains it. */
  readonly description: string;
  /** A sensible input, for a model whose input was wrong. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly fields: F;
  /** Throws RetainError, which becomes a result. `say` renders a hint for the model. */
  run(input: Values<F>, signal: AbortSignal, say: (text: Hint) => string): Promise<MemoryToolResult>;
}

/** A tool, once it knows which tools the model has besides it: hints name them. `offered` may be filled later. */
export type ToolAmong = (offered: readonly MemoryTool[]) => MemoryTool;

export function memoryTool<F extends Fields>(definition: Definition<F>): ToolAmong {
  const { example: valid, fields, run, ...described } = definition;
  const { name, effect } = described;
  const input = toolInput(name, fields);
  const example = `For example: ${JSON.stringify(valid)}`;
  const read = (said: unknown) => {
    try {
      return { values: input.read(said) };
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      return { wrong: new RetainError(error.code, error.message, hint`${error.advice ?? ""} ${example}`) };
    }
  };
  return (offered) => {
    const tool: MemoryTool = {
      ...described,
      readOnly: effect === "read",
      schema: input.schema,
      check(said) {
        const { wrong } = read(said);
        return wrong === undefined ? null : failure(wrong).text;
      },
      async run(said, signal) {
        const { values, wrong } = read(said);
        if (wrong !== undefined) return failure(wrong);
        try {
          if (signal.aborted) throw new RetainError("interrupted", "Cancelled before anything was done.");
          return await run(values, signal, (text) => hintForModel(text, offered, tool));
        } catch (error) {
          if (error instanceof RetainError) return failure(error, errorForModel(error, offered, tool));
          throw error;
        }
      },
    };
    return tool;
  };
}

/** An error that the user or the model can fix: "not_found: Memory not found: plan. …" */
export function failure(error: RetainError, text = errorForModel(error, [])): MemoryToolResult {
  const { code, message, hint: typed = null } = error;
  return {
    ok: false,
    text: `${code}: ${text}`,
    data: { error: { code, message, hint: typed } },
    brief: "failed",
  };
}
