/** Operations on facts, notes and working memory. Each is loaded on first use. */
import type { Mark } from "../core/marks/marks.ts";
import type { Model } from "../core/ports/documents.ts";
import type { KeptTurns, TurnsToKeep } from "./auto-retain-turns.ts";
import type { CompactOptions } from "./compact/compact.ts";
import type { CompactionReport } from "./compact/report.ts";
import type { KnownFact } from "./compare/decide.ts";
import type { Edited, EditOptions } from "./edit.ts";
import type { DocumentToForget } from "./forget/document.ts";
import type { ToForget } from "./forget/find.ts";
import type { ForgetOptions, Forgotten } from "./forget/forget.ts";
import type { SaidPassage } from "./forget/passages.ts";
import type { Extent } from "./forget/words.ts";
import type { FactsOptions, OwnedFact } from "./list-facts.ts";
import type { DayNotes } from "./notes.ts";
import type { FactWorkspaces } from "./ports.ts";
import type { Confirmed } from "./unconfirmed/confirm.ts";
import type { Rejected } from "./unconfirmed/reject.ts";
import type { Doubt, ReviewDecision } from "./unconfirmed/review.ts";
import type { KeptUnconfirmed, UnconfirmedFact } from "./unconfirmed/write-unconfirmed.ts";
import type { UndoableChange, UndoOptions } from "./undo.ts";
import type { Provenance } from "./why.ts";
import type { Withdrawn } from "./withdraw.ts";
import type { Ingested, IngestOptions } from "./write/ingest.ts";
import type { LogOptions, Remembered, RememberOptions } from "./write/remember.ts";
import type { Retained, RetainItem, RetainSource } from "./write/retain.ts";
import type { MarkSource, WrittenMarks } from "./write/write-marks.ts";
import type { SaidByUser } from "./write/write-requests.ts";

export class Facts {
  constructor(private readonly workspaces: () => FactWorkspaces) {}

  /** Saves a fact unless it is already known. Throws, with nothing stored: `secret`, or `not_found` for a fact to replace. */
  async remember(text: string, options: RememberOptions = {}): Promise<Remembered> {
    const { remember } = await import("./write/remember.ts");
    return remember(this.workspaces(), text, options);
  }

  /** Saves several facts as one change, for a tool. Reports failed writes instead of throwing. */
  async retain(items: readonly RetainItem[], source?: RetainSource): Promise<Retained> {
    const { retainFacts, NO_SOURCE } = await import("./write/retain.ts");
    return retainFacts(this.workspaces(), items, source ?? NO_SOURCE);
  }

  /** Changes a fact's text. Throws `not_found`, `ambiguous`, `invalid_input`, `secret`, `conflict`, `exists`. */
  async edit(id: string, text: string, options: EditOptions = {}): Promise<Edited> {
    const { editFact } = await import("./edit.ts");
    return editFact(this.workspaces(), id, text, options);
  }

  /** Adds a note to today's log: "Title: text". Throws like `remember`. */
  async log(text: string, options: LogOptions = {}): Promise<Remembered> {
    const { addNote } = await import("./write/remember.ts");
    return addNote(this.workspaces(), text, options);
  }

  /** Stores a model's reply as a message, saves its marked facts and notes, and returns the text for the person. */
  async ingest(reply: string, options: IngestOptions = {}): Promise<Ingested> {
    const { ingest } = await import("./write/ingest.ts");
    return ingest(this.workspaces(), reply, options);
  }

  /** Saves marks from a stored reply. Reports failed writes instead of throwing. */
  async writeMarks(marks: readonly Mark[], source: MarkSource): Promise<WrittenMarks> {
    const { writeMarks } = await import("./write/write-marks.ts");
    return writeMarks(this.workspaces(), marks, source);
  }

  /** Stores turns of another agent's conversation. Throws like `writeTurns` in auto-retain-turns.ts. */
  async writeTurns(turns: TurnsToKeep): Promise<KeptTurns> {
    const { writeTurns } = await import("./auto-retain-turns.ts");
    return writeTurns(this.workspaces(), turns);
  }

  /** Saves facts that a person's stored messages explicitly ask to remember. Reports failed writes instead of throwing. */
  async writeRequests(session: string, said: readonly SaidByUser[]): Promise<Retained> {
    const { writeRequests } = await import("./write/write-requests.ts");
    return writeRequests(this.workspaces(), session, said);
  }

  /** Stores unconfirmed facts. Reports failed writes instead of throwing. */
  async writeUnconfirmed(found: readonly UnconfirmedFact[]): Promise<KeptUnconfirmed> {
    const { writeUnconfirmed } = await import("./unconfirmed/write-unconfirmed.ts");
    return writeUnconfirmed(this.workspaces(), found);
  }

  /** Moves unconfirmed facts to MEMORY.md. Throws `not_found`, `ambiguous`, `conflict`, with nothing changed. */
  async confirm(ids: readonly string[] | "all"): Promise<Confirmed> {
    const { confirmFacts } = await import("./unconfirmed/confirm.ts");
    return confirmFacts(this.workspaces(), ids);
  }

  /** Rejects an unconfirmed fact, so that it isn't proposed again. Throws `not_found`, `ambiguous`, `conflict`, with nothing changed. */
  async reject(id: string): Promise<Rejected> {
    const { rejectFact } = await import("./unconfirmed/reject.ts");
    return rejectFact(this.workspaces(), id);
  }

  /** Pairs of facts where the newer one may replace the older one, newest first. */
  async doubts(): Promise<Doubt[]> {
    const { doubtsIn } = await import("./unconfirmed/review.ts");
    return doubtsIn(this.workspaces());
  }

  /** Decides a pair in doubt; takes its id, or that of the older fact, or else of the newer one. Throws `not_found`, `ambiguous`, `conflict`, with nothing changed. */
  async decide(id: string, decision: ReviewDecision): Promise<Doubt> {
    const { decideDoubt } = await import("./unconfirmed/review.ts");
    return decideDoubt(this.workspaces(), id, decision);
  }

  async list(options: FactsOptions = {}): Promise<OwnedFact[]> {
    const { listFacts } = await import("./list-facts.ts");
    return listFacts(this.workspaces(), options);
  }

  /** Throws `not_found`, or `ambiguous` if several ids start like this. */
  async why(id: string): Promise<Provenance> {
    const { explainFact } = await import("./why.ts");
    return explainFact(this.workspaces(), id);
  }

  /** The notes of these days ("2026-11-15"), of one chat or of all. */
  async notes(days: Iterable<string>, chat?: string): Promise<DayNotes> {
    const { notesOn } = await import("./notes.ts");
    return notesOn(this.workspaces(), days, chat);
  }

  /** Turns notes of old logs into facts, as one change. Throws `conflict`, with nothing changed. */
  async compact(options: CompactOptions = {}): Promise<CompactionReport> {
    const { compact } = await import("./compact/compact.ts");
    return compact(this.workspaces(), options);
  }

  /** Like `compact`, at the start of a conversation: cheap if nothing is due, and warns instead of throwing. */
  async compactIfDue(model?: Model): Promise<CompactionReport[]> {
    const { compactIfDue } = await import("./compact/compact.ts");
    return compactIfDue(this.workspaces(), model);
  }

  /** The facts that this statement would replace, or put in doubt, if it were saved. Changes nothing. */
  async affectedBy(statement: string): Promise<readonly KnownFact[]> {
    const { factsAffectedBy } = await import("./candidates/affected.ts");
    return factsAffectedBy(this.workspaces(), statement);
  }

  /** Finds facts and notes by an id or by words. Changes nothing. */
  async findToForget(said: string): Promise<ToForget> {
    const { findToForget } = await import("./forget/find.ts");
    return findToForget(this.workspaces(), said);
  }

  /** Permanently removes the fact or note with this id everywhere. Throws `not_found`, with nothing changed. */
  async forget(id: string, options: ForgetOptions = {}): Promise<Forgotten> {
    const { forget } = await import("./forget/forget.ts");
    return forget(this.workspaces(), id, options);
  }

  /** Erases from the databases what removed memories left there. */
  async eraseRemoved(): Promise<void> {
    const { eraseRemoved } = await import("./forget/forget.ts");
    return eraseRemoved(this.workspaces());
  }

  /** Permanently removes a document with its versions. Throws `not_found`, with nothing changed. */
  async forgetDocument(document: DocumentToForget, dryRun = false): Promise<Forgotten> {
    const { forgetDocument } = await import("./forget/document.ts");
    return forgetDocument(this.workspaces(), document, dryRun);
  }

  /** Permanently removes a message's text from every conversation. Documents and facts stay. */
  async forgetMessage(message: { id: number; content: string }, dryRun = false): Promise<Forgotten> {
    const { forgetMessage } = await import("./forget/message.ts");
    return forgetMessage(this.workspaces(), message, dryRun);
  }

  /** Finds these words in documents and messages. Changes nothing. */
  async findWords(words: string): Promise<SaidPassage[]> {
    const { passagesSaying } = await import("./forget/passages.ts");
    return passagesSaying(this.workspaces(), words);
  }

  /** Permanently removes the sentences with these words, or whole documents and messages. Throws `not_found`, `usage`. */
  async forgetWords(words: string, extent: Extent): Promise<Forgotten> {
    const { forgetWords } = await import("./forget/words.ts");
    return forgetWords(this.workspaces(), words, extent);
  }

  /** Undoes one fact: it ends, and those it replaced return; an ended one returns. Throws `not_found`, `ambiguous`, `conflict`. */
  async withdraw(id: string): Promise<Withdrawn> {
    const { withdrawFact } = await import("./withdraw.ts");
    return withdrawFact(this.workspaces(), id);
  }

  /** Ends a fact; those it replaced stay ended. Throws `not_found`, `ambiguous`, `conflict`. */
  async end(id: string): Promise<Withdrawn> {
    const { endFact } = await import("./withdraw.ts");
    return endFact(this.workspaces(), id);
  }

  /** Undoes the last change. Throws `not_found` or `conflict`. */
  async undo(options: UndoOptions = {}): Promise<UndoableChange> {
    const { undoLast } = await import("./undo.ts");
    return undoLast(this.workspaces(), options);
  }

  /** The last change in any workspace that can be undone; null if there is none. */
  async lastChange(): Promise<UndoableChange | null> {
    const { lastChange } = await import("./undo.ts");
    return lastChange(this.workspaces());
  }
}
