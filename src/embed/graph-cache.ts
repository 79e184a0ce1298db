/**
 * What MiniLM needs at run time, built once from the registry's files and kept in the user's cache: the graph, and the
 * vocabulary as a table. One file, written aside and renamed, so that any number of processes may build it at once; its
 * checksum is looked at on every load (2 ms), so that a damaged one is built again instead of giving wrong vectors.
 * Where the cache cannot be read or written, everything is built in memory.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ensureDirectory,
  entriesIfThere,
  errorCode,
  fsyncDirectory,
  isTemporaryName,
  removeIfThere,
  writeFileAtomic,
} from "../util/fs.ts";
import { buildGraph, GRAPH_VERSION } from "./minilm-graph.ts";
import { modelFiles } from "./packages.ts";
import { Safetensors } from "./safetensors.ts";
import { Vocabulary } from "./vocabulary.ts";

export interface BuiltModel {
  readonly graph: Uint8Array;
  readonly vocabulary: Uint8Array;
}

/** Checksum, length of the vocabulary, length of the graph; then both. */
const HEADER_BYTES = 16;

export function cachedModelPath(cacheDirectory: string): string {
  return join(cacheDirectory, "models", `minilm-l6-v2-int8-${GRAPH_VERSION}.bin`);
}

export function loadModel(cacheDirectory: string): BuiltModel {
  const path = cachedModelPath(cacheDirectory);
  const cached = readOrNull(path);
  const model = cached === null ? null : unpack(cached);
  if (model !== null) return model;
  const built = buildModel();
  try {
    keep(path, pack(built));
  } catch {
    // A cache that cannot be written costs time, nothing else.
  }
  return built;
}

export function buildModel(): BuiltModel {
  const files = modelFiles();
  const weights = Safetensors.open(files.weights);
  try {
    return { graph: buildGraph(weights), vocabulary: Vocabulary.of(tokensOf(files.tokenizer)).toBytes() };
  } finally {
    weights.close();
  }
}

function tokensOf(path: string): string[] {
  const { model }: { model: { vocab: Record<string, number> } } = JSON.parse(readFileSync(path, "utf8"));
  const tokens: string[] = [];
  for (const [token, id] of Object.entries(model.vocab)) tokens[id] = token;
  return tokens;
}

function pack({ graph, vocabulary }: BuiltModel): Uint8Array {
  const packed = new Uint8Array(HEADER_BYTES + vocabulary.length + graph.length);
  packed.set(vocabulary, HEADER_BYTES);
  packed.set(graph, HEADER_BYTES + vocabulary.length);
  const header = new DataView(packed.buffer);
  header.setUint32(8, vocabulary.length, true);
  header.setUint32(12, graph.length, true);
  header.setBigUint64(0, checksum(packed), true);
  return packed;
}

/** null where the bytes are not what was once written. */
function unpack(packed: Uint8Array): BuiltModel | null {
  if (packed.length < HEADER_BYTES) return null;
  const header = new DataView(packed.buffer, packed.byteOffset);
  const vocabularyEnd = HEADER_BYTES + header.getUint32(8, true);
  const graphEnd = vocabularyEnd + header.getUint32(12, true);
  if (packed.length !== graphEnd || header.getBigUint64(0, true) !== checksum(packed)) return null;
  return {
    vocabulary: packed.subarray(HEADER_BYTES, vocabularyEnd),
    graph: packed.subarray(vocabularyEnd, graphEnd),
  };
}

function checksum(packed: Uint8Array): bigint {
  return Bun.hash.xxHash3(packed.subarray(8));
}

function readOrNull(path: string): Uint8Array | null {
  try {
    return Bun.mmap(path);
  } catch {
    return null;
  }
}

function keep(path: string, packed: Uint8Array): void {
  const directory = join(path, "..");
  ensureDirectory(directory);
  for (const { name } of entriesIfThere(directory))
    if (isAbandoned(name)) removeIfThere(join(directory, name));
  writeFileAtomic(path, packed);
  fsyncDirectory(directory);
}

/** Whether this is the unfinished file of a process that is no more. */
function isAbandoned(name: string): boolean {
  const writer = Number(/-(\d+)-/.exec(name)?.[1]);
  if (!isTemporaryName(name) || !Number.isInteger(writer)) return false;
  try {
    process.kill(writer, 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}
