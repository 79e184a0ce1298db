/** The directory of a workspace's conversations, and the migration of those from an earlier version. */
import { basename, dirname, join } from "node:path";
import { projectWorkspaceIdentity } from "../../config/project-identity.ts";
import { bankDirectory, chooseWorkspace, type Surroundings, type Workspace } from "../../config/workspace.ts";
import { type FiledSession, readSession, sessionText } from "../../core/sessions/session-file.ts";
import { SessionFiles, sessionFileName } from "../../files/session-files.ts";
import { FileLock } from "../../sqlite/database/file-lock.ts";
import type { StoreConversations } from "../../sqlite/database/migrations.ts";
import { ensureDirectory, LOCK_FILE, lstatIfThere, readIfThere, writeFileAtomic } from "../../util/fs.ts";
import { numberedLater } from "./numbers.ts";

const DIRECTORY = "sessions";

/**
 * A project's conversations are in the home workspace, in the project's bank: they are not shared with the repository, and
 * cleaning it doesn't remove them.
 */
export function sessionsDirectory(workspace: Workspace, surroundings: Surroundings | undefined): string {
  const { root, project } = workspace;
  if (project === null || surroundings === undefined) return join(root, DIRECTORY);
  const { home } = chooseWorkspace(surroundings, "global");
  const bank = markedBank(root, home) ?? bankDirectory(home, projectWorkspaceIdentity(project).id);
  return join(bank, DIRECTORY);
}

/** In a project's workspace: the id of its bank, and a secret that only this home knows. It moves with the project. */
const MARK = ".bank";
/** In a bank: the secret that the mark must contain. A repository can contain a forged mark, but cannot know the secret. */
const WORD = ".word";

/** The directory of the bank that the project's mark names; null unless this home created the mark. */
function markedBank(root: string, home: Workspace): string | null {
  const [, id = "", word] = /^([\w-]{1,200}) ([0-9a-f-]{36})\n$/.exec(textOf(join(root, MARK))) ?? [];
  const bank = bankDirectory(home, id);
  return word !== undefined && textOf(join(bank, WORD)) === `${word}\n` ? bank : null;
}

/** Marks a project's bank, so that it is found after the project is moved. */
export function markBank({ root, project }: Workspace, directory: string): void {
  if (project === null) return;
  const bank = dirname(directory);
  const word = textOf(join(bank, WORD)) || `${crypto.randomUUID()}\n`;
  ensureDirectory(bank);
  writeFileAtomic(join(bank, WORD), word);
  try {
    writeFileAtomic(join(root, MARK), `${basename(bank)} ${word}`);
  } catch {
    // A read-only project is found by its path.
  }
}

function textOf(path: string): string {
  if (!lstatIfThere(path)?.isFile()) return "";
  return new TextDecoder().decode(readIfThere(path) ?? new Uint8Array());
}

/** Writes conversations that exist only in a database to files. Skips those already written, as after a crash. */
export function keepInFiles(directory: string): StoreConversations {
  return (sessions, given) => {
    ensureDirectory(directory);
    const lock = new FileLock(join(directory, LOCK_FILE));
    const files = new SessionFiles(directory);
    try {
      lock.hold(() => {
        for (const session of sessions) keepOne(files, session);
        const { message, session } = files.numbers();
        files.keepNumbers({
          message: Math.max(message, given.message),
          session: numberedLater(session, given.session),
        });
      });
    } finally {
      files.close();
      lock.close();
    }
  };
}

/** Two workspaces of one project may have different sessions with the same id: the second gets a new id. */
function keepOne(files: SessionFiles, session: FiledSession): void {
  for (let count = 1; ; count++) {
    const id = count === 1 ? session.id : `${session.id}-${count}`;
    const name = sessionFileName(id);
    const bytes = files.read(name);
    if (bytes === null) {
      files.write(name, sessionText({ ...session, id }));
      return;
    }
    const kept = readSession(bytes, id).session;
    if (kept !== null && isBeginningOf(session, kept)) return;
  }
}

function isBeginningOf({ messages }: FiledSession, kept: FiledSession): boolean {
  return messages.every(({ content, timestamp, role }, index) => {
    const other = kept.messages[index];
    return other?.content === content && other.timestamp === timestamp && other.role === role;
  });
}
