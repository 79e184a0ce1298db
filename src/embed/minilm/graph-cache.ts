/**
 * MiniLM's run-time data, built once from the registry's files and cached: the graph, the vocabulary table and the position
 * embeddings. One file, renamed into place, so that several processes may build it at once. Every load verifies its checksum (2
 * ms for 12 MB), so that a damaged file is rebuilt instead of giving wrong vectors. If the cache is unusable, everything is built
 * in memory.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureDirectory, fsyncDirectory, writeFileAtomic } from "../../util/fs.ts";
import { readMapped, xxHash64 } from "../../util/runtime.ts";
import { DIMENSIONS, MAX_TOKENS } from "../model.ts";
import { buildGraph, GRAPH_VERSION } from "./graph.ts";
import { modelFiles } from "./packages.ts";
import { Safetensors } from "./safetensors.ts";
import { Vocabulary } from "./vocabulary.ts";

interface BuiltModel {
  readonly graph: Uint8Array;
  readonly vocabulary: Uint8Array;
  /** Added to the word embedding at each position, as 32-bit floats. */
  readonly positions: Uint8Array;
}

const PARTS = ["vocabulary", "positions", "graph"] as const;
const CHECKSUM_BYTES = 8;
/** The checksum and the length of each part. */
const HEADER_BYTES = CHECKSUM_BYTES + 4 * PARTS.length;

export function cachedModelPath(cacheDirectory: string): string {
  return join(cacheDirectory, "models", `minilm-l6-v2-int8-${GRAPH_VERSION}.bin`);
}

export function loadModel(cacheDirectory: string): BuiltModel {
  const cached = readOrNull(cachedModelPath(cacheDirectory));
  return (cached === null ? null : unpack(cached)) ?? rebuildModel(cacheDirectory);
}

/** Ignores the cached model. */
export function rebuildModel(cacheDirectory: string): BuiltModel {
  const built = buildModel();
  try {
    keep(cachedModelPath(cacheDirectory), pack(built));
  } catch {
    // An unwritable cache only costs time.
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

/** Includes the embedding of the (only) segment. */
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

/** null if the bytes are damaged. */
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
  return xxHash64(packed.subarray(CHECKSUM_BYTES));
}

function readOrNull(path: string): Uint8Array | null {
  try {
    return readMapped(path);
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
