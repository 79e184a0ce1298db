/** One workspace's namespace on the Upstash index: its address, its client and its uploads. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { LocalWorkspace } from "../../backends/local.ts";
import { Uploads } from "../../backends/vectors/uploads.ts";
import { bankName } from "../../config/bank-scope.ts";
import { RetainError } from "../../core/errors.ts";
import { command, hint, option } from "../../core/hint.ts";
import type { SharedChunks } from "../../core/ports/vector-index.ts";
import type { UpstashIndex } from "../../embed/upstash/upstash-index.ts";
import { SqliteSharedChunks } from "../../sqlite/vectors/shared-chunks.ts";
import { sha256 } from "../../util/hash.ts";
import { hasEnded, processName } from "../../util/process.ts";
import { spoolsIn } from "../remote/remote-for.ts";
import type { WiringOptions } from "../wiring-options.ts";

export interface HostedScope {
  readonly local: LocalWorkspace;
  readonly namespace: string;
  readonly chunks: SharedChunks;
  readonly uploads: Uploads;
  readonly index: () => Promise<UpstashIndex>;
}

const URL_VARIABLE = "UPSTASH_VECTOR_REST_URL";
const TOKEN_VARIABLE = "UPSTASH_VECTOR_REST_TOKEN";

/** Throws `invalid_config` if a variable is missing or wrong. */
export function addressOf({ surroundings: { env } }: WiringOptions): { url: URL; token: string } {
  const [address = "", token = ""] = [URL_VARIABLE, TOKEN_VARIABLE].map((name) => env[name]?.trim());
  const url = URL.parse(address);
  if (url !== null && /^https?:$/.test(url.protocol) && token !== "") return { url, token };
  const wrong =
    address === ""
      ? `${URL_VARIABLE} is not set`
      : token === ""
        ? `${TOKEN_VARIABLE} is not set`
        : `${URL_VARIABLE} is not a URL`;
  throw new RetainError(
    "invalid_config",
    `vectors is 'upstash', but ${wrong}.`,
    "Copy the address and the token of the index from the Upstash console.",
  );
}

/** `model` is this machine's embedding model; null if the index embeds. Throws `invalid_config`. */
export function hostedScope(
  options: WiringOptions,
  local: LocalWorkspace,
  model: string | null,
): HostedScope {
  const { choice, config, clock } = options;
  const { url, token } = addressOf(options);
  const namespace = `${config.settings.upstash_namespace}-${bankName(local.workspace)}`;
  // Two clones of a project share the namespace, but each deletes only what it sent.
  const clone = sha256(`${url.origin}\n${namespace}\n${local.workspace.root}`).slice(0, 8);
  const directory = join(spoolsIn(choice.home), `upstash-${namespace}-${clone}`);
  const chunks = new SqliteSharedChunks(local.lock);
  let opened: Promise<UpstashIndex> | null = null;
  const open = async () => {
    const { UpstashIndex } = await import("../../embed/upstash/upstash-index.ts");
    return new UpstashIndex({ url: url.href, token, namespace });
  };
  const index = () => {
    opened ??= open();
    return opened;
  };
  const host = hostname();
  const uploads: Uploads = new Uploads({
    ...{ directory, chunks, index, clock, model, self: processName(host, process.pid) },
    check: (signal) => requireFit({ index, uploads }, signal),
    isGone: (holder) => hasEnded(holder, host),
  });
  return { local, namespace, chunks, uploads, index };
}

/** Checks the index before the first upload, so that it neither fails in the middle nor compares by something else. */
export async function requireFit(
  { index, uploads }: Pick<HostedScope, "index" | "uploads">,
  signal: AbortSignal,
): Promise<void> {
  const { dimension, similarityFunction } = await (await index()).shape(signal);
  if (similarityFunction !== "COSINE")
    throw new RetainError(
      "invalid_config",
      `The index compares vectors by ${similarityFunction}; Retain needs COSINE.`,
      "Create an index with the similarity function COSINE.",
    );
  const own = uploads.dimensions();
  if (own !== null && own !== dimension)
    throw new RetainError(
      "invalid_config",
      `The index has ${dimension} dimensions, but this machine's embedding model has ${own}.`,
      hint`Create an index with ${String(own)} dimensions. If the index has its own embedding model: ${command("config set", option("global"), "upstash_embedding", "upstash")}`,
    );
}
