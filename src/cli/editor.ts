/** Opens a file in the user's editor and waits for it to exit. */
import { RetainError } from "../core/errors.ts";

/** Throws `usage` if no editor is configured, `io` if it fails. */
export async function openEditor(path: string, configured: string, json: boolean): Promise<void> {
  const editor = configured || process.env.VISUAL || process.env.EDITOR;
  if (!editor)
    throw new RetainError(
      "usage",
      "No editor is configured.",
      "Set $EDITOR, or run: retain config set --global editor nano",
    );
  // The shell splits the command, which may have options ("code --wait"). The path is a separate argument.
  const child = Bun.spawn(["sh", "-c", `${editor} "$1"`, "sh", path], {
    env: process.env,
    stdin: "inherit",
    stdout: json ? 2 : "inherit",
    stderr: "inherit",
  });
  const status = await child.exited;
  if (status === 127)
    throw new RetainError(
      "io",
      `Editor not found: ${editor}`,
      "Set $EDITOR, or: retain config set --global editor nano",
    );
  if (status !== 0)
    throw new RetainError("io", `The editor '${editor}' exited with an error.`, "Nothing was changed.");
}
