/** Stores many documents, as an import does. One that can't be stored is reported and doesn't stop the others. */
import { RetainError } from "../core/errors.ts";
import type { DocumentChange } from "../core/ports/documents.ts";
import { sleep } from "../util/sleep.ts";
import type { DocumentPorts } from "./ports.ts";
import {
  advise,
  type Incoming,
  PUT,
  type PutInput,
  type PutOutcome,
  type PutResult,
  putAll,
  readIncoming,
} from "./put.ts";
import { warnOfSecrets } from "./secrets.ts";
import { recordChange, warnOfNoUndo } from "./write.ts";

export interface PutSource {
  /** Names it in a failure: a path. */
  readonly name: string;
  /** Throws a RetainError if it can't be read. */
  read(): PutInput | Promise<PutInput>;
}

export interface PutFailure {
  readonly name: string;
  readonly error: RetainError;
}

export interface PutManyResult {
  readonly stored: PutResult[];
  readonly failed: PutFailure[];
  /** Sources after a disk failure, which stops the import. */
  readonly notTried: number;
}

/** Documents stored under one lock and one directory flush. */
const BATCH_SIZE = 64;

/** Calls `progress` with the number of processed documents after each batch. */
export async function putDocuments(
  ports: DocumentPorts,
  sources: readonly PutSource[],
  progress: (done: number) => void = () => {},
): Promise<PutManyResult> {
  const unrecorded: DocumentChange[] = [];
  try {
    return await putBatches(ports, sources, progress, unrecorded);
  } finally {
    await recordRest(ports, unrecorded);
  }
}

async function putBatches(
  ports: DocumentPorts,
  sources: readonly PutSource[],
  progress: (done: number) => void,
  unrecorded: DocumentChange[],
): Promise<PutManyResult> {
  const stored: PutResult[] = [];
  const failed: PutFailure[] = [];
  const claimed = new Map<string, string>();
  const withSecrets: { name: string; secrets: readonly string[] }[] = [];
  for (let start = 0; start < sources.length; start += BATCH_SIZE) {
    const batch = sources.slice(start, start + BATCH_SIZE);
    const readable: Readable[] = [];
    for (const source of batch) readable.push(...(await readSource(ports, source, claimed, failed)));
    const isLast = start + BATCH_SIZE >= sources.length;
    const outcomes = await storeBatch(
      ports,
      readable.map((item) => item.incoming),
      unrecorded,
      isLast,
    );
    for (const [index, outcome] of outcomes.entries()) {
      if ("result" in outcome) {
        stored.push(outcome.result);
        withSecrets.push({ name: outcome.result.id, secrets: readable[index]?.incoming.secrets ?? [] });
      } else failed.push({ name: readable[index]?.name ?? "", error: asRetainError(outcome.error) });
    }
    if (outcomes.length < readable.length) {
      advise(ports, stored);
      warnOfSecrets(ports, withSecrets);
      return { stored, failed, notTried: sources.length - stored.length - failed.length };
    }
    progress(start + batch.length);
    await sleep(0);
  }
  advise(ports, stored);
  warnOfSecrets(ports, withSecrets);
  return { stored, failed, notTried: 0 };
}

/**
 * Adds to `unrecorded`, and records them all after the last batch: `undo` reverts an import as a whole. If the lock can't be acquired
 * or old states can't be saved, the first document of the batch gets the error.
 */
async function storeBatch(
  ports: DocumentPorts,
  batch: readonly Incoming[],
  unrecorded: DocumentChange[],
  isLast: boolean,
): Promise<PutOutcome[]> {
  if (batch.length === 0) return [];
  try {
    return await ports.lock.exclusively(() => {
      const { outcomes, changes } = putAll(ports, batch);
      unrecorded.push(...changes);
      if (isLast) recordChange(ports, PUT, unrecorded.splice(0));
      return outcomes;
    });
  } catch (error) {
    return [{ error: asRetainError(error) }];
  }
}

/** Records the changes of an import that ended before its last batch. */
async function recordRest(ports: DocumentPorts, unrecorded: readonly DocumentChange[]): Promise<void> {
  if (unrecorded.length === 0) return;
  try {
    await ports.lock.exclusively(() => recordChange(ports, PUT, unrecorded));
  } catch (error) {
    warnOfNoUndo(ports, error);
  }
}

interface Readable {
  name: string;
  incoming: Incoming;
}

/** Returns [] and records a failure if the source can't be stored. */
async function readSource(
  ports: DocumentPorts,
  source: PutSource,
  claimed: Map<string, string>,
  failed: PutFailure[],
): Promise<Readable[]> {
  try {
    const incoming = readIncoming(ports, await source.read());
    refuseSecond(claimed, incoming, source.name);
    return [{ name: source.name, incoming }];
  } catch (error) {
    failed.push({ name: source.name, error: asRetainError(error) });
    return [];
  }
}

/** Two files of one import must not overwrite each other. */
function refuseSecond(claimed: Map<string, string>, { collection, id }: Incoming, name: string): void {
  const key = `${collection}/${id}`;
  const first = claimed.get(key);
  if (first !== undefined)
    throw new RetainError(
      "conflict",
      `It would get the same id as ${first}: '${id}'.`,
      "Give one of them another title, or an 'id:' in its frontmatter.",
    );
  claimed.set(key, name);
}

function asRetainError(error: unknown): RetainError {
  if (error instanceof RetainError) return error;
  throw error;
}
