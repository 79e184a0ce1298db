/** Reads a request's body within a size and a time limit. */
import { within } from "../util/within.ts";
import type { Refusal } from "./guard.ts";

/** For the whole body: a client that sends a byte now and then doesn't hold a connection. */
const SLOWEST_MS = 30_000;

const SLOW: Refusal = { status: 408, message: "The request body did not arrive in time." };

export async function readBody(request: Request, maxBytes: number): Promise<{ text: string } | Refusal> {
  if (request.body === null) return { text: "" };
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return tooLarge(maxBytes);
  const reader: Reader = request.body.getReader();
  const done = await within(SLOWEST_MS, readAll(reader, maxBytes), () => SLOW);
  if (done === SLOW) reader.cancel().catch(() => {});
  return done;
}

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

async function readAll(reader: Reader, maxBytes: number): Promise<{ text: string } | Refusal> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.byteLength;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {});
      return tooLarge(maxBytes);
    }
    chunks.push(next.value);
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { status: 400, message: "The request body is not valid UTF-8." };
  }
}

function tooLarge(maxBytes: number): Refusal {
  const limit = (maxBytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 });
  return { status: 413, message: `The request body is too large: the limit is ${limit} MB.` };
}
