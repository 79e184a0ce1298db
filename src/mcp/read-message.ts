/** Parses a line as a JSON-RPC message, or returns the JSON-RPC error to answer with. */
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import { decodeUtf8 } from "../util/text.ts";

interface WrongMessage {
  readonly jsonrpc: "2.0";
  /** null if unknown. */
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
}

type ReadMessage = { readonly message: JSONRPCMessage } | { readonly wrong: WrongMessage };

export function readMessage(line: Uint8Array): ReadMessage {
  const text = decodeUtf8(line);
  if (text === null) return { wrong: notJson("The message is not valid UTF-8.") };
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return { wrong: notJson("The line is not valid JSON.") };
  }
  try {
    return { message: parseJSONRPCMessage(said) };
  } catch {
    const error = {
      code: ProtocolErrorCode.InvalidRequest,
      message: "Not a JSON-RPC 2.0 message.",
    };
    return { wrong: { jsonrpc: "2.0", id: idOf(said), error } };
  }
}

export function tooLong(maxBytes: number): WrongMessage {
  const message = `Message too large: the limit is ${Math.floor(maxBytes / 1_000_000)} MB.`;
  return { jsonrpc: "2.0", id: null, error: { code: ProtocolErrorCode.InvalidRequest, message } };
}

function notJson(message: string): WrongMessage {
  return { jsonrpc: "2.0", id: null, error: { code: ProtocolErrorCode.ParseError, message } };
}

function idOf(said: unknown): RequestId | null {
  const id = (said as { id?: unknown } | null)?.id;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
