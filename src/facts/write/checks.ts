/** Checks before memory files are changed, and finding a fact's lines in them. */

import { RetainError } from "../../core/errors.ts";
import { type Bullet, bulletsOf, GENERAL, withoutBullet } from "../../core/facts/bullets.ts";
import { chatOf, type Fact } from "../../core/facts/fact.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { kindOfFile } from "../../core/facts/memory-paths.ts";
import type { ChangedFile } from "../../core/ports/documents.ts";
import { fenceOf } from "../../core/text/markdown.ts";
import { differing } from "../../util/lists.ts";
import type { Drafts } from "../drafts.ts";
import type { FactPorts } from "../ports.ts";

/** Throws `invalid_input` if an edit would lose any other fact. */
export function requireOthersStay(changes: readonly ChangedFile[], gone: ReadonlySet<string>): void {
  for (const { path, before, after } of changes) {
    if (kindOfFile(path)?.kind !== "facts") continue;
    const chat = chatOf(path);
    const { gone: left, come } = differing(bulletsOf(before ?? ""), bulletsOf(after ?? ""));
    const there = new Set(come.map(({ text }) => factId(text, chat)));
    const lost = left.find(({ text }) => {
      const id = factId(text, chat);
      return !there.has(id) && !gone.has(id);
    });
    if (lost !== undefined)
      throw new RetainError(
        "invalid_input",
        `${path} cannot be edited without losing ${JSON.stringify(lost.text)} on line ${lost.line}.`,
        "Check that line's indentation, or a code block around it.",
      );
  }
}

/** From every file of its chat or workspace: a line left behind would be read as a new fact. */
export function removeLines({ files }: FactPorts, drafts: Drafts, fact: Fact): void {
  for (const { path } of files.scan()) {
    const kind = kindOfFile(path);
    if (kind?.kind !== "facts" || kind.chat !== fact.chat) continue;
    for (;;) {
      const content = drafts.read(path);
      const line = lineOf(content, fact);
      if (line === undefined) break;
      drafts.write(path, withoutBullet(content, line));
    }
  }
}

export function lineOf(content: string, fact: Fact): Bullet | undefined {
  return bulletsOf(content).find(({ text }) => factId(text, fact.chat) === fact.id);
}

/**
 * "Lives in Rome" under Alice and under Bob are about two people. So a new fact replaces old ones only within a category, or if
 * all of them are in one category.
 */
export function ofItsKind(category: string | null, old: readonly Fact[]): readonly Fact[] {
  const categories = new Set(old.map((fact) => fact.category.toLowerCase()));
  if (category === null && categories.size <= 1) return old;
  const wanted = category?.toLowerCase() ?? GENERAL;
  return old.filter((fact) => [wanted, GENERAL].includes(fact.category.toLowerCase()));
}

export function unwritable({ files }: FactPorts, file: string, text: string, as: string): RetainError {
  return new RetainError(
    "invalid_input",
    `${JSON.stringify(text)} cannot be written as ${as} of ${files.root}/${file}.`,
    fenceOf(text) !== null
      ? "It would start a code block: reword it."
      : "Look for an unclosed code block or comment in that file.",
  );
}

/** The new bullet's index in the edited text; null if it isn't read back as a bullet. */
export function positionIn(edited: string, before: string, id: string, chat: string | null): number | null {
  const { at, come } = differing(bulletsOf(before), bulletsOf(edited));
  const index = come.findIndex(({ text }) => factId(text, chat) === id);
  return index < 0 ? null : at + index;
}
