/** Compares two indexes of the same files: documents, facts, notes, sessions and messages, with their texts. */
import { fingerprint } from "../../util/hash.ts";
import type { Database } from "../driver.ts";
import type { WorkspaceDatabase } from "./database.ts";

const KINDS = ["document", "fact", "note", "session", "message"] as const;

export interface Difference {
  readonly kind: (typeof KINDS)[number];
  /** Its name in the index: "memory/gpu", a fact's id, a message's number. */
  readonly name: string;
}

/** One row or more per memory, in the same order in both databases. */
const ROWS = [
  "SELECT 'document', collection || '/' || id, json_array(title, fields, hash) FROM documents",
  `SELECT 'fact', id, json_array(fact, category, chat, file, trust, tags, created_at, ended_at, superseded_by, key, until)
     FROM facts`,
  "SELECT 'session', id, json_array(chat, title, summary, tags, created_at, updated_at) FROM sessions",
  `SELECT 'message', CAST(id AS TEXT), json_array(session_id, role, speaker, content, timestamp, details)
     FROM messages`,
  `SELECT iif(kind = 'summary', 'session', kind), source, json_array(kind, part, heading, text, scope)
     FROM chunks ORDER BY kind, source, part`,
];

/** Memories that are missing in one of them, or differ in text. */
export function differences(one: WorkspaceDatabase, other: WorkspaceDatabase): Difference[] {
  const [first, second] = [contentsOf(one), contentsOf(other)];
  const names = new Set([...first.keys(), ...second.keys()]);
  return [...names]
    .filter((name) => first.get(name) !== second.get(name))
    .flatMap((memory) => {
      const kind = KINDS.find((one) => memory.startsWith(`${one} `));
      return kind === undefined ? [] : { kind, name: memory.slice(kind.length + 1) };
    });
}

/** A hash per memory. */
function contentsOf(workspace: WorkspaceDatabase): Map<string, string> {
  return workspace.read(new Map<string, string>(), (database) => {
    const contents = new Map<string, string>();
    for (const rows of ROWS) addRows(database, rows, contents);
    return contents;
  });
}

function addRows(database: Database, sql: string, contents: Map<string, string>): void {
  for (const [kind, name, value] of database.query(sql).values() as [string, string, string][]) {
    const memory = `${kind} ${name}`;
    contents.set(memory, fingerprint(`${contents.get(memory) ?? ""}\n${value}`));
  }
}
