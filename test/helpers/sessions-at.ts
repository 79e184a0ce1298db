/** The conversations of a directory, as a workspace has them: files, and rows in a real database. */
import { join } from "node:path";
import { keepInFiles } from "../../src/backends/sessions/directory.ts";
import { LocalSessions } from "../../src/backends/sessions/local-sessions.ts";
import { SessionsInStep } from "../../src/backends/sessions/sync.ts";
import { SessionFiles } from "../../src/files/session-files.ts";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";

export interface SessionsAt extends Disposable {
  readonly database: WorkspaceDatabase;
  readonly sessions: LocalSessions;
}

export function sessionsAt(root: string, warn: (message: string) => void = fail): SessionsAt {
  const directory = join(root, "sessions");
  const database = new WorkspaceDatabase(join(root, "retain.db"), () => {}, warn, {
    keep: keepInFiles(directory),
  });
  const sessions = new LocalSessions(new SessionsInStep(new SessionFiles(directory), database, warn));
  return {
    ...{ database, sessions },
    [Symbol.dispose]() {
      sessions.close();
      database.close();
    },
  };
}

function fail(message: string): never {
  throw new Error(message);
}
