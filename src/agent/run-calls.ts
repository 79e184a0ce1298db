/**
 * Runs a reply's tool calls one after the other. Each call is planned, judged and, if needed, approved first. An error becomes the
 * call's result, so the model sees it and continues.
 */
import { messageOf, RetainError } from "../core/errors.ts";
import { notRun, type ToolCall, type ToolResult } from "../core/model.ts";
import type { ChatEvent } from "./events.ts";
import { toldToModel } from "./told-to-model.ts";
import type { Decision, Tool, ToolOutcome, ToolPlan } from "./tool.ts";
import type { Approvals } from "./tools/approval.ts";
import { failed } from "./tools/outcome.ts";

export interface CallRunner {
  readonly tools: readonly Tool[];
  readonly approvals: Approvals;
  /** Redacts keys in a tool's output. */
  readonly withoutKeys: (text: string) => string;
  /** Asks the user; null in a non-interactive session. */
  readonly ask: ((id: string, signal: AbortSignal) => Promise<Decision>) | null;
}

/** Stores each result with `keep` before the next call runs, so that a crash does not lose what was done. */
export async function* runCalls(
  runner: CallRunner,
  calls: readonly ToolCall[],
  signal: AbortSignal,
  keep: (result: ToolResult) => Promise<unknown>,
): AsyncGenerator<ChatEvent, void> {
  for (const call of calls) {
    const { id, name } = call;
    if (signal.aborted) {
      await keep(notRun(call));
      continue;
    }
    const { ok, output, brief } = yield* runCall(runner, call, signal);
    await keep({ id, name, ok, output: runner.withoutKeys(output) });
    yield { type: "result", id, name, ok, brief: runner.withoutKeys(brief) };
  }
}

async function* runCall(
  { tools, approvals, ask }: CallRunner,
  { id, name, input, invalid }: ToolCall,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, ToolOutcome> {
  const planned = await planOf(tools, name, input, invalid);
  if ("problem" in planned) {
    yield { type: "tool", id, name, summary: name };
    return failed(planned.problem);
  }
  const { plan } = planned;
  const { summary, preview, outside, pattern, caution } = plan;
  yield { type: "tool", id, name, summary };
  const judged = approvals.judge(plan);
  if (judged.verdict === "refuse") return failed(judged.why, judged.brief);
  if (judged.verdict === "ask") {
    if (ask === null)
      return failed(
        `Blocked: ${summary} needs the user's approval, and this session is not interactive.`,
        "blocked: needs approval",
      );
    const answered = ask(id, signal);
    yield { type: "approval", id, name, summary, preview, outside, pattern, ...(caution && { caution }) };
    const decision = await answered;
    yield { type: "answered", id, decision };
    if (decision === "session") approvals.allowForSession(plan);
    if (decision === "no") return failed("The user denied it.", signal.aborted ? "stopped" : "denied by you");
  }
  return outcomeOf(plan, tools, signal);
}

async function planOf(
  tools: readonly Tool[],
  name: string,
  input: unknown,
  invalid: string | undefined,
): Promise<{ plan: ToolPlan } | { problem: string }> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined)
    return { problem: `Unknown tool: ${name}. Available: ${tools.map((one) => one.name).join(", ")}.` };
  if (invalid !== undefined) return { problem: `Cannot parse the input: ${invalid}` };
  try {
    return { plan: await tool.plan(input) };
  } catch (error) {
    return { problem: said(error, tools) };
  }
}

async function outcomeOf(plan: ToolPlan, tools: readonly Tool[], signal: AbortSignal): Promise<ToolOutcome> {
  try {
    return await plan.run(signal);
  } catch (error) {
    return failed(said(error, tools));
  }
}

/** Any error of a tool becomes its result, so that no file or program can end the chat. */
function said(error: unknown, tools: readonly Tool[]): string {
  return error instanceof RetainError ? toldToModel(error, tools) : messageOf(error);
}
