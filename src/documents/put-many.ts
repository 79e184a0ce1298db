/** Storing many documents: an import. One that cannot be stored is named and does not stop the others. */
import { RetainError } from "../core/errors.ts";
import type { DocumentPorts } from "./ports.ts";
import {
  advise,
  type Incoming,
  type PutInput,
  type PutOutcome,
  type PutResult,
  putAll,
  readIncoming,
} from "./put.ts";
import { warnOfSecrets } from "./secrets.ts";

export interface PutSource {
  /** How a failure names it: a path. */
  readonly name: string;
  /** Throws a RetainError when it cannot be read. */
  read(): PutInput | Promise<PutInput>;
}

export interface PutFailure {
  readonly name: string;
  readonly error: RetainError;
}

export interface PutManyResult {
  readonly stored: PutResult[];
  readonly failed: PutFailure[];
  /** Those after a failure of the disk, which stops the import. */
  readonly notTried: number;
}

/** How many documents share one turn of the lock and one flush of the directory. */
const BATCH_SIZE = 64;

/** `progress` is told how many are done, each time some have become durable. */
export async function putDocuments(
  ports: DocumentPorts,
  sources: readonly PutSource[],
  progress: (done: number) => void = () => {},
): Promise<PutManyResult> {
  const stored: PutResult[] = [];
  const failed: PutFailure[] = [];
  const claimed = new Map<string, string>();
  const withSecrets: { name: string; secrets: readonly string[] }[] = [];
  for (let start = 0; start < sources.length; start += BATCH_SIZE) {
    const batch = sources.slice(start, start + BATCH_SIZE);
    const readable: Readable[] = [];
    for (const source of batch) readable.push(...(await readSource(ports, source, claimed, failed)));
    const outcomes = await storeBatch(
      ports,
      readable.map((item) => item.incoming),
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
    await Bun.sleep(0);
  }
  advise(ports, stored);
  warnOfSecrets(ports, withSecrets);
  return { stored, failed, notTried: 0 };
}

/** A lock that cannot be had, or a disk that cannot keep the old states, is met by the first of the batch. */
async function storeBatch(ports: DocumentPorts, batch: readonly Incoming[]): Promise<PutOutcome[]> {
  if (batch.length === 0) return [];
  try {
    return await ports.lock.exclusively(() => putAll(ports, batch));
  } catch (error) {
    return [{ error: asRetainError(error) }];
  }
}

interface Readable {
  name: string;
  incoming: Incoming;
}

/** Nothing, and a failure noted, where the source cannot be stored. */
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
