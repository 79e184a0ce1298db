/** Reads the chunks that a hosted index gets, with the vectors that are stored here. */
import { RetainError } from "../../core/errors.ts";
import { INFERRED } from "../../core/facts/memory-paths.ts";
import { type Kind, TRUSTS, type Trust } from "../../core/memory.ts";
import type { MemoryFilter } from "../../core/ports/search.ts";
import {
  ID_HASH_LENGTH,
  SHARED_KINDS,
  type SharedChunks,
  type VectorMemory,
  type VectorPassage,
  vectorId,
} from "../../core/ports/vector-index.ts";
import { shareableText } from "../../core/secrets/shareable.ts";
import { passagesOf } from "../../core/text/chunk.ts";
import { fingerprint } from "../../util/hash.ts";
import { IS_EVIDENCE } from "../chunks/chunks.ts";
import { sqlFilter } from "../chunks/filter.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import { stampOf } from "../database/fact-stamp.ts";
import { setState, stateOf } from "../database/state.ts";
import { passagesIn, readPassages } from "./matrix.ts";

const IS_SHARED = `+chunks.kind IN (${SHARED_KINDS.map((kind) => `'${kind}'`).join(", ")})`;
/** The id in SQL, and a condition on chunks for the id in `value`. Each "+" keeps SQLite from using the index of kinds for it. */
const VECTOR_ID = `chunks.kind || ':' || substr(chunks.hash, 1, ${ID_HASH_LENGTH})`;
const HAS_ID = `chunks.hash >= substr(value, instr(value, ':') + 1) AND chunks.hash < substr(value, instr(value, ':') + 1) || 'g'
  AND +chunks.kind = substr(value, 1, instr(value, ':') - 1)`;

/** Unconfirmed facts stay here: another machine could not tell them from facts that a person asked to save. */
const SHARED = `LEFT JOIN facts ON chunks.kind = 'fact' AND facts.id = source
  WHERE ${IS_EVIDENCE} AND ${IS_SHARED} AND '/' || ifnull(file, '') NOT LIKE '%/${INFERRED}'`;

const WANTED = `SELECT ${VECTOR_ID}, scope || chunks.tags || ifnull(category, '') || ifnull(until, '') FROM chunks ${SHARED}
  ORDER BY chunk_id DESC`;

/** The newest chunk of each content, and the size of its vectors if they are of this embedding model. */
const TEXTS = `SELECT max(chunks.chunk_id), chunks.kind, hash, heading, text, ifnull(stated, text) AS said, chunks.session, at,
    chunks.trust, scope, chunks.tags, category, until, length(passages) AS size, dimensions`;
const CHUNKS = `
  FROM json_each(?) CROSS JOIN chunks ON ${HAS_ID}
    LEFT JOIN models ON models.name = ?
    LEFT JOIN vectors ON vectors.chunk_id = chunks.chunk_id AND vectors.model_id = models.model_id
    ${SHARED} GROUP BY value`;

/** A new chunk has a new number, so these change with the chunks. The facts' stamp covers changes of a fact's metadata. */
const REVISION = `SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'chunks') || '/' || (SELECT count(*) FROM chunks) || '/' ||
  (SELECT count(*) FROM pending)`;
const SETTLED = "hosted index";

interface Row {
  readonly kind: Kind;
  readonly hash: string;
  readonly heading: string;
  /** The whole text; `said` leaves out its questions, and with them perhaps the tag that makes the rest private. */
  readonly text: string;
  readonly said: string;
  readonly session: string | null;
  readonly at: number | null;
  readonly trust: Trust;
  readonly scope: string;
  readonly tags: string;
  readonly category: string | null;
  readonly until: string | null;
  /** In bytes. */
  readonly size: number | null;
  readonly dimensions: number | null;
}

interface RowWithVectors extends Row {
  readonly passages: Uint8Array | null;
}

/** In characters. A longer text is shown by the passage that was found, since an index limits its metadata. */
const LONGEST_SHOWN = 2_000;

export class SqliteSharedChunks implements SharedChunks {
  constructor(private readonly workspace: WorkspaceDatabase) {}

  wanted(): Map<string, string> {
    return this.workspace.read(new Map<string, string>(), (database) => {
      const wanted = new Map<string, string>();
      for (const [id, about] of database.query(WANTED).values() as [string, string][])
        if (!wanted.has(id)) wanted.set(id, fingerprint(about));
      return wanted;
    });
  }

  read(ids: readonly string[], model: string | null): VectorMemory[] {
    const rows = this.workspace.read([], (database) =>
      database
        .query<RowWithVectors, [string, string | null]>(`${TEXTS}, passages ${CHUNKS}`)
        .all(JSON.stringify(ids), model),
    );
    const memories = rows.flatMap((row) => memoryOf(row, model !== null));
    const byId = new Map(memories.map((memory) => [memory.id, memory]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  sendable(ids: readonly string[], model: string | null): number {
    return this.workspace.read(0, (database) => {
      let count = 0;
      const rows = database.query<Row, [string, string | null]>(`${TEXTS} ${CHUNKS}`);
      for (const row of rows.iterate(JSON.stringify(ids), model))
        if (textsToSend(row, model !== null).length > 0) count++;
      return count;
    });
  }

  find(ids: readonly string[], filter: MemoryFilter): { id: string; chunkId: number }[] {
    const { where, values } = sqlFilter(filter);
    const condition = where === "" ? "" : `AND ${where}`;
    return this.#named(ids, condition, values);
  }

  known(ids: readonly string[]): Set<string> {
    return new Set(this.#named(ids, "", []).map(({ id }) => id));
  }

  revision(): string {
    return this.workspace.read("", (database) => {
      const [[rows]] = database.query(REVISION).values() as [[string | null]];
      return `${rows} ${stampOf(database)}`;
    });
  }

  settled(): string | null {
    return this.workspace.read(null, (database) => stateOf(database, SETTLED));
  }

  /** Does nothing while another process writes, or on a full disk: then the next one compares again. */
  settle(mark: string): void {
    try {
      this.workspace.tryDerive((database) => setState(database, SETTLED, mark));
    } catch (error) {
      if (!(error instanceof RetainError && error.code === "io")) throw error;
    }
  }

  #named(ids: readonly string[], condition: string, values: readonly (string | number)[]) {
    return this.workspace.read<{ id: string; chunkId: number }[]>([], (database) => {
      const query = `SELECT value, chunk_id FROM json_each(?) CROSS JOIN chunks ON ${HAS_ID} ${condition}`;
      const rows = database.query(query).values(JSON.stringify(ids), ...values) as [string, number][];
      return rows.map(([id, chunkId]) => ({ id, chunkId }));
    });
  }
}

/**
 * The texts of a chunk's passages; empty if it isn't sent: nothing of a text with a secret or a private part is, not even the rest
 * of it.
 */
function textsToSend(row: Row, areVectorsHere: boolean): string[] {
  const { kind, heading, text, said, scope, tags, category, size, dimensions } = row;
  const whole = [heading, category, tags, scope, text].join("\n");
  if (shareableText(whole) !== whole) return [];
  const texts = passagesOf(heading, said, kind === "message");
  return areVectorsHere && passagesIn(size ?? 0, dimensions ?? 0) !== texts.length ? [] : texts;
}

function memoryOf(row: RowWithVectors, areVectorsHere: boolean): VectorMemory | [] {
  const { kind, hash, heading, said, session, at, trust, scope, tags, category, until } = row;
  const texts = textsToSend(row, areVectorsHere);
  if (texts.length === 0) return [];
  const vectors = areVectorsHere ? readPassages(row.passages, row.dimensions ?? 0) : [];
  const passages = texts.map((one, index): VectorPassage => ({ text: one, vector: vectors[index] ?? null }));
  return {
    id: vectorId(kind, hash),
    passages,
    about: {
      ...{ type: kind, session_id: session, title: heading === "" ? null : heading, date: at, category },
      ...{ fact: said.length <= LONGEST_SHOWN ? said : "", chat: scope, until },
      tags: JSON.parse(tags) as string[],
      trust: TRUSTS.find((known) => known === trust) ?? "stated",
    },
  };
}
