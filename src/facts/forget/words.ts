/**
 * Forgets words that match no fact or note, in documents and conversations: either the sentences that contain them, or the whole
 * documents and messages. The rest works as for a fact's text.
 */
import { RetainError } from "../../core/errors.ts";
import { sentencesOf } from "../../core/text/sentences.ts";
import { decodeUtf8 } from "../../util/text.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { removeEverywhere } from "./backups.ts";
import { removeDocument } from "./document.ts";
import { isDocument, isVersion, textTarget } from "./files.ts";
import { type Forgotten, removeText } from "./forget.ts";
import { isTelling, tooShort } from "./short.ts";
import { FORGOTTEN, type ForgottenText, forgottenText } from "./text.ts";
import { commitsHolding } from "./traces.ts";

/** A sentence that contains the words. */
export interface SaidPassage {
  readonly kind: "document" | "message";
  readonly origin: FactWorkspace["origin"];
  /** A document's path below the workspace, or a session's id. */
  readonly where: string;
  /** A document's line, or a message's number. */
  readonly at: number;
  readonly text: string;
}

/** "passage": the sentences that contain it. "whole": whole documents and messages. */
export type Extent = "passage" | "whole";

/** In the order of the workspaces, documents first. */
export function passagesSaying(workspaces: FactWorkspaces, words: string): SaidPassage[] {
  return workspaces.read.flatMap((workspace) => passagesIn(workspace, forgottenText([words])));
}

function passagesIn(workspace: FactWorkspace, said: ForgottenText): SaidPassage[] {
  const { origin, sessions } = workspace;
  const inDocuments = documentsSaying(workspace, said).flatMap(({ path, content }) =>
    sentencesSaying(content, said).map(({ text, line }) => ({
      ...{ kind: "document" as const, origin, where: path, at: line, text },
    })),
  );
  const inMessages = sessions
    .list({})
    .flatMap(({ id }) => sessions.messages(id).map((message) => ({ session: id, ...message })))
    .flatMap(({ session, id, content }) =>
      sentencesSaying(content, said).map(({ text }) => ({
        ...{ kind: "message" as const, origin, where: session, at: id, text },
      })),
    );
  return [...inDocuments, ...inMessages];
}

/** Current documents, without their versions. */
function documentsSaying({ traces: { tree } }: FactWorkspace, said: ForgottenText) {
  return tree.paths().flatMap((path) => {
    if (!isDocument(path) || isVersion(path)) return [];
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

/** Throws `not_found` if nothing contains the words, and `usage` if they are too short to remove. */
export async function forgetWords(
  workspaces: FactWorkspaces,
  words: string,
  extent: Extent,
): Promise<Forgotten> {
  const said = forgottenText([words]);
  const passages = passagesSaying(workspaces, words);
  if (passages.length === 0)
    throw new RetainError(
      "not_found",
      `No document or message contains ${JSON.stringify(words)}. Nothing was changed.`,
      "Pass the exact words; letter case doesn't matter.",
    );
  if (!isTelling(words)) throw tooShort();
  const found: Pick<Forgotten, "places" | "left" | "commits">[] = [];
  for (const workspace of workspaces.read) {
    const own = passages.filter(({ origin }) => origin === workspace.origin);
    if (own.length === 0) continue;
    const texts = extent === "whole" ? [words] : own.map(({ text }) => text);
    const target = textTarget(texts);
    const commits = commitsHolding(workspace, target);
    if (extent === "whole") await removeWhole(workspace, said);
    found.push({ commits, ...(await removeEverywhere(workspace, target, (one) => removeText(one, target))) });
  }
  return {
    dry_run: false,
    forgotten: [],
    places: found.flatMap((one) => one.places),
    left: found.flatMap((one) => one.left),
    commits: found.flatMap((one) => one.commits),
    elsewhere: [],
    short: false,
  };
}

/** Removes each durably on its own, so that a repeated call can continue. */
async function removeWhole(workspace: FactWorkspace, said: ForgottenText): Promise<void> {
  const { traces, sessions, lock } = workspace;
  await sessions.rewrite((text) => (said.holds(text) ? FORGOTTEN : text));
  await lock.exclusively(() => {
    for (const { path } of documentsSaying(workspace, said)) removeDocument(traces.tree, path);
  });
}
