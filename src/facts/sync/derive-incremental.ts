/**
 * Derives the facts from the previous ones, for a long-lived process. If new lines of HISTORY.md explain every change, only the facts
 * in those lines are updated, not the ten thousand others. Everything else, such as a person's edits, is left to `deriveFull`.
 */
import { bulletsOf } from "../../core/facts/bullets.ts";
import { type Fact, replayEntry, withChanged } from "../../core/facts/fact.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { type HistoryEntry, type ReadHistory, readHistory } from "../../core/facts/history.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import { differing } from "../../util/lists.ts";
import {
  type BulletPosition,
  type Derived,
  type FactFile,
  type Sources,
  withPosition,
} from "./derive-full.ts";

/** The same result as `deriveFull`, or null if that is needed. `before` is modified and must not be used any more. */
export function deriveIncremental(before: Derived, sources: Sources): Derived | null {
  const histories = sources.histories.map((file, index) => readHistory(file, before.histories[index]));
  const newer = entriesSince(before.histories, histories);
  const moves = before.hasTwins ? null : movesBetween(before, sources.files);
  if (newer === null || moves === null) return null;
  const changed = new Changed(before.remembered);
  for (const entry of newer) replayEntry(changed, entry);
  const touched = new Set([...changed.keys(), ...moves.gone, ...moves.come.keys()]);
  const facts: Fact[] = [];
  for (const id of touched) {
    const found = moves.come.get(id) ?? (moves.gone.has(id) ? undefined : before.bulletPositions.get(id));
    const fact = changed.get(id);
    if (!isAsInHistory(fact, found)) return null;
    if (fact !== undefined) facts.push(withPosition(fact, found, before.byId.get(id)?.position));
  }
  for (const [id, fact] of changed.entries()) before.remembered.set(id, fact);
  for (const id of moves.gone) before.bulletPositions.delete(id);
  for (const [id, found] of moves.come) before.bulletPositions.set(id, found);
  const replaced = facts.flatMap(({ id }) => before.byId.get(id) ?? []);
  for (const fact of facts) before.byId.set(fact.id, fact);
  return { ...before, sources, histories, facts: withChanged(before.facts, replaced, facts) };
}

/** null if a history didn't only grow, or if an unconfirmed fact changed: its state depends on both histories. */
function entriesSince(
  before: readonly ReadHistory[],
  now: readonly ReadHistory[],
): readonly HistoryEntry[] | null {
  const newer: HistoryEntry[] = [];
  for (const [index, { entries }] of now.entries()) {
    const known = before[index]?.entries ?? [];
    if (entries.length < known.length || known.at(-1) !== entries[known.length - 1]) return null;
    newer.push(...entries.slice(known.length));
  }
  return newer.some(({ file }) => isInferredFile(file)) ? null : newer;
}

interface Moves {
  /** Ids of facts whose lines were removed, changed or moved. */
  readonly gone: ReadonlySet<string>;
  readonly come: ReadonlyMap<string, BulletPosition>;
}

/** null if files were added or removed, or if a text occurs more than once. */
function movesBetween({ sources, bulletPositions }: Derived, files: readonly FactFile[]): Moves | null {
  if (files.length !== sources.files.length) return null;
  const gone = new Set<string>();
  const come = new Map<string, BulletPosition>();
  for (const [index, { path, chat, file }] of files.entries()) {
    const before = sources.files[index];
    if (before?.path !== path || before.file === null || file === null) return null;
    if (before.file.content === file.content) continue;
    const differences = differing(bulletsOf(before.file.content), bulletsOf(file.content));
    for (const { text } of differences.gone) gone.add(factId(text, chat));
    for (const [offset, bullet] of differences.come.entries()) {
      const id = factId(bullet.text, chat);
      if (come.has(id)) return null;
      come.set(id, { file, bullet, position: differences.at + offset });
    }
  }
  for (const id of come.keys()) if (bulletPositions.has(id) && !gone.has(id)) return null;
  return { gone, come };
}

/** Whether its bullet is exactly where HISTORY.md says. */
function isAsInHistory(fact: Fact | undefined, found: BulletPosition | undefined): boolean {
  const holds = fact !== undefined && fact.ended_at === null;
  return found === undefined ? !holds : holds && fact.file === found.file.path;
}

/** An overlay of changed facts; the facts below stay unmodified. */
class Changed {
  readonly #changed = new Map<string, Fact>();

  constructor(private readonly facts: ReadonlyMap<string, Fact>) {}

  get size(): number {
    return this.facts.size + this.#changed.size;
  }

  get(id: string): Fact | undefined {
    return this.#changed.get(id) ?? this.facts.get(id);
  }

  *values(): Iterable<Fact> {
    for (const id of [...this.facts.keys(), ...this.#changed.keys()]) {
      const fact = this.get(id);
      if (fact !== undefined) yield fact;
    }
  }

  set = (id: string, fact: Fact) => this.#changed.set(id, fact);
  delete = (id: string) => this.#changed.delete(id);
  keys = () => this.#changed.keys();
  entries = () => this.#changed.entries();
}
