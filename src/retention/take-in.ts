/**
 * Brings the index in step with the memory files. HISTORY.md says what was known; where the files say something else, a
 * person changed them: an added bullet is a new fact, a removed one has ended, and one in the place of another supersedes it.
 * What is found so is written to HISTORY.md. So nothing depends on the database, which may be gone.
 */
import { type Bullet, bulletsOf } from "../core/bullets.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import { chatOf, type Fact, replay } from "../core/fact.ts";
import { factId } from "../core/fact-text.ts";
import { type HistoryEntry, parseHistory } from "../core/history.ts";
import { HISTORY, isInferredFile, kindOfFile } from "../core/memory-paths.ts";
import {
  CLOCK_TICK_MS,
  type FactIndex,
  type FileStamp,
  type MemoryFile,
  type MemoryFiles,
  type MemoryStamps,
} from "../core/ports.ts";
import { findSecrets, redactSecrets } from "../core/secrets.ts";
import { isoSeconds } from "../util/text.ts";
import { withEntries } from "./history-file.ts";
import { confirmedByHand } from "./inferred.ts";
import { notesOf } from "./note-memory.ts";
import { hunksOf, pairs } from "./pair.ts";
import type { RetentionPorts } from "./ports.ts";

/** Goes up when files are read in another way. */
const FORMAT = "1";

/** Takes in what changed, if anything did: one `stat` a file otherwise. A reader does not wait for a writer. */
export function syncMemories(ports: RetentionPorts): void {
  const stamps = stampsOf(ports.files);
  if (isSettled(stamps, ports)) return;
  const { lock } = ports;
  if (lock.writable) lock.tryExclusively(() => takeIn(ports));
  else lock.inMemory(() => takeIn(ports));
}

/** The facts as the files have them now, in their order, whether or not the index has them yet. */
export function currentFacts(ports: RetentionPorts): Fact[] {
  const facts = isSettled(stampsOf(ports.files), ports) ? ports.facts.all() : derive(ports).facts;
  return facts.sort(byPlace);
}

function byPlace(a: Fact, b: Fact): number {
  return (
    inOrder(a.file, b.file) ||
    a.position - b.position ||
    inOrder(a.created_at, b.created_at) ||
    inOrder(a.id, b.id)
  );
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As they are for one who holds the lock: taken in first, where something changed. */
export function takenIn(ports: RetentionPorts): Fact[] {
  return isSettled(stampsOf(ports.files), ports) ? ports.facts.all() : takeIn(ports);
}

/** Works while the lock is held. `anew` reads every log again. */
export function takeIn(ports: RetentionPorts, anew = false): Fact[] {
  const { files, facts, lock } = ports;
  if (lock.writable && files.unfinished) files.recover();
  const known = anew ? null : facts.settled();
  // Before anything is read: what changes after that has another stamp the next time.
  const stamps = stampsOf(files);
  const doubted = doubtfulOf(files);
  const { facts: found, news, history } = derive(ports);
  if (history !== null) {
    if (news.length > 0 && lock.writable) files.write(HISTORY, withEntries(history, news));
    facts.replace(found);
  }
  takeInNotes(ports, stamps, known ?? {});
  const settled = Object.entries(stamps).filter(([path]) => !doubted.has(path));
  facts.settle(Object.fromEntries(history === null ? settled.filter(([path]) => path !== HISTORY) : settled));
  return found;
}

function takeInNotes(ports: RetentionPorts, stamps: MemoryStamps, known: MemoryStamps): void {
  for (const path of new Set([...Object.keys(stamps), ...Object.keys(known)])) {
    const kind = kindOfFile(path);
    if (kind?.kind !== "log" || stamps[path] === known[path]) continue;
    const file = stamps[path] === undefined ? null : readable(ports, path);
    ports.facts.replaceNotes(path, file === null ? [] : notesOf(file, kind));
  }
}

interface Derived {
  readonly facts: Fact[];
  /** What a person did since HISTORY.md was written. */
  readonly news: HistoryEntry[];
  /** HISTORY.md as it stands; null where it cannot be read: then nothing is known to be new or gone. */
  readonly history: string | null;
}

interface Present {
  readonly file: MemoryFile;
  readonly bullets: (Bullet & { id: string; position: number })[];
}

/** For a process that goes on: what came of these files, as long as the rows say it too. */
interface Before {
  readonly files: readonly FactFile[];
  readonly history: string;
  readonly facts: ReadonlySet<Fact>;
}

const BEFORE = new WeakMap<FactIndex, Before>();

function derive(ports: RetentionPorts): Derived {
  if (isUnreadable(ports, HISTORY)) {
    readable(ports, HISTORY);
    return { facts: ports.facts.all(), news: [], history: null };
  }
  const files = factFiles(ports);
  const history = ports.files.read(HISTORY)?.content ?? "";
  const rows = ports.facts.all();
  const before = BEFORE.get(ports.facts);
  if (before !== undefined && isAsBefore(before, files, history, rows))
    return { facts: [...before.facts], news: [], history };
  const { facts, news } = deriveAnew(ports, files, history, rows);
  if (news.length === 0) BEFORE.set(ports.facts, { files, history, facts: new Set(facts) });
  return { facts, news, history };
}

function isAsBefore(
  before: Before,
  files: readonly FactFile[],
  history: string,
  rows: readonly Fact[],
): boolean {
  return (
    before.history === history &&
    before.files.length === files.length &&
    before.files.every(
      ({ path, file }, at) => path === files[at]?.path && file?.content === files[at]?.file?.content,
    ) &&
    before.facts.size === rows.length &&
    rows.every((fact) => before.facts.has(fact))
  );
}

function deriveAnew(
  ports: RetentionPorts,
  files: readonly FactFile[],
  history: string,
  rows: readonly Fact[],
): Pick<Derived, "facts" | "news"> {
  const present = presentFacts(files);
  const entries = parseHistory(history);
  const remembered = replay(entries);
  const positions = new Map(rows.map(({ id, position }) => [id, position]));
  const places = new Map(
    present.flatMap(({ bullets, file }) => bullets.map((one) => [one.id, { one, file }] as const)),
  );
  const holding = [...remembered.values()].filter(({ ended_at }) => ended_at === null);
  const now = ports.clock();
  const news: HistoryEntry[] = [];
  for (const { file, bullets } of present) {
    const lost = holding
      .filter((fact) => fact.file === file.path && !places.has(fact.id))
      .map((fact) => ({ ...fact, position: positions.get(fact.id) ?? fact.position }))
      .sort((a, b) => a.position - b.position);
    const fresh = bullets.filter(({ id }) => remembered.get(id)?.ended_at !== null);
    const at = changedAt(file, now);
    news.push(
      ...changesByHand({ file, bullets, lost, fresh, holding, positions, at, remembered, warn: ports.warn }),
    );
  }
  news.push(
    ...confirmedByHand(holding, (id) => {
      const place = places.get(id);
      return place === undefined
        ? null
        : { ...place.one, file: place.file.path, at: changedAt(place.file, now) };
    }),
  );
  const read = new Set(present.map(({ file }) => file.path));
  const others = new Set(holding.map(({ file }) => file).filter((file) => !read.has(file)));
  const gone = new Set([...others].filter((file) => !isUnreadable(ports, file)));
  for (const fact of holding)
    if (gone.has(fact.file) && !places.has(fact.id)) news.push(removed(fact, isoSeconds(now)));
  const known = news.length === 0 ? remembered : replay([...entries, ...news]);
  const facts = [...known.values()].map((fact) => {
    const place = places.get(fact.id);
    if (place === undefined || fact.ended_at !== null)
      return { ...fact, position: positions.get(fact.id) ?? fact.position };
    const { position, category, text } = place.one;
    return { ...fact, text, file: place.file.path, chat: chatOf(place.file.path), position, category };
  });
  return { facts, news };
}

function changedAt({ stamp }: MemoryFile, now: Date): string {
  return isoSeconds(new Date(Math.min(stamp.mtime, now.getTime())));
}

interface HandEdit {
  readonly file: MemoryFile;
  readonly bullets: Present["bullets"];
  /** Facts of the file that are no more in any. */
  readonly lost: readonly Fact[];
  /** Bullets that are no facts yet. */
  readonly fresh: Present["bullets"];
  readonly holding: readonly Fact[];
  readonly positions: ReadonlyMap<string, number>;
  readonly remembered: ReadonlyMap<string, Fact>;
  readonly at: string;
  readonly warn: RetentionPorts["warn"];
}

/** What was in the file and is no more, against what is new in it: in the same place, one took the other's. */
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
  for (const { text, line } of fresh) {
    const [secret] = findSecrets(text);
    if (secret !== undefined)
      edit.warn(`${file.path}, line ${line}, holds ${secret.what}: it is not copied anywhere.`);
  }
  const added = fresh.map((bullet) =>
    addedByHand(bullet, lostById.get(took.get(bullet.id) ?? "") ?? null, edit),
  );
  return [...added, ...lost.filter(({ id }) => !replaced.has(id)).map((fact) => removed(fact, at))];
}

/** A bullet that was removed by hand and is back is the fact that it was: an editor may have emptied the file for a moment. */
function addedByHand(bullet: Present["bullets"][number], old: Fact | null, edit: HandEdit): HistoryEntry {
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
  return {
    kind: "added",
    at,
    id,
    text: redactSecrets(text),
    file: file.path,
    category,
    source: isBack && isInferredFile(before.file) === isInferredFile(file.path) ? before.source : byHand,
    supersedes: old === null ? [] : [{ id: old.id, text: old.text }],
    because: old === null ? null : "edited by hand",
    ...(isBack ? { since: before.created_at } : {}),
  };
}

function removed({ id, text, file }: Fact, at: string): HistoryEntry {
  return { kind: "removed", at, id, text, file, by: "hand", supersededBy: null };
}

interface FactFile {
  readonly path: string;
  readonly chat: string | null;
  /** null where it cannot be read. */
  readonly file: MemoryFile | null;
}

/** What is inferred comes last. */
function factFiles(ports: RetentionPorts): FactFile[] {
  const files = ports.files.scan();
  files.sort((a, b) => Number(isInferredFile(a.path)) - Number(isInferredFile(b.path)));
  return files.flatMap(({ path }) => {
    const kind = kindOfFile(path);
    return kind?.kind === "facts" ? { path, chat: kind.chat, file: readable(ports, path) } : [];
  });
}

/** A text that stands in several places is one fact, of the first. */
function presentFacts(files: readonly FactFile[]): Present[] {
  const seen = new Set<string>();
  return files.flatMap(({ file, chat }) => {
    if (file === null) return [];
    const bullets = bulletsOf(file.content).flatMap((bullet, position) => {
      const id = factId(bullet.text, chat);
      if (seen.has(id)) return [];
      seen.add(id);
      return { ...bullet, id, position };
    });
    return { file, bullets };
  });
}

/** null where there is none, or where it cannot be read, which is told. */
function readable({ files, warn }: RetentionPorts, path: string): MemoryFile | null {
  try {
    return files.read(path);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    warn(`${messageOf(error)} What it says is not taken in.`);
    return null;
  }
}

/** What stood in a file that cannot be read now is not taken for removed. */
function isUnreadable({ files }: RetentionPorts, path: string): boolean {
  try {
    files.read(path);
    return false;
  } catch {
    return true;
  }
}

function stampsOf(files: MemoryFiles): MemoryStamps {
  const stamps = files.scan().map(({ path, stamp }) => [path, printed(stamp)] as const);
  return Object.fromEntries([["", FORMAT], ...stamps]);
}

function printed({ size, mtime, ctime, inode }: FileStamp): string {
  return `${size} ${mtime} ${ctime} ${inode}`;
}

/** Those that may change once more under the same stamp. */
function doubtfulOf(files: MemoryFiles): Set<string> {
  const now = Date.now();
  const fresh = files.scan().filter(({ stamp }) => now - Math.max(stamp.mtime, stamp.ctime) <= CLOCK_TICK_MS);
  return new Set(fresh.map(({ path }) => path));
}

function isSettled(stamps: MemoryStamps, { facts, files }: RetentionPorts): boolean {
  if (files.unfinished) return false;
  const names = Object.keys(stamps);
  const known = facts.settled();
  if (known === null) return names.length === 1;
  return names.length === Object.keys(known).length && names.every((name) => stamps[name] === known[name]);
}
