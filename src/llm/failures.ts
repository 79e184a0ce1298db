/**
 * Explains failed requests in words that the user can act on. A server's message is cut to one line, and a key that it repeats is
 * redacted.
 */
import { ANY, command, hint, option } from "../core/hint.ts";
import type { FailureKind, ModelEvent, ModelFailure, Thinking } from "../core/model.ts";
import { errorCode } from "../util/fs.ts";
import { isRecord } from "../util/json.ts";
import { oneLine, truncate } from "../util/text.ts";
import { shownAddress } from "./providers.ts";
import { keyHint, type ModelSpec } from "./spec.ts";
import type { WireFacts } from "./wire.ts";

export interface Trouble {
  readonly failure: ModelFailure;
  /** Temporary, so worth a retry. */
  readonly passing: boolean;
  /** The HTTP status, if any. */
  readonly status: number | null;
  /** The server's full response text. */
  readonly said: string;
  readonly headers: Readonly<Record<string, string>>;
}

const OVERFLOW =
  /prompt (?:is )?too long|too many (?:input )?tokens|context[ _-]?(?:length|window|size)|context the overflows|exceeds? .{0,40}(?:context|maximum number of tokens)|input (?:is|was) too long/i;
const NO_MODEL =
  /model.{0,120}(?:not[ _]found|does ?n[o']t exist|not exist)|not a valid model|(?:no such|unknown|invalid) model|not_found_error.{0,40}model:/is;
const NO_CREDIT = /insufficient[ _](?:quota|balance|credit)|credit balance|payment required/i;
const NO_KEY = /(?:invalid|incorrect) api key|api key not valid/i;
const NO_TOOLS = /not support tool/i;
const OVERLOADED = /overloaded/i;
/** Error codes of the system and of Bun. */
const PASSING_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EAI_AGAIN|ConnectionRefused|ConnectionClosed)$/;
const DETAIL_LENGTH = 200;

/** Classifies an error, with what is known about the connection. `started`: part of the reply has arrived. */
export function troubleOf(error: unknown, wire: WireFacts, spec: ModelSpec, started: boolean): Trouble {
  if (wire.redirect !== null) return plain(redirected(wire.redirect, spec));
  const status = statusOf(error);
  if (wire.unreachable !== null && status === null) return unreachable(wire.unreachable, spec);
  if (status !== null || isRefusal(error)) return refused(error, status, spec);
  if (!wire.answered) return plain(notAsked(error, spec));
  if (wire.broken !== null) return { ...plain(cut(spec)), passing: true };
  const isStream = wire.contentType?.includes("event-stream") ?? true;
  const ended = error === null || /without a finish/.test(textIn(error, "message"));
  return plain(ended && (isStream || started) ? cut(spec) : protocol(spec));
}

/** The last event of a failed stream. */
export function failed(failure: ModelFailure, thinking: readonly Thinking[]): ModelEvent {
  return { type: "failure", failure, thinking };
}

export function aborted(): ModelFailure {
  return { kind: "aborted", message: "The reply was stopped.", hint: null };
}

export function silent(spec: Pick<ModelSpec, "label" | "timeoutSeconds">): ModelFailure {
  const { timeoutSeconds: seconds } = spec;
  const time = seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
  return {
    kind: "timeout",
    message: `${spec.label} timed out: no data for ${time}.`,
    hint: hint`Ask again, or raise the timeout: ${command("config set", option("global"), "model_timeout_seconds", ANY)}`,
  };
}

function cut(spec: ModelSpec): ModelFailure {
  return { kind: "cut", message: `The reply from ${spec.label} was cut off.`, hint: "Ask again." };
}

/** The request failed before it was sent. */
function notAsked(error: unknown, spec: ModelSpec): ModelFailure {
  const reason = detailOf(textIn(error, "message"), spec);
  return { kind: "other", message: `Could not send the request to ${spec.label}: ${reason}.`, hint: null };
}

function protocol(spec: ModelSpec): ModelFailure {
  const what = spec.api === "anthropic" ? "Anthropic's API" : "an OpenAI-compatible API, such as …/v1";
  return {
    kind: "protocol",
    message: `Cannot parse the response from ${shownAddress(spec.url)}.`,
    hint: `Check that this is the URL of ${what}; if it is, ask again.`,
  };
}

function redirected(target: string, spec: ModelSpec): ModelFailure {
  const host = URL.parse(target, spec.url)?.host || "nowhere";
  return {
    kind: "network",
    message: `${spec.label} redirects to ${host}. Nothing was sent there, neither the conversation nor the key.`,
    hint: "If you trust the new address, configure it as the provider's URL.",
  };
}

const START: Readonly<Record<string, string>> = {
  ollama: "Start it: ollama serve",
  lmstudio: "Start its server: lms server start",
};

function unreachable(error: unknown, spec: ModelSpec): Trouble {
  const address = shownAddress(spec.url);
  const code = codeIn(error);
  const reason = code === "ENOTFOUND" ? "host not found" : detailOf(textIn(error, "message"), spec);
  const failure: ModelFailure = spec.local
    ? {
        kind: "network",
        message: `${spec.label} does not respond at ${address}. Is it running?`,
        hint: START[spec.provider] ?? hint`Start it, or choose another model: ${command("model list")}`,
      }
    : {
        kind: "network",
        message: `Cannot reach ${spec.label} at ${address}: ${reason}.`,
        hint: "Check the network and the URL.",
      };
  return { ...plain(failure), passing: PASSING_CODES.test(code ?? "") };
}

/** The server responded with an error. */
function refused(error: unknown, status: number | null, spec: ModelSpec): Trouble {
  const said = [textIn(error, "message"), textIn(error, "responseBody"), jsonIn(error, "data")].join("\n");
  const kind = kindOf(status, said);
  const noCredit = (status === 402 || NO_CREDIT.test(said)) && kind !== "overflow";
  const detail = detailOf(wordsIn(error), spec);
  const passes = status === 408 || status === 429 || (status !== null && status >= 500);
  return {
    failure: noCredit ? withoutCredit(detail, spec) : refusal(kind, status, detail, spec),
    passing: !noCredit && ["busy", "other"].includes(kind) && (passes || OVERLOADED.test(said)),
    status,
    said,
    headers: headersIn(error),
  };
}

/** Statuses about the content of a request. */
const REJECTIONS: ReadonlySet<number> = new Set([400, 413, 422]);

function kindOf(status: number | null, said: string): FailureKind {
  if (OVERFLOW.test(said) && status !== 429) return "overflow";
  if (status === 401 || status === 403 || NO_KEY.test(said)) return "auth";
  if (NO_MODEL.test(said) && (status === null || status < 500)) return "model";
  if (status === 429 || status === 503 || status === 529 || OVERLOADED.test(said)) return "busy";
  return status !== null && REJECTIONS.has(status) ? "rejected" : "other";
}

function refusal(kind: FailureKind, status: number | null, detail: string, spec: ModelSpec): ModelFailure {
  const { label, provider, model, key } = spec;
  const number = status === null ? "" : ` (${status})`;
  const because = detail === "" ? "" : `: ${detail}`;
  switch (kind) {
    case "auth": {
      const reason = status === 403 ? `${number}${because}` : "";
      const message =
        key === null ? `${label} requires an API key.` : `${label} rejected the API key${reason}.`;
      return { kind, message, hint: keyHint({ name: provider, keyEnv: spec.keyEnv }) };
    }
    case "model": {
      const fix = provider === "ollama" ? `Install it: ollama pull ${model}` : "Check the name";
      return {
        kind,
        message: `${label} has no model '${model}'.`,
        hint: hint`${fix}, or choose another: ${command("model list")}`,
      };
    }
    case "overflow":
      return {
        kind,
        message: `The conversation exceeds the context window of ${model}.`,
        hint: "Shorten it with /compact, or start a new one with /new.",
      };
    case "busy":
      return {
        kind,
        message:
          status === 429 ? `${label}: rate limit reached${number}.` : `${label} is overloaded${number}.`,
        hint: "Wait a moment, then ask again.",
      };
    default:
      return {
        kind,
        message: `${label} returned an error${number}${because}.`,
        hint: NO_TOOLS.test(detail)
          ? "Choose a model that supports tools, or switch them off: /tools none"
          : null,
      };
  }
}

function withoutCredit(detail: string, { label }: ModelSpec): ModelFailure {
  return {
    kind: "other",
    message: `Your ${label} account is out of credit: ${detail}.`,
    hint: hint`Add credit, or choose another model: ${command("model list")}`,
  };
}

function plain(failure: ModelFailure): Trouble {
  return { failure, passing: false, status: null, said: "", headers: {} };
}

/** One line without a final full stop, and without the key. */
function detailOf(text: string, { key }: ModelSpec): string {
  const safe = key === null ? text : text.replaceAll(key, "(key)");
  return truncate(oneLine(safe).trim(), DETAIL_LENGTH).replace(/[\s.]+$/, "");
}

/** The server's error message, or its whole response if that isn't HTML. */
function wordsIn(error: unknown): string {
  const body = textIn(error, "responseBody");
  const message = textIn(error, "message");
  return isRecord(error) && error.data === undefined && body.trim() !== "" && !body.includes("<")
    ? body
    : message;
}

/** An error that the server sent as an event of the stream. */
function isRefusal(error: unknown): boolean {
  return isRecord(error) && (error.name === "AI_StreamProviderError" || !(error instanceof Error));
}

function statusOf(error: unknown): number | null {
  const status = isRecord(error) ? error.statusCode : undefined;
  return typeof status === "number" && status >= 400 ? status : null;
}

function codeIn(error: unknown): string | null {
  return errorCode(error) ?? (isRecord(error) ? errorCode(error.cause) : null);
}

function headersIn(error: unknown): Record<string, string> {
  const headers = isRecord(error) ? error.responseHeaders : undefined;
  return isRecord(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
    : {};
}

function textIn(error: unknown, field: string): string {
  const value = isRecord(error) ? error[field] : undefined;
  return typeof value === "string" ? value : "";
}

function jsonIn(error: unknown, field: string): string {
  const value = isRecord(error) ? error[field] : undefined;
  return value === undefined ? "" : (JSON.stringify(value) ?? "");
}
