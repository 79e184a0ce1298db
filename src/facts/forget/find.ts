/** Finds what to forget: by id or the start of one, by its words, or else by recall. */

import { RetainError } from "../../core/errors.ts";
import { bulletsOf } from "../../core/facts/bullets.ts";
import { parseLog } from "../../core/facts/daily-log.ts";
import { chatOf, SHORTEST_ID } from "../../core/facts/fact.ts";
import { normalForm } from "../../core/facts/fact-text.ts";
import { historyPath, kindOfFile } from "../../core/facts/memory-paths.ts";
import { command, hint } from "../../core/hint.ts";
import type { Origin } from "../../core/memory.ts";
import type { MemoryFiles } from "../../core/ports/documents.ts";
import { chunkHash, isVectorId, vectorId } from "../../core/ports/vector-index.ts";
import { wordsIn } from "../../util/text.ts";
import { factWords } from "../compare/fact-words.ts";
import { noteId } from "../note-memory.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { currentFacts } from "../sync/sync-facts.ts";
import { isAllOfNote, type Target } from "./files.ts";
import { passagesSaying, type SaidPassage } from "./passages.ts";
import { isLongEnoughToSearch } from "./short.ts";
import { forgottenText } from "./text.ts";

export interface ForgettableMemory {
  readonly kind: "fact" | "note";
  readonly id: string;
  readonly text: string;
  readonly origin: Origin;
  /** Below memories/; "" in a bank. */
  readonly file: string;
  /** When it was superseded or removed; null if it is current. */
  readonly ended_at: string | null;
}

export interface ToForget {
  /**
   * "exact": one was named. "words": these contain the words. "passages": only documents and messages contain them. "near": nothing
   * does, and these are the nearest that share a word.
   */
  readonly by: "exact" | "words" | "passages" | "near";
  readonly found: readonly ForgettableMemory[];
  /** Empty unless `by` is "passages". */
  readonly passages: readonly SaidPassage[];
  /** Ids whose forgetting was interrupted; `forget` finishes it. */
  readonly unfinished: readonly string[];
  /** Why a server's bank, which may have this id, could not be asked; null if it was asked or memory is local. */
  readonly unasked: RetainError | null;
}

/** The memory that words name: the only one with them, or the only current one. null if several may be meant, or none has them. */
export function clearlyNamed({ by, found }: ToForget): ForgettableMemory | null {
  const current = found.filter(({ ended_at }) => ended_at === null);
  const [only, second] = current.length === 1 ? current : found;
  return by === "near" || second !== undefined ? null : (only ?? null);
}

/** The id of a fact or note; matches no sentence. */
const ID = /^(?=\D*\d)[0-9a-v]{10}$|\.md#\d\d:\d\d-[0-9a-f]+$/;

export function isMemoryId(said: string): boolean {
  return ID.test(said);
}

/** Throws `usage` if `said` is empty. */
export async function findToForget(workspaces: FactWorkspaces, said: string): Promise<ToForget> {
  if (said.trim() === "")
    throw new RetainError(
      "usage",
      "What should be forgotten?",
      hint`To list facts with their ids: ${command("facts")}`,
    );
  const known = workspaces.read.flatMap((workspace) => memoriesOf(workspace));
  const unfinished = workspaces.read.flatMap(({ traces }) => traces.scrub.unfinished());
  const exact = known.find((memory) => isNamed(memory, said)) ?? saying(known, said);
  if (exact !== undefined)
    return { by: "exact", found: shown([exact]), passages: [], unfinished, unasked: null };
  const found = [...new Set([...beginning(known, said), ...holding(known, said)])];
  const inBank = found.length === 0 ? await findInBank(workspaces, said) : null;
  const unasked = inBank instanceof RetainError ? inBank : null;
  if (inBank !== null && !(inBank instanceof RetainError))
    return { by: "exact", found: [inBank], passages: [], unfinished, unasked };
  if (found.length > 0 || unfinished.length > 0 || isMemoryId(said))
    return { by: "words", found: shown(found), passages: [], unfinished, unasked };
  const passages = passagesSaying(workspaces, said);
  if (passages.length > 0) return { by: "passages", found: [], passages, unfinished, unasked };
  const byId = new Map(known.map((memory) => [`${memory.origin} ${memory.id}`, memory]));
  const near = await workspaces.recall(said);
  const words = new Set(factWords(said));
  const nearest = near
    .flatMap((hit) => byId.get(`${hit.origin} ${hit.id}`) ?? [])
    .filter(({ text }) => factWords(text).some((word) => words.has(word)));
  return { by: "near", found: shown(nearest), passages, unfinished, unasked };
}

/** By its own id, or by the one that other machines show for it. */
function isNamed({ kind, id, text }: Memory, said: string): boolean {
  return id === said || (kind === "fact" && isVectorId(said) && vectorId(kind, chunkHash("", text)) === said);
}

/** null if there is no server, or none of its memories has this id; the error if the server doesn't answer. */
async function findInBank(
  { remote, shared }: FactWorkspaces,
  id: string,
): Promise<ForgettableMemory | RetainError | null> {
  if (/\s/.test(id)) return null;
  try {
    const found = (await remote?.statement(id)) ?? (await shared?.statement(id)) ?? null;
    if (found === null) return null;
    return { ...found, kind: "fact", origin: "bank", file: "", ended_at: null };
  } catch (error) {
    if (error instanceof RetainError) return error;
    throw error;
  }
}

function saying(known: readonly Memory[], said: string): Memory | undefined {
  const normal = normalForm(said);
  return known.find(({ text }) => normalForm(text) === normal);
}

function beginning(known: readonly Memory[], said: string): Memory[] {
  return said.length < SHORTEST_ID ? [] : known.filter(({ id }) => id.startsWith(said));
}

function holding(known: readonly Memory[], said: string): Memory[] {
  const words = wordsIn(said);
  if (words.length === 0) return [];
  return known.filter(({ text }) => {
    const its = new Set(wordsIn(text));
    return words.every((word) => its.has(word));
  });
}

function shown(found: readonly Memory[]): ForgettableMemory[] {
  return found.map(({ kind, id, text, origin, file, ended_at }) => ({
    kind,
    id,
    text,
    origin,
    file,
    ended_at,
  }));
}

/** The fact or note with this id, and all others that say the same; null if there is none. */
export function targetOf(
  workspace: FactWorkspace,
  id: string,
): { target: Target; memories: Memory[] } | null {
  const known = memoriesOf(workspace);
  const named = known.find((memory) => memory.id === id);
  if (named === undefined) return null;
  const forms = named.kind === "fact" ? spellings(workspace, named) : noteForms(named);
  const looked = forms.filter(isLongEnoughToSearch);
  const own = forgottenText(forms);
  const text = looked.length === forms.length ? own : forgottenText(looked);
  const last = named.kind === "fact" ? historyPath(named.file) : named.file;
  const sought = { text, own, isShort: looked.length === 0, last };
  const memories = known.filter((memory) => memory.id === id || isAllOfMemory(sought, memory));
  return { target: { ...sought, ids: new Set(memories.map((memory) => memory.id)) }, memories };
}

/** Whether it says nothing but the forgotten text. */
export function isAllOfMemory(sought: Pick<Target, "own" | "isShort">, memory: Memory): boolean {
  return memory.kind === "fact"
    ? sought.own.isAllOf(memory.text)
    : isAllOfNote(sought, { title: memory.title, text: memory.body });
}

interface Known {
  readonly id: string;
  readonly text: string;
  readonly origin: FactWorkspace["origin"];
  /** Below memories/. */
  readonly file: string;
  readonly ended_at: string | null;
}

interface Note extends Known {
  readonly kind: "note";
  readonly title: string;
  readonly body: string;
}

type Memory = (Known & { readonly kind: "fact" }) | Note;

/** Facts, including ended ones, and notes. Changes nothing. */
export function memoriesOf(workspace: FactWorkspace): Memory[] {
  const { origin } = workspace;
  const known = currentFacts(workspace).map(({ id, text, file, ended_at }) => ({
    kind: "fact" as const,
    id,
    text,
    origin,
    file,
    ended_at,
  }));
  return [...known, ...notesOf(workspace)];
}

function notesOf({ files, origin }: FactWorkspace): Note[] {
  return files.scan().flatMap(({ path }) => {
    if (kindOfFile(path)?.kind !== "log") return [];
    return parseLog(contentOf(files, path)).notes.map((note) => ({
      kind: "note" as const,
      id: noteId(path, note),
      text: [note.title, note.text].filter((part) => part !== "").join(": "),
      title: note.title,
      body: note.text,
      origin,
      file: path,
      ended_at: null,
    }));
  });
}

/** The text as first written and as its bullets have it now, which may differ in emphasis and case. */
function spellings({ files }: FactWorkspace, { text, file }: Memory): string[] {
  const normal = normalForm(text);
  const chat = chatOf(file);
  const bullets = files.scan().flatMap(({ path }) => {
    const kind = kindOfFile(path);
    if (kind?.kind !== "facts" || kind.chat !== chat) return [];
    return bulletsOf(contentOf(files, path)).filter((bullet) => normalForm(bullet.text) === normal);
  });
  return [...new Set([text, ...bullets.map((bullet) => bullet.text)])];
}

/** "" if the file isn't readable as text. */
function contentOf(files: MemoryFiles, path: string): string {
  try {
    return files.read(path)?.content ?? "";
  } catch (error) {
    if (error instanceof RetainError) return "";
    throw error;
  }
}

/** The note's body, if it is long enough to search for, and the body with its title. */
function noteForms({ title, body }: Note): string[] {
  if (body === "" || body === title) return [title];
  return [...(isLongEnoughToSearch(body) ? [body] : []), `${title}: ${body}`, `${title} ${body}`];
}
