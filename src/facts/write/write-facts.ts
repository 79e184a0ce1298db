/**
 * Every write of facts, notes or working memory goes through here. It compares facts with known ones, then writes everything as
 * one change of files under the workspace's lock. The result lists only what has been stored.
 */

import { RetainError } from "../../core/errors.ts";
import { GENERAL, withBullet, withReplaced } from "../../core/facts/bullets.ts";
import { parseLog, withNote } from "../../core/facts/daily-log.ts";
import { chatOf, type Fact, isOver, restated } from "../../core/facts/fact.ts";
import { factId, isUnder, keptKey, keyName } from "../../core/facts/fact-text.ts";
import type { FactAdded, HistoryEntry } from "../../core/facts/history.ts";
import {
  factsPath,
  historyPath,
  inferredPath,
  isInferredFile,
  isInstructionFile,
  logPath,
  workingPath,
} from "../../core/facts/memory-paths.ts";
import { lastDayIn } from "../../core/facts/until.ts";
import { command, hint } from "../../core/hint.ts";
import { isoSeconds, localDay, localTime } from "../../util/days.ts";
import type { Compare, Verdict } from "../compare/decide.ts";
import { Drafts } from "../drafts.ts";
import { INFERRED_HEAD, type Settled, settle } from "../inferred.ts";
import { noteId } from "../note-memory.ts";
import type { FactPorts } from "../ports.ts";
import { appendHistory } from "../sync/history-file.ts";
import { syncedFacts, syncFacts } from "../sync/sync-facts.ts";
import { lineOf, ofItsKind, positionIn, removeLines, requireOthersStay, unwritable } from "./checks.ts";
import type { NewFact, NewNote, ToWrite, Written } from "./written.ts";

/** Attempts if a person saves a file while Retain is writing it. */
const ATTEMPTS = 8;

/** Stores everything or throws. */
export async function writeFacts(
  ports: FactPorts,
  label: string,
  toKeep: ToWrite,
  compare: Compare,
): Promise<Written> {
  return ports.lock.exclusively(() => {
    for (let attempt = 1; ; attempt++) {
      const keeping = new FactWriter(ports, attempt === 1 ? syncedFacts(ports) : syncFacts(ports));
      for (const fact of toKeep.facts)
        keeping.fact({ ...fact, key: fact.key ? keyName(fact.key) || null : null }, compare);
      const [unknown] = keeping.kept.unknown;
      if (toKeep.mustReplace && unknown !== undefined) throw unknownFact(unknown);
      for (const note of toKeep.notes) keeping.note(note);
      if (toKeep.working !== null) keeping.setWorking(toKeep.working);
      try {
        keeping.store(label);
        return withShared(keeping.kept, ports);
      } catch (error) {
        const isLate = error instanceof RetainError && error.code === "conflict";
        if (!isLate || attempt === ATTEMPTS) throw error;
      }
    }
  });
}

/** Git ignores the file of unconfirmed facts. */
function withShared(kept: Written, { isShared }: FactPorts): Written {
  if (!isShared) return kept;
  const saved = kept.saved.map((one) => (isInferredFile(one.file) ? one : { ...one, shared: true as const }));
  return { ...kept, saved };
}

function unknownFact(id: string): RetainError {
  return new RetainError(
    "not_found",
    `No fact here has the id ${id}, so nothing was saved.`,
    hint`To list the ids: ${command("facts")}`,
  );
}

/** The reason if the writer named the replaced fact. */
const SAID_SO = "named by the writer";

/** See `unlessSavedSince`. Facts record seconds. */
function savedSince({ unlessSavedSince, since }: NewFact, known: readonly Fact[], verdict: Verdict): Verdict {
  if (!unlessSavedSince || since === undefined) return verdict;
  if (verdict.kind !== "unsure" && verdict.kind !== "supersedes") return verdict;
  const similar = verdict.kind === "unsure" ? [verdict.about] : verdict.ids;
  const said = isoSeconds(new Date(since));
  const isByModel = ({ source, created_at }: Fact) => source.trust !== "stated" && created_at >= said;
  const saved = known.find((fact) => similar.includes(fact.id) && isByModel(fact));
  return saved === undefined ? verdict : { kind: "same", as: saved.id, why: "saved since" };
}

class FactWriter {
  readonly #drafts: Drafts;
  readonly #entries: HistoryEntry[] = [];
  readonly #now: Date;
  #holding: readonly Fact[];
  /** Past facts. Their bullets are still in their files. */
  #past: readonly Fact[];
  /** Facts that moved to another file. */
  readonly #moved = new Set<string>();
  readonly kept: Omit<Written, "working" | "queued"> & { working: Written["working"] } = {
    saved: [],
    skipped: [],
    superseded: [],
    ended: [],
    unknown: [],
    working: "unchanged",
  };

  constructor(
    private readonly ports: FactPorts,
    facts: readonly Fact[],
  ) {
    this.#drafts = new Drafts(ports.files);
    this.#now = ports.clock();
    this.#holding = facts.filter(({ ended_at }) => ended_at === null);
    this.#past = facts.filter(isOver);
  }

  fact(fact: NewFact, compare: Compare): void {
    const { text, chat } = fact;
    const inTier = (other: string | null) => this.#holding.filter((known) => known.chat === other);
    const own = inTier(chat);
    const known = chat === null ? own : [...own, ...inTier(null)];
    const past = this.#past.filter((one) => one.chat === chat);
    const named = this.#named(fact, text === "" ? [...this.#holding, ...this.#past] : [...own, ...past]);
    if (text === "") {
      for (const old of named) {
        this.#remove(old, fact, null);
        this.kept.ended.push({ id: old.id, text: old.text });
      }
      return;
    }
    const until = fact.until ?? lastDayIn(text, new Date(fact.since ?? this.#now));
    const replaced = new Set(named.map(({ id }) => id));
    const among = [...known, ...named.filter((one) => past.includes(one))].filter(
      (one) => !fact.sameTags || one.id === factId(text, one.chat) || hasSameTags(one, fact),
    );
    const settled = settle({ ...fact, named: replaced }, among, (compared) => {
      // Named facts are replaced, so don't treat similar words as the same fact.
      const others = named.length === 0 ? compared : compared.filter(({ id }) => !replaced.has(id));
      const verdict = savedSince(fact, others, compare(text, others, chat));
      if (verdict.kind === "unsure" && fact.seen?.includes(verdict.about)) return { ...verdict, kind: "new" };
      if (named.length === 0 || verdict.kind === "same") return verdict;
      return { kind: "supersedes", ids: [...replaced], why: fact.because ?? SAID_SO };
    });
    if (settled.kind === "known") this.#skip({ ...fact, until }, settled, named);
    else {
      const old = named.length > 0 ? settled.old : ofItsKind(fact.category, settled.old);
      this.#addByDate({ ...fact, until }, { ...settled, old });
    }
  }

  /** An unconfirmed fact ends no other with an earlier date either; then both stay. */
  #addByDate(fact: NewFact, settled: Extract<Settled, { kind: "new" }>): void {
    const later = settled.old.filter((one) => isDatedAfter(one, fact, settled));
    const by = later.find((one) => isInferredFile(one.file) === (fact.inferred ?? false));
    if (by !== undefined) this.#addReplaced(fact, by, settled.why);
    else this.#add(fact, { ...settled, old: settled.old.filter((one) => !later.includes(one)) });
  }

  /** It is dated before the fact that it would replace, so that fact has replaced it already. It gets no bullet. */
  #addReplaced(
    { text, chat, source, since, key = null, until = null }: NewFact,
    by: Fact,
    why: string,
  ): void {
    const at = isoSeconds(this.#now);
    const id = factId(text, chat);
    const { file, category } = by;
    if (this.#past.some((known) => known.id === id)) {
      this.kept.skipped.push({ text, as: by.id, why });
      return;
    }
    this.#entries.push(
      {
        ...{ kind: "added", at, id, text, file, category, source, supersedes: [], because: null },
        ...(since === undefined ? {} : { since }),
        ...(key === null ? {} : { key }),
        ...(until === null ? {} : { until }),
      },
      { ...restated(by, at), supersedes: [{ id, text }], because: by.because ?? why },
    );
    this.kept.saved.push({ kind: "fact", id, text, file });
    this.kept.superseded.push({ id, text, by: by.id, why });
  }

  /** Changes a known fact's last day or tags. */
  #restate(fact: Fact, change: Pick<Fact, "until" | "source">): void {
    const { id, text, file } = fact;
    const { until } = change;
    this.#replaceKnown(fact, change);
    const end = until === null ? {} : { until };
    this.kept.saved.push({ kind: "fact", id, text, file, ...end, wasKnown: true });
  }

  #replaceKnown(fact: Fact, change: Partial<Fact>): void {
    const changed = { ...fact, ...change };
    this.#entries.push(restated(changed, isoSeconds(this.#now)));
    this.#holding = this.#holding.map((known) => (known === fact ? changed : known));
  }

  /** The facts that the writer wants replaced, by id or by key. */
  #named({ replaces = [], key, text, chat }: NewFact, own: readonly Fact[]): Fact[] {
    const at = key ? own.filter((fact) => isUnder(key, fact)) : [];
    const byId = replaces.flatMap((id) => {
      const found = own.filter((fact) => fact.id.startsWith(id));
      if (found.length !== 1) this.kept.unknown.push(id);
      return found.length === 1 ? found : [];
    });
    const itself = factId(text, chat);
    return [...new Set([...at, ...byId])].filter(({ id }) => id !== itself);
  }

  #remove(fact: Fact, { source: { by }, because }: NewFact, supersededBy: string | null): void {
    const { id, text, file } = fact;
    const at = isoSeconds(this.#now);
    removeLines(this.ports, this.#drafts, fact);
    this.#entries.push({
      ...{ kind: "removed", at, id, text, file, by, supersededBy },
      ...(because === undefined ? {} : { because }),
    });
    this.#holding = this.#holding.filter((known) => known.id !== id);
    this.#past = this.#past.filter((known) => known.id !== id);
  }

  note({ title, chat, ...said }: NewNote): void {
    // Don't repeat a text that equals the title.
    const note = { title, chat, text: said.text === title ? "" : said.text };
    const day = localDay(this.#now.toISOString());
    const path = logPath(day, note.chat);
    const content = this.#drafts.read(path);
    const logged = parseLog(content).notes.find(
      ({ title, text }) => title === note.title && text === note.text,
    );
    if (logged !== undefined) {
      this.kept.skipped.push({ text: spoken(note), as: noteId(path, logged), why: "already in today's log" });
      return;
    }
    const written = withNote(content, { ...note, time: localTime(this.#now) });
    const { notes } = parseLog(written);
    const last = notes.at(-1);
    if (last === undefined || notes.length !== parseLog(content).notes.length + 1)
      throw unwritable(this.ports, path, spoken(note), "a note");
    this.#drafts.write(path, written);
    this.kept.saved.push({ kind: "note", id: noteId(path, last), text: spoken(note), file: path });
  }

  setWorking({ session, text }: { session: string; text: string }): void {
    const path = workingPath(session);
    this.#drafts.write(path, text === "" ? null : `${text}\n`);
    this.kept.working = text === "" ? "cleared" : "replaced";
  }

  store(label: string): void {
    appendHistory(this.#drafts, this.#entries);
    const changes = this.#drafts.changes();
    if (changes.length === 0) return;
    const gone = [...this.kept.superseded, ...this.kept.ended].map(({ id }) => id);
    requireOthersStay(changes, new Set([...gone, ...this.#moved]));
    this.ports.files.change(label, isoSeconds(this.#now), changes);
    syncFacts(this.ports);
  }

  /** The known fact replaces the facts that the writer names, and an unconfirmed one with the same meaning. */
  #skip(
    fact: NewFact,
    { as, why, dropped }: Extract<Settled, { kind: "known" }>,
    named: readonly Fact[],
  ): void {
    const { text, chat, until = null } = fact;
    const same = this.#holding.find((known) => known.id === as && known.chat === chat);
    const tags = fact.sameTags ? [...new Set([...(same?.source.tags ?? []), ...fact.source.tags])] : [];
    const isChanged = (until ?? same?.until) !== same?.until || tags.length > (same?.source.tags.length ?? 0);
    if (same !== undefined && isChanged)
      this.#restate(same, {
        until: until ?? same.until,
        source: fact.sameTags ? { ...same.source, tags } : same.source,
      });
    else this.kept.skipped.push({ text, as, why });
    const ended = new Map(
      named.filter(({ id }) => id !== as).map((known) => [known, fact.because ?? SAID_SO]),
    );
    if (dropped !== null) ended.set(dropped, why);
    for (const [known, because] of ended) {
      this.#remove(known, fact, as);
      this.kept.superseded.push({ id: known.id, text: known.text, by: as, why: because });
    }
  }

  /**
   * The new fact goes on the line of the first old one; the other old lines are removed. `moved` has the same text in the other file.
   * A past fact with the same text keeps its line, unless only one of the two is confirmed.
   */
  #add(fact: NewFact, settled: Extract<Settled, { kind: "new" }>): void {
    const { moved, old, why, nearby } = settled;
    const { text, chat, source, since, inferred = false } = fact;
    const knownAs = (wanted: string | null) => this.#holding.find((known) => known.id === wanted);
    const similarTo = knownAs(settled.doubts);
    // Of two in doubt, the one with the later date may replace the other.
    const isLater = similarTo !== undefined && isDatedAfter(similarTo, fact, settled);
    const [doubted, doubting] = isLater ? [undefined, similarTo] : [similarTo, undefined];
    const doubts = doubted?.id ?? null;
    const because = old.length > 0 ? why : null;
    const id = factId(text, chat);
    const past = this.#past.find((known) => known.id === id);
    const key = fact.key ?? keptKey(text, [moved, past, ...old]);
    const until = fact.until ?? moved?.until ?? null;
    const stays = past !== undefined && isInferredFile(past.file) === inferred;
    for (const same of [moved, stays ? null : past]) if (same) this.#move(same, fact);
    const { file, category, position } = stays ? past : this.#write(fact, id, old);
    // Record the end in the old fact's own history: HISTORY.md may be committed, so it must not contain an unconfirmed fact's text.
    const isApart = (known: Fact) => historyPath(known.file) !== historyPath(file);
    const [apart, shown] = [old.filter(isApart), old.filter((known) => !isApart(known))];
    for (const known of apart) this.#remove(known, fact, id);
    for (const known of shown) removeLines(this.ports, this.#drafts, known);
    const at = isoSeconds(this.#now);
    const supersedes = shown.map((known) => ({ id: known.id, text: known.text }));
    const entry: FactAdded = {
      ...{ kind: "added", at, id, text, file, category, source, supersedes, because },
      ...(since === undefined ? {} : { since }),
      ...(key === null ? {} : { key }),
      ...(doubts === null ? {} : { doubts }),
      ...(until === null ? {} : { until }),
    };
    this.#entries.push(entry);
    if (doubting?.doubts === null && doubting.chat === chat && isInferredFile(doubting.file) === inferred)
      this.#replaceKnown(doubting, { doubts: id });
    for (const known of old)
      this.kept.superseded.push({ id: known.id, text: known.text, by: id, why: because ?? "" });
    const holds = { ended_at: null, superseded_by: null, because, key, doubts, until };
    const created_at = since ?? at;
    const similar = nearby
      .filter((near) => !old.some((known) => known.id === near.id))
      .map((near) => ({ ...near, created_at: knownAs(near.id)?.created_at ?? "" }));
    const gone = moved === null ? old : [...old, moved];
    this.#past = this.#past.filter((known) => known !== past && !gone.includes(known));
    this.#holding = [
      ...(gone.length === 0 ? this.#holding : this.#holding.filter((known) => !gone.includes(known))),
      { id, text, category, chat, file, position, source, created_at, ...holds },
    ];
    this.kept.saved.push({
      ...{ kind: "fact", id, text, file },
      ...(doubted === undefined ? {} : { doubts: doubted.text }),
      ...(until === null ? {} : { until }),
      nearby: similar,
    });
  }

  /**
   * Writes the bullet, on the line of the first old one if there is one. Only the user's own words go into an instruction file:
   * any other fact that replaces one there goes to MEMORY.md.
   */
  #write(
    { text, chat, inferred = false, ...fact }: NewFact,
    id: string,
    old: readonly Fact[],
  ): Pick<Fact, "file" | "category" | "position"> {
    const mayWrite = (path: string) =>
      isInferredFile(path) === inferred && (fact.source.trust === "stated" || !isInstructionFile(path));
    const first = old.find((known) => mayWrite(known.file));
    const file = first?.file ?? (inferred ? inferredPath(chat) : factsPath(chat));
    const category = first?.category ?? fact.category ?? GENERAL;
    const content = this.#drafts.read(file) || (inferred ? INFERRED_HEAD : "");
    const line = first === undefined ? undefined : lineOf(content, first);
    const edited =
      line === undefined ? withBullet(content, text, category) : withReplaced(content, line, text);
    const position = positionIn(edited, content, id, chatOf(file));
    if (position === null) throw unwritable(this.ports, file, text, "a bullet");
    this.#drafts.write(file, edited);
    return { file, category, position };
  }

  #move(old: Fact, fact: NewFact): void {
    this.#moved.add(old.id);
    this.#remove(old, fact, old.id);
  }
}

/** Whether the known fact is dated after the new one. A writer that names an id, or confirms the new one, has decided. */
function isDatedAfter(
  { created_at }: Fact,
  { since, replaces = [] }: NewFact,
  { moved }: Extract<Settled, { kind: "new" }>,
): boolean {
  if (since === undefined || moved !== null || replaces.length > 0) return false;
  return Date.parse(created_at) > Date.parse(since);
}

function hasSameTags({ source }: Fact, fact: NewFact): boolean {
  return [...source.tags].sort().join("\n") === [...fact.source.tags].sort().join("\n");
}

function spoken({ title, text }: NewNote): string {
  return [title, text].filter((part) => part !== "").join(": ");
}
