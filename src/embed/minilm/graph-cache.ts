/**
 * What MiniLM needs at run time, built once from the registry's files and kept in the user's cache: the graph, the
 * vocabulary as a table, and what positions add. One file, written aside and renamed, so that any number of processes may
 * build it at once. Its checksum is looked at on every load (reading and hashing 12 MB take 2 ms), so that a damaged file
 * is built again instead of giving wrong vectors. Where the cache cannot be used, everything is built in memory.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureDirectory, fsyncDirectory, writeFileAtomic } from "../../util/fs.ts";
import { DIMENSIONS, MAX_TOKENS } from "../model.ts";
import { buildGraph, GRAPH_VERSION } from "./graph.ts";
import { modelFiles } from "./packages.ts";
import { Safetensors } from "./safetensors.ts";
import { Vocabulary } from "./vocabulary.ts";

export interface BuiltModel {
  readonly graph: Uint8Array;
  readonly vocabulary: Uint8Array;
  /** What is added to the embedding of the word at each position, as 32-bit floats. */
  readonly positions: Uint8Array;
}

const PARTS = ["vocabulary", "positions", "graph"] as const;
const CHECKSUM_BYTES = 8;
/** The checksum, and the length of each part. */
const HEADER_BYTES = CHECKSUM_BYTES + 4 * PARTS.length;

export function cachedModelPath(cacheDirectory: string): string {
  return join(cacheDirectory, "models", `minilm-l6-v2-int8-${GRAPH_VERSION}.bin`);
}

export function loadModel(cacheDirectory: string): BuiltModel {
  const cached = readOrNull(cachedModelPath(cacheDirectory));
  return (cached === null ? null : unpack(cached)) ?? rebuildModel(cacheDirectory);
}

/** Whatever the cache holds. */
export function rebuildModel(cacheDirectory: string): BuiltModel {
  const built = buildModel();
  try {
    keep(cachedModelPath(cacheDirectory), pack(built));
  } catch {
    // A cache that cannot be written costs time, nothing else.
  }
  return built;
}

export function buildModel(): BuiltModel {
  const files = modelFiles();
  const weights = Safetensors.open(files.weights);
  try {
    const positions = positionsOf(weights);
    return {
      graph: buildGraph(weights),
      vocabulary: Vocabulary.of(tokensOf(files.tokenizer)).toBytes(),
      positions: new Uint8Array(positions.buffer),
    };
  } finally {
    weights.close();
  }
}

/** The embedding of the (only) segment is part of it. */
function positionsOf(weights: Safetensors): Float32Array {
  const positions = weights.tensor("embeddings.position_embeddings.weight", [512, DIMENSIONS]);
  const segment = weights.tensor("embeddings.token_type_embeddings.weight", [2, DIMENSIONS]);
  return positions
    .slice(0, MAX_TOKENS * DIMENSIONS)
    .map((value, at) => value + (segment[at % DIMENSIONS] ?? 0));
}

function tokensOf(path: string): string[] {
  const { model }: { model: { vocab: Record<string, number> } } = JSON.parse(readFileSync(path, "utf8"));
  const tokens: string[] = [];
  for (const [token, id] of Object.entries(model.vocab)) tokens[id] = token;
  return tokens;
}

function pack(model: BuiltModel): Uint8Array {
  const lengths = new Uint32Array(PARTS.map((part) => model[part].length));
  const packed = Buffer.concat([
    new Uint8Array(CHECKSUM_BYTES),
    new Uint8Array(lengths.buffer),
    ...PARTS.map((part) => model[part]),
  ]);
  packed.writeBigUInt64LE(checksum(packed));
  return packed;
}

/** null where the bytes are not what was once written. */
function unpack(packed: Uint8Array): BuiltModel | null {
  if (packed.length < HEADER_BYTES) return null;
  const header = new DataView(packed.buffer, packed.byteOffset, HEADER_BYTES);
  if (header.getBigUint64(0, true) !== checksum(packed)) return null;
  let end = HEADER_BYTES;
  const [vocabulary, positions, graph] = PARTS.map((_, index) => {
    const start = end;
    end += header.getUint32(CHECKSUM_BYTES + 4 * index, true);
    return packed.subarray(start, end);
  }) as [Uint8Array, Uint8Array, Uint8Array];
  return end === packed.length && graph.length > 0 ? { vocabulary, positions, graph } : null;
}

function checksum(packed: Uint8Array): bigint {
  return Bun.hash.xxHash3(packed.subarray(CHECKSUM_BYTES));
}

function readOrNull(path: string): Uint8Array | null {
  try {
    return Bun.mmap(path);
  } catch {
    return null;
  }
}

function keep(path: string, packed: Uint8Array): void {
  const directory = dirname(path);
  ensureDirectory(directory);
  writeFileAtomic(path, packed);
  fsyncDirectory(directory);
}
