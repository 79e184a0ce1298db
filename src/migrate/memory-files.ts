/**
 * Imports whole files: USER.md, PREFERENCES.md and the like, and the text of MEMORY.md other than facts. A file that the workspace
 * lacks is copied; otherwise missing parts are appended. Nothing is replaced.
 */

import { RetainError } from "../core/errors.ts";
import { bulletsOf } from "../core/facts/bullets.ts";
import type { Fact } from "../core/facts/fact.ts";
import { factId } from "../core/facts/fact-text.ts";
import type { FactAdded } from "../core/facts/history.ts";
import { storable } from "../core/secrets/storable.ts";
import type { Drafts } from "../facts/drafts.ts";
import { appendHistory } from "../facts/sync/history-file.ts";
import { plural } from "../util/in-words.ts";
import { oneLine, squeezed } from "../util/text.ts";
import { changeFiles } from "./change.ts";
import { type FactFile, SOURCE } from "./facts.ts";
import { type Piece, piecesOf, textsOf, withPieces } from "./missing.ts";
import type { Migration } from "./ports.ts";
import type { ItemRef } from "./report.ts";

export interface CopiedFile extends FactFile {
  /** Below memories/. */
  readonly target: string;
  /** Its bullets are imported as facts, so only its other text is appended. */
  readonly isMemory: boolean;
}

type Outcome =
  | { readonly kind: "copied" }
  | { readonly kind: "added"; readonly pieces: number }
  | { readonly kind: "existing" };

export async function importFile(
  { workspace, source, outcomes }: Migration,
  copied: CopiedFile,
): Promise<void> {
  const item: ItemRef = { kind: "files", name: copied.target, file: copied.file };
  const content = storable(copied.content, false);
  if (content.trim() === "") return outcomes.leave(copied.file, "it is empty");
  const hidden = content === copied.content ? [] : ["without secrets and private parts"];
  try {
    const outcome = await changeFiles(workspace, (drafts, facts, at) =>
      new Copying(drafts, { ...copied, content }, facts, at).copy(
        `Imported from ${oneLine(source.directory)}`,
      ),
    );
    if (outcome.kind === "existing") {
      if (!copied.isMemory) outcomes.existing(item);
      return;
    }
    const how =
      outcome.kind === "copied"
        ? []
        : [`${plural(outcome.pieces, "part")} appended to memories/${copied.target}`];
    outcomes.imported(item, { why: [...how, ...hidden].join("; ") || null });
  } catch (error) {
    outcomes.failed(item, error);
  }
}

class Copying {
  readonly #known: ReadonlySet<string>;
  readonly #holding: ReadonlySet<string>;

  constructor(
    private readonly drafts: Drafts,
    private readonly file: CopiedFile,
    facts: readonly Fact[],
    private readonly at: string,
  ) {
    const own = facts.filter(({ chat }) => chat === file.chat);
    this.#known = new Set(own.map(({ id }) => id));
    this.#holding = new Set(own.filter(({ ended_at }) => ended_at === null).map(({ id }) => id));
  }

  copy(heading: string): Outcome {
    const { target, content, isMemory } = this.file;
    const before = this.drafts.read(target);
    if (before.trim() === "" && !isMemory) {
      this.#write(content);
      return { kind: "copied" };
    }
    const wanted = piecesOf(content).filter((piece) => !isMemory || !piece.isBullet);
    const missing = this.#missing(wanted, before, this.#known);
    if (missing.length === 0) return { kind: "existing" };
    const after = withPieces(before, missing, heading);
    if (this.#missing(missing, after, this.#idsIn(after)).length > 0) throw unwritable(target);
    this.#write(after);
    return { kind: "added", pieces: missing.length };
  }

  #missing(pieces: readonly Piece[], content: string, facts: ReadonlySet<string>): Piece[] {
    const texts = textsOf(content);
    return pieces.filter(({ text, isBullet }) =>
      isBullet ? !facts.has(factId(text, this.file.chat)) : !texts.has(squeezed(text)),
    );
  }

  /** Records its facts as imported. Otherwise a new bullet would count as written by the user. */
  #write(content: string): void {
    const { target, chat } = this.file;
    const ids = this.#idsIn(content);
    if ([...this.#idsIn(this.drafts.read(target))].some((id) => !ids.has(id))) throw unwritable(target);
    const seen = new Set(this.#holding);
    const entries = bulletsOf(content).flatMap(({ text, category }): FactAdded[] => {
      const id = factId(text, chat);
      if (seen.has(id)) return [];
      seen.add(id);
      const alone = { supersedes: [], because: null };
      return [{ kind: "added", at: this.at, id, text, file: target, category, source: SOURCE, ...alone }];
    });
    this.drafts.write(target, content);
    appendHistory(this.drafts, entries);
  }

  #idsIn(content: string): Set<string> {
    return new Set(bulletsOf(content).map(({ text }) => factId(text, this.file.chat)));
  }
}

function unwritable(target: string): RetainError {
  return new RetainError(
    "invalid_input",
    `Cannot append to memories/${target} without losing a fact in it.`,
    "Look for an unclosed code block or comment in that file.",
  );
}
