/** Where the conversations of a workspace are, and how those of an earlier version get there. */
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
 * A project's are in the home workspace, under the project's bank: nobody else gets them with the repository, and cleaning it
 * does not remove them.
 */
export function sessionsDirectory(workspace: Workspace, surroundings: Surroundings | undefined): string {
  const { root, project } = workspace;
  if (project === null || surroundings === undefined) return join(root, DIRECTORY);
  const { home } = chooseWorkspace(surroundings, "global");
  const bank = markedBank(root, home) ?? bankDirectory(home, projectWorkspaceIdentity(project).id);
  return join(bank, DIRECTORY);
}

/** In a project's workspace: which bank is its own, and a word that only this home knows. It goes along when a project is moved. */
const MARK = ".bank";
/** In a bank: the word that the mark has to have. A repository can bring a mark, but cannot know it. */
const WORD = ".word";

/** The directory of the bank that the project's mark names; null where there is none that this home made. */
function markedBank(root: string, home: Workspace): string | null {
  const [, id = "", word] = /^([\w-]{1,200}) ([0-9a-f-]{36})\n$/.exec(textOf(join(root, MARK))) ?? [];
  const bank = bankDirectory(home, id);
  return word !== undefined && textOf(join(bank, WORD)) === `${word}\n` ? bank : null;
}

/** Marks a project's bank as its own, so that it is found again after the project was moved. */
export function markBank({ root, project }: Workspace, directory: string): void {
  if (project === null) return;
  const bank = dirname(directory);
  const word = textOf(join(bank, WORD)) || `${crypto.randomUUID()}\n`;
  ensureDirectory(bank);
  writeFileAtomic(join(bank, WORD), word);
  try {
    writeFileAtomic(join(root, MARK), `${basename(bank)} ${word}`);
  } catch {
    // A project that cannot be written is found by where it is.
  }
}

function textOf(path: string): string {
  if (!lstatIfThere(path)?.isFile()) return "";
  return new TextDecoder().decode(readIfThere(path) ?? new Uint8Array());
}

/** Makes files of conversations that only a database holds. One that is a file already, as after a crash, is left alone. */
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

/** Two workspaces of one project may each have had a session of this id: the second gets another one. */
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
