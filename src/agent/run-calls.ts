/**
 * Runs the tools that a reply asks for, one after the other, each after it was looked at and, where needed, approved. Whatever
 * goes wrong with one is its result: the model is told, and goes on.
 */
import { messageOf, RetainError, toldToModel } from "../core/errors.ts";
import type { ToolCall, ToolResult } from "../core/model.ts";
import type { ChatEvent } from "./events.ts";
import { notRun } from "./model-messages.ts";
import type { Decision, Tool, ToolOutcome, ToolPlan } from "./tool.ts";
import type { Approvals } from "./tools/approval.ts";

export interface CallRunner {
  readonly tools: readonly Tool[];
  readonly approvals: Approvals;
  /** What a tool gives back goes through it before anybody sees it. */
  readonly withoutKeys: (text: string) => string;
  /** Asks the person; null where nobody can be asked. */
  readonly ask: ((id: string, signal: AbortSignal) => Promise<Decision>) | null;
}

/** Each result is handed to `keep` before the next call is run: what was done is known, whatever happens then. */
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
  if (judged.verdict === "refuse") return failed(judged.why, "refused");
  if (judged.verdict === "ask") {
    if (ask === null)
      return failed(
        `Not allowed: ${summary} needs the person's approval, and nobody can be asked here.`,
        "refused",
      );
    const answered = ask(id, signal);
    yield { type: "approval", id, name, summary, preview, outside, pattern, ...(caution && { caution }) };
    const decision = await answered;
    yield { type: "answered", id, decision };
    if (decision === "session") approvals.allowForSession(plan);
    if (decision === "no")
      return failed("The person did not allow it.", signal.aborted ? "stopped" : "not allowed");
  }
  return outcomeOf(plan, signal);
}

async function planOf(
  tools: readonly Tool[],
  name: string,
  input: unknown,
  invalid: string | undefined,
): Promise<{ plan: ToolPlan } | { problem: string }> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined)
    return { problem: `There is no tool ${name}. There are: ${tools.map((one) => one.name).join(", ")}.` };
  if (invalid !== undefined) return { problem: `The input cannot be read: ${invalid}` };
  try {
    return { plan: await tool.plan(input) };
  } catch (error) {
    return { problem: said(error) };
  }
}

async function outcomeOf(plan: ToolPlan, signal: AbortSignal): Promise<ToolOutcome> {
  try {
    return await plan.run(signal);
  } catch (error) {
    return failed(said(error));
  }
}

/** A tool meets whatever is on the disk: any error of it is a result, and none ends the chat. */
function said(error: unknown): string {
  return error instanceof RetainError ? toldToModel(error) : messageOf(error);
}

function failed(output: string, brief = "failed"): ToolOutcome {
  return { ok: false, output, brief };
}
