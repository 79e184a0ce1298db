/**
 * Runs a reply's tool calls one after the other. Each call is planned, judged and, if needed, approved first. An error becomes the
 * call's result, so the model sees it and continues.
 */
import { messageOf, RetainError } from "../core/errors.ts";
import { notRun, type ToolCall, type ToolResult } from "../core/model.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import { errorForModel } from "./error-for-model.ts";
import type { ChatEvent } from "./events.ts";
import { RedactedStream } from "./redacted-stream.ts";
import type { Decision, Tool, ToolOutcome, ToolPlan } from "./tool.ts";
import type { Approvals } from "./tools/approval.ts";
import { blocked, failed } from "./tools/outcome.ts";

export interface CallRunner {
  readonly tools: readonly Tool[];
  readonly approvals: Approvals;
  /** Redacts keys in a tool's output. */
  readonly withoutKeys: (text: string) => string;
  /** Asks the user; null in a non-interactive session. */
  readonly ask: ((id: string, signal: AbortSignal) => Promise<Decision>) | null;
  /** Stops the calls that are running now, by their ids. */
  readonly running: Map<string, AbortController>;
}

/**
 * Stores each result with `keep` before the next call runs, so that a crash does not lose what was done. `reason` is why the user
 * denied the call, or "".
 */
export async function* runCalls(
  runner: CallRunner,
  calls: readonly ToolCall[],
  signal: AbortSignal,
  keep: (result: ToolResult, reason: string) => Promise<unknown>,
): AsyncGenerator<ChatEvent, void> {
  for (const call of calls) {
    const { id, name } = call;
    if (signal.aborted) {
      await keep(notRun(call), "");
      continue;
    }
    const outcome = yield* runCall(runner, call, signal);
    const { ok, reason = "", shown = { kind: "text", text: outcome.output } } = outcome;
    const brief = runner.withoutKeys(outcome.brief);
    const text = redacted(runner, shown.text);
    const output = runner.withoutKeys(outcome.output);
    await keep({ id, name, ok, output, brief, ...(shown.kind === "diff" && { diff: text }) }, reason);
    const summary = reason === "" ? brief : `${brief}: ${reason}`;
    yield { type: "result", id, name, ok, brief: summary, shown: { ...shown, text } };
  }
}

/** What a person may see of a tool's output: neither known keys nor anything that looks like a secret. */
function redacted({ withoutKeys }: CallRunner, text: string): string {
  return redactSecrets(withoutKeys(text));
}

async function* runCall(
  runner: CallRunner,
  { id, name, input, invalid }: ToolCall,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, ToolOutcome> {
  const { tools, approvals, ask } = runner;
  const planned = await planOf(tools, name, input, invalid);
  if ("problem" in planned) {
    yield { type: "tool", id, name, summary: name };
    return failed(planned.problem);
  }
  const { plan } = planned;
  const { summary, preview, outside, pattern, caution } = plan;
  yield { type: "tool", id, name, summary };
  const judged = approvals.judge(plan);
  if (judged.verdict === "refuse") return blocked(summary, judged.why);
  if (judged.verdict === "ask") {
    if (ask === null) return blocked(summary, UNANSWERABLE);
    const answered = ask(id, signal);
    yield { type: "approval", id, name, summary, preview, outside, pattern, ...(caution && { caution }) };
    const decision = await answered;
    yield { type: "answered", id, decision };
    if (decision.answer === "deny") return denied(decision.reason, signal);
    if (decision.answer === "session") approvals.allowForSession(plan);
  }
  return yield* outcomeOf(runner, id, plan, signal);
}

const UNANSWERABLE = "needs the user's approval, and this session is not interactive";

function denied(reason: string | undefined, { aborted }: AbortSignal): ToolOutcome {
  const outcome = failed("The user denied it.", aborted ? "stopped" : "denied by you");
  return reason === undefined ? outcome : { ...outcome, reason };
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
    return { problem: textOfError(error, tools) };
  }
}

async function* outcomeOf(
  runner: CallRunner,
  id: string,
  plan: ToolPlan,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, ToolOutcome> {
  const stop = new AbortController();
  const stream = new RedactedStream((text) => redacted(runner, text));
  let soFar = "";
  let grown = Promise.withResolvers<void>();
  const onOutput = (text: string) => {
    soFar = text;
    grown.resolve();
  };
  runner.running.set(id, stop);
  try {
    const running = plan.run(AbortSignal.any([signal, stop.signal]), onOutput);
    for (let isRunning = true; isRunning; ) {
      isRunning = await Promise.race([running.then(() => false), grown.promise.then(() => true)]);
      grown = Promise.withResolvers();
      const text = stream.grow(soFar) + (isRunning ? "" : stream.end());
      if (text !== "") yield { type: "tool-output", id, text };
    }
    return await running;
  } catch (error) {
    return failed(textOfError(error, runner.tools));
  } finally {
    runner.running.delete(id);
  }
}

/** Any error of a tool becomes its result, so that no file or program can end the chat. */
function textOfError(error: unknown, tools: readonly Tool[]): string {
  return error instanceof RetainError ? errorForModel(error, tools) : messageOf(error);
}
