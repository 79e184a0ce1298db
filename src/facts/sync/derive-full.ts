/**
 * Derives the facts from the memory files and HISTORY.md. HISTORY.md has the last known state; if the files differ, a person edited
 * them: an added bullet is a new fact, a removed bullet ends its fact, and a changed bullet supersedes the old one.
 */
import { type Bullet, bulletsOf } from "../../core/facts/bullets.ts";
import { byPosition, chatOf, type Fact, replay } from "../../core/facts/fact.ts";
import { factId, keptKey } from "../../core/facts/fact-text.ts";
import {
  type FactAdded,
  type HistoryEntry,
  type ReadHistory,
  readHistory,
} from "../../core/facts/history.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import { lastDayIn } from "../../core/facts/until.ts";
import type { MemoryFile } from "../../core/ports/documents.ts";
import { isoSeconds } from "../../util/days.ts";
import { decide } from "../compare/decide.ts";
import { FactList } from "../compare/fact-list.ts";
import { confirmedByHand } from "../inferred.ts";
import { hunksOf, pairs } from "./match-edits.ts";

export interface FactFile {
  readonly path: string;
  readonly chat: string | null;
  /** null if it can't be read. */
  readonly file: MemoryFile | null;
}

/** The files that facts are derived from. */
export interface Sources {
  /** Files of unconfirmed facts come last. */
  readonly files: readonly FactFile[];
  /** In the order of `HISTORIES`; null if there is none. */
  readonly histories: readonly (MemoryFile | null)[];
}

/** Where a fact's bullet is. */
export interface BulletPosition {
  readonly file: MemoryFile;
  readonly bullet: Bullet;
  /** Its index among the file's bullets. */
  readonly position: number;
}

export interface Derived {
  readonly sources: Sources;
  readonly histories: readonly ReadHistory[];
  /** The state of each fact according to the histories, by id. */
  readonly remembered: Map<string, Fact>;
  readonly bulletPositions: Map<string, BulletPosition>;
  /** Whether a text occurs more than once. It is one fact, at its first position. */
  readonly hasTwins: boolean;
  /** In the order of their positions. */
  readonly facts: readonly Fact[];
  readonly byId: Map<string, Fact>;
  /** A person's edits since HISTORY.md was written. Their texts may contain secrets. */
  readonly news: readonly HistoryEntry[];
}

interface Surroundings {
  /** The previous facts, for the old positions of ended and moved ones. */
  readonly before: readonly Fact[];
  readonly now: Date;
  isUnreadable(path: string): boolean;
}

export function deriveFull(sources: Sources, { before, now, isUnreadable }: Surroundings): Derived {
  const { present, bulletPositions, hasTwins } = presentFacts(sources.files);
  const histories = sources.histories.map((file) => readHistory(file));
  const entries = histories.flatMap((history) => history.entries);
  const remembered = replay(entries);
  const positions = new Map(before.map(({ id, position }) => [id, position]));
  const holding = [...remembered.values()].filter(({ ended_at }) => ended_at === null);
  const news: HistoryEntry[] = [];
  for (const { file, bullets } of present) {
    const lost = holding
      .filter((fact) => fact.file === file.path && !bulletPositions.has(fact.id))
      .map((fact) => ({ ...fact, position: positions.get(fact.id) ?? fact.position }))
      .sort((a, b) => a.position - b.position);
    const fresh = bullets.filter(({ id }) => remembered.get(id)?.ended_at !== null);
    const at = changedAt(file, now);
    news.push(...changesByHand({ file, bullets, lost, fresh, holding, positions, at, remembered }));
  }
  news.push(
    ...confirmedByHand(holding, (id) => {
      const found = bulletPositions.get(id);
      if (found === undefined) return null;
      return { ...found.bullet, file: found.file.path, at: changedAt(found.file, now) };
    }),
  );
  const read = new Set(present.map(({ file }) => file.path));
  const others = new Set(holding.map(({ file }) => file).filter((file) => !read.has(file)));
  const gone = new Set([...others].filter((file) => !isUnreadable(file)));
  for (const fact of holding)
    if (gone.has(fact.file) && !bulletPositions.has(fact.id)) news.push(removed(fact, isoSeconds(now)));
  const known = news.length === 0 ? remembered : replay([...entries, ...news]);
  const facts = [...known.values()]
    .map((fact) => withPosition(fact, bulletPositions.get(fact.id), positions.get(fact.id)))
    .sort(byPosition);
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  return { sources, histories, remembered, bulletPositions, hasTwins, facts, byId, news };
}

/** The fact with its current text and position; an ended fact keeps its old position. */
export function withPosition(fact: Fact, found: BulletPosition | undefined, position = fact.position): Fact {
  if (found === undefined || fact.ended_at !== null) return { ...fact, position };
  const { text, category } = found.bullet;
  const { path } = found.file;
  return { ...fact, text, file: path, chat: chatOf(path), position: found.position, category };
}

interface Present {
  readonly file: MemoryFile;
  readonly bullets: (Bullet & { id: string; position: number })[];
}

function presentFacts(
  files: readonly FactFile[],
): Pick<Derived, "bulletPositions" | "hasTwins"> & { present: Present[] } {
  const bulletPositions = new Map<string, BulletPosition>();
  let hasTwins = false;
  const present = files.flatMap(({ file, chat }) => {
    if (file === null) return [];
    const bullets = bulletsOf(file.content).flatMap((bullet, position) => {
      const id = factId(bullet.text, chat);
      const isTwin = bulletPositions.has(id);
      hasTwins ||= isTwin;
      if (isTwin) return [];
      bulletPositions.set(id, { file, bullet, position });
      return { ...bullet, id, position };
    });
    return { file, bullets };
  });
  return { present, bulletPositions, hasTwins };
}

function changedAt({ stamp }: MemoryFile, now: Date): string {
  return isoSeconds(new Date(Math.min(stamp.mtime, now.getTime())));
}

interface HandEdit {
  readonly file: MemoryFile;
  readonly bullets: Present["bullets"];
  /** Facts of this file that are in no file any more. */
  readonly lost: readonly Fact[];
  /** Bullets that aren't facts yet. */
  readonly fresh: Present["bullets"];
  readonly holding: readonly Fact[];
  readonly positions: ReadonlyMap<string, number>;
  readonly remembered: ReadonlyMap<string, Fact>;
  readonly at: string;
}

/** Compares lost facts with new bullets: a new bullet where a lost one was has replaced it. */
function changesByHand(edit: HandEdit): HistoryEntry[] {
  const { file, bullets, lost, fresh, holding, positions, at } = edit;
  if (lost.length + fresh.length === 0) return [];
  const before = holding
    .filter((fact) => fact.file === file.path)
    .sort((a, b) => (positions.get(a.id) ?? a.position) - (positions.get(b.id) ?? b.position))
    .map(({ id }) => id);
  const lostById = new Map(lost.map((fact) => [fact.id, fact]));
  const took = pairs(
    hunksOf(
      before,
      bullets.map(({ id }) => id),
    ),
    lostById,
    new Map(fresh.map((bullet) => [bullet.id, bullet])),
  );
  const replaced = new Set(took.values());
  const doubts = doubtsOf(
    fresh.filter(({ id }) => !took.has(id)),
    edit,
  );
  const added = fresh.map((bullet) => {
    const entry = addedByHand(bullet, lostById.get(took.get(bullet.id) ?? "") ?? null, edit);
    const doubted = entry.since === undefined ? doubts.get(bullet.id) : undefined;
    return doubted === undefined ? entry : { ...entry, doubts: doubted };
  });
  return [...added, ...lost.filter(({ id }) => !replaced.has(id)).map((fact) => removed(fact, at))];
}

/** Added bullets that are compared with the known facts; more are a new list or an import. */
const MOST_COMPARED = 10;

/**
 * The known fact that each added one may replace, by id. Only by words, since reading must stay fast, and always in doubt: a person's
 * bullet is never removed because of another one.
 */
function doubtsOf(fresh: Present["bullets"], { file, lost, holding, at }: HandEdit): Map<string, string> {
  const found = new Map<string, string>();
  if (fresh.length === 0 || fresh.length > MOST_COMPARED || isInferredFile(file.path)) return found;
  const chat = chatOf(file.path);
  const gone = new Set(lost.map(({ id }) => id));
  const isComparable = (fact: Fact) =>
    (fact.chat === null || fact.chat === chat) &&
    Date.parse(fact.created_at) <= Date.parse(at) &&
    !gone.has(fact.id);
  const known = new FactList(holding.filter(isComparable));
  for (const { id, text } of fresh) {
    const verdict = decide(
      text,
      known.sharing(text).map((fact) => ({ ...fact, cosine: null })),
    );
    const about =
      verdict.kind === "supersedes" ? verdict.ids[0] : verdict.kind === "unsure" ? verdict.about : null;
    if (about) found.set(id, about);
  }
  return found;
}

/** A bullet that was removed by hand and is back is the same fact: an editor may have emptied the file for a moment. */
function addedByHand(bullet: Present["bullets"][number], old: Fact | null, edit: HandEdit): FactAdded {
  const { id, text, category } = bullet;
  const { at, file, remembered } = edit;
  const before = remembered.get(id);
  const isBack = old === null && before !== undefined && before.superseded_by === null;
  const byHand = {
    by: "hand",
    session: null,
    message: null,
    trust: "stated",
    tags: old?.source.tags ?? [],
  } as const;
  const until = isBack ? before.until : lastDayIn(text, new Date(at));
  const key = keptKey(text, [isBack ? before : old]);
  return {
    kind: "added",
    at,
    id,
    text,
    file: file.path,
    category,
    source: isBack && isInferredFile(before.file) === isInferredFile(file.path) ? before.source : byHand,
    supersedes: old === null ? [] : [{ id: old.id, text: old.text }],
    because: old === null ? null : "edited by hand",
    ...(isBack ? { since: before.created_at } : {}),
    ...(key === null ? {} : { key }),
    ...(until === null ? {} : { until }),
  };
}

function removed({ id, text, file }: Fact, at: string): HistoryEntry {
  return { kind: "removed", at, id, text, file, by: "hand", supersededBy: null };
}
