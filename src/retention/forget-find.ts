/** What is to be forgotten: by its id or the beginning of one, by words of it, else what recall finds near. */
import { bulletsOf } from "../core/bullets.ts";
import { parseLog } from "../core/daily-log.ts";
import { RetainError } from "../core/errors.ts";
import type { Fact } from "../core/fact.ts";
import { factId, normalForm } from "../core/fact-text.ts";
import { HISTORY, kindOfFile } from "../core/memory-paths.ts";
import type { MemoryFiles } from "../core/ports.ts";
import { isAllOfNote, type Target } from "./forget-files.ts";
import { type ForgottenText, forgottenText } from "./forget-text.ts";
import { noteId } from "./note-memory.ts";
import type { RetentionPlaces, RetentionWorkspace } from "./ports.ts";
import { currentFacts } from "./take-in.ts";

export interface ForgettableMemory {
  readonly kind: "fact" | "note";
  readonly id: string;
  readonly text: string;
  readonly place: RetentionWorkspace["place"];
  /** Below memories/. */
  readonly file: string;
  /** When it was superseded or removed; null while it holds. */
  readonly ended_at: string | null;
  /** What it took the place of, which stays. */
  readonly supersedes: readonly { readonly id: string; readonly text: string }[];
}

export interface ToForget {
  /** "exact": one was named. "words": these hold the words. "near": nothing does, and these are nearest. */
  readonly by: "exact" | "words" | "near";
  readonly found: readonly ForgettableMemory[];
  /** Ids of what was begun to be forgotten and never finished: `forget` finishes it. */
  readonly unfinished: readonly string[];
}

const SHORTEST = 4;
/** What no sentence is: the id of a fact, or of a note. */
const ID = /^(?=\D*\d)[0-9a-v]{10}$|\.md#\d\d:\d\d-[0-9a-f]+$/;

/** Throws `usage` for no words at all. */
export async function findToForget(places: RetentionPlaces, said: string): Promise<ToForget> {
  if (said.trim() === "")
    throw new RetainError(
      "usage",
      "What should be forgotten?",
      "'retain facts' lists the facts with their ids.",
    );
  const known = places.read.flatMap(memoriesOf);
  const unfinished = places.read.flatMap(({ traces }) => traces.scrub.unfinished());
  const exact = known.find(({ id }) => id === said) ?? known.find(({ text }) => isSame(text, said));
  if (exact !== undefined) return { by: "exact", found: [exact], unfinished };
  const begins = said.length < SHORTEST ? [] : known.filter(({ id }) => id.startsWith(said));
  const words = wordsOf(said);
  const holding = known.filter(
    ({ text }) => words.length > 0 && words.every((word) => wordsOf(text).includes(word)),
  );
  const found = [...new Set([...begins, ...holding])];
  if (found.length > 0 || unfinished.length > 0 || ID.test(said)) return { by: "words", found, unfinished };
  const near = await places.recall(said);
  return {
    by: "near",
    found: near.flatMap((hit) => known.find(({ id, place }) => id === hit.id && place === hit.place) ?? []),
    unfinished,
  };
}

function isSame(text: string, said: string): boolean {
  return normalForm(text) === normalForm(said);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** The fact or note of this id, with everything that names it; null where there is none. */
export function targetOf(
  workspace: RetentionWorkspace,
  id: string,
): { target: Target; memories: ForgettableMemory[] } | null {
  const known = memoriesOf(workspace);
  const named = known.find((memory) => memory.id === id);
  if (named === undefined) return null;
  const text = forgottenText(named.kind === "fact" ? spellings(workspace, named) : noteForms(named));
  const memories = known.filter((memory) => memory.id === id || isAllOfMemory(text, memory));
  const ids = new Set(memories.map((memory) => memory.id));
  return { target: { ids, text, last: named.kind === "fact" ? HISTORY : named.file }, memories };
}

/** Whether it says nothing but what is forgotten. */
export function isAllOfMemory(text: ForgottenText, memory: ForgettableMemory): boolean {
  if (memory.kind === "fact") return text.isAllOf(memory.text);
  const { title, body } = memory as Note;
  return isAllOfNote(text, { title, text: body });
}

/** Facts, those that have ended too, and notes. Nothing is changed to find them. */
export function memoriesOf(workspace: RetentionWorkspace): ForgettableMemory[] {
  const facts = currentFacts(workspace);
  return [...facts.map((fact) => ofFact(workspace, fact, facts)), ...notesOf(workspace)];
}

function ofFact({ place }: RetentionWorkspace, fact: Fact, facts: readonly Fact[]): ForgettableMemory {
  const { id, text, file, ended_at } = fact;
  const before = facts.filter(({ superseded_by }) => superseded_by === id);
  const supersedes = before.map((old) => ({ id: old.id, text: old.text }));
  return { kind: "fact", id, text, place, file, ended_at, supersedes };
}

interface Note extends ForgettableMemory {
  readonly title: string;
  readonly body: string;
}

function notesOf({ files, place }: RetentionWorkspace): Note[] {
  return files.scan().flatMap(({ path }) => {
    if (kindOfFile(path)?.kind !== "log") return [];
    return parseLog(contentOf(files, path)).notes.map((note) => ({
      kind: "note" as const,
      id: noteId(path, note),
      text: [note.title, note.text].filter((part) => part !== "").join(": "),
      title: note.title,
      body: note.text,
      place,
      file: path,
      ended_at: null,
      supersedes: [],
    }));
  });
}

/** As it was first written, and as its bullets say it now: these may differ in marks and capitals. */
function spellings({ files }: RetentionWorkspace, { id, text }: ForgettableMemory): string[] {
  const bullets = files.scan().flatMap(({ path }) => {
    const kind = kindOfFile(path);
    if (kind?.kind !== "facts") return [];
    return bulletsOf(contentOf(files, path)).filter((bullet) => factId(bullet.text, kind.chat) === id);
  });
  return [...new Set([text, ...bullets.map((bullet) => bullet.text)])];
}

/** "" for what cannot be read as text: nothing is known by it. */
function contentOf(files: MemoryFiles, path: string): string {
  try {
    return files.read(path)?.content ?? "";
  } catch (error) {
    if (error instanceof RetainError) return "";
    throw error;
  }
}

/** What is shorter is no text of its own: "done" is said of many things. */
const TELLING_LENGTH = 16;
const TELLING_WORDS = 3;

/** What the note itself says goes with it in any case. */
function noteForms(memory: ForgettableMemory): string[] {
  const { title, body } = memory as Note;
  const said = body === "" ? title : body;
  const isTelling = said.length >= TELLING_LENGTH || wordsOf(said).length >= TELLING_WORDS;
  return [...(isTelling ? [said] : []), ...(body === "" ? [] : [`${title}: ${body}`, `${title} ${body}`])];
}
