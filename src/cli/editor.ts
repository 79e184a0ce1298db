/** Opening a file in the person's editor, and waiting for it. */
import { RetainError } from "../core/errors.ts";

/** Throws `usage` when no editor is known, `io` when it ends with an error. */
export async function openEditor(path: string, configured: string, json: boolean): Promise<void> {
  const editor = configured || process.env.VISUAL || process.env.EDITOR;
  if (!editor)
    throw new RetainError(
      "usage",
      "No editor is known.",
      "Set $EDITOR, or run: retain config set --global editor nano",
    );
  // The command may carry options ("code --wait"), so the shell takes it apart; the path is passed beside it.
  const child = Bun.spawn(["sh", "-c", `${editor} "$1"`, "sh", path], {
    stdin: "inherit",
    stdout: json ? 2 : "inherit",
    stderr: "inherit",
  });
  const status = await child.exited;
  if (status === 127)
    throw new RetainError(
      "io",
      `The editor '${editor}' was not found.`,
      "Set $EDITOR, or: retain config set --global editor nano",
    );
  if (status !== 0)
    throw new RetainError("io", `The editor '${editor}' ended with an error.`, "Nothing was changed.");
}
