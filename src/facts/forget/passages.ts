/** Finds sentences in documents and conversations that contain words to forget. Changes nothing. */
import { RetainError } from "../../core/errors.ts";
import { command, hint, option, slot } from "../../core/hint.ts";
import { sentencesOf } from "../../core/text/sentences.ts";
import { plural } from "../../util/in-words.ts";
import { decodeUtf8, oneLine } from "../../util/text.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { isDocument, isVersion } from "./files.ts";
import { isLongEnoughToSearch } from "./short.ts";
import { type ForgottenText, forgottenText } from "./text.ts";

/** A sentence that contains the words. */
export interface SaidPassage {
  readonly kind: "document" | "version" | "message";
  readonly origin: FactWorkspace["origin"];
  /** The path of a document or version below the workspace, or a session's id. */
  readonly where: string;
  /** A document's line, or a message's number. */
  readonly at: number;
  readonly text: string;
}

/** In the order of the workspaces, documents first; of earlier versions, only sentences that no current document has. */
export function passagesSaying(workspaces: Pick<FactWorkspaces, "read">, words: string): SaidPassage[] {
  return workspaces.read.flatMap((workspace) => passagesIn(workspace, forgottenText([words])));
}

function passagesIn(workspace: FactWorkspace, said: ForgottenText): SaidPassage[] {
  const { origin, sessions } = workspace;
  const passagesOf = (kind: "document" | "version") =>
    filesSaying(workspace, kind, said).flatMap(({ path, content }) =>
      sentencesSaying(content, said).map(({ text, line }) => ({ kind, origin, where: path, at: line, text })),
    );
  const inDocuments = passagesOf("document");
  const current = new Set(inDocuments.map(({ text }) => text));
  const inVersions = passagesOf("version").filter(({ text }) => !current.has(text));
  const inMessages = sessions
    .list({})
    .flatMap(({ id }) => sessions.messages(id).map((message) => ({ session: id, ...message })))
    .flatMap(({ session, id, content }) =>
      sentencesSaying(content, said).map(({ text }) => ({
        ...{ kind: "message" as const, origin, where: session, at: id, text },
      })),
    );
  return [...inDocuments, ...inVersions, ...inMessages];
}

export function filesSaying(
  { traces: { tree } }: FactWorkspace,
  kind: "document" | "version",
  said: ForgottenText,
) {
  return tree.paths().flatMap((path) => {
    if (!isDocument(path) || isVersion(path) !== (kind === "version")) return [];
    const content = decodeUtf8(tree.read(path) ?? new Uint8Array());
    return content !== null && said.holds(content) ? { path, content } : [];
  });
}

/** If no single sentence contains the words, returns the line where they start. */
function sentencesSaying(content: string, said: ForgottenText): { text: string; line: number }[] {
  if (!said.holds(content)) return [];
  const found = sentencesOf(content)
    .map(({ start, end }) => ({ text: content.slice(start, end), line: lineAt(content, start) }))
    .filter(({ text }) => said.holds(text));
  if (found.length > 0) return found;
  const [line = 1] = said.lines(content);
  return [{ text: content.split("\n")[line - 1] ?? "", line }];
}

function lineAt(content: string, position: number): number {
  return content.slice(0, position).split("\n").length;
}

/** Fits on a screen. */
export const MOST_SHOWN = 15;

/** "  document  collections/memory/plan.md:3  We sail on Friday." */
export function passageLine({ kind, where, at, text }: SaidPassage): string {
  const name = kind === "message" ? `${where} message ${at}` : `${where}:${at}`;
  return `  ${kind.padEnd(10)}${oneLine(name)}  ${oneLine(text).slice(0, 100)}`;
}

/** A longer sentence is not repeated in a hint. */
const LONGEST_NAMED = 100;

/** Why nothing was removed yet, with the commands that remove it: `usage` if the words are too short for that. */
export function unremoved(words: string, passages: readonly SaidPassage[]): RetainError {
  const passage = option("passage");
  if (isLongEnoughToSearch(words))
    return new RetainError(
      "unconfirmed",
      `${plural(passages.length, "matching passage")} in documents and conversations. Nothing was changed.`,
      hint`To remove them: ${command("forget", words, passage, option("yes"))}. To remove the whole documents and messages: ${command("forget", words, option("whole"), option("yes"))}`,
    );
  const sentence = passages
    .map(({ text }) => oneLine(text))
    .find((text) => isLongEnoughToSearch(text) && text.length <= LONGEST_NAMED);
  return new RetainError(
    "usage",
    `${JSON.stringify(words)} is too short to remove from documents and messages. Nothing was changed.`,
    hint`Pass a whole sentence, such as: ${command("forget", sentence ?? slot("sentence"), passage)}. To remove a whole document or message, pass its id: ${command("forget", slot("id"))}`,
  );
}
