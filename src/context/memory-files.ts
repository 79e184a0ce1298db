/**
 * Context parts from files: facts, mental models, logs and working memory, the home workspace's before the project's. Only the
 * home workspace's USER.md and PREFERENCES.md are instructions: a model writes the other files, and a project's files come with a
 * repository.
 */
import { dirname } from "node:path";
import base from "../../prompts/base.md" with { type: "text" };
import marks from "../../prompts/marks.md" with { type: "text" };
import {
  factsPath,
  isInferredFile,
  isInstructionFile,
  kindOfFile,
  type MemoryFileKind,
  PREFERENCES,
  USER,
} from "../core/facts/memory-paths.ts";
import { parseMentalModel } from "../core/mental-model.ts";
import type { FileStamp } from "../core/ports/documents.ts";
import { DAY_MS } from "../util/days.ts";
import { plural } from "../util/in-words.ts";
import { harmless } from "./fence.ts";
import type { DayLog } from "./logs.ts";
import { MemoryFacts, printFacts } from "./memory-facts.ts";
import { mentalModelDrafts, type ShownMentalModel } from "./mental-models.ts";
import type { Draft, LeftOut, PartName } from "./parts.ts";
import type { ContextPorts, ContextWorkspace } from "./ports.ts";
import { contentOf, pathIn, type TellLeft, titled } from "./read-file.ts";
import { withScope } from "./scope-text.ts";
import { shortenMarkdown } from "./shorten.ts";
import { ageInWords, lastDays } from "./time.ts";

/** A larger MEMORY.md hardly fits into any context, so its facts come from the index instead of the file. */
const LARGE_BYTES = 64 * 1024;

export interface FileDraft extends Draft {
  /** Set if its bullets are facts: their chat, or null. */
  readonly facts?: { readonly chat: string | null };
  /** The conversation was already shown this. */
  readonly isShown?: boolean;
}

export interface MemoryFileParts {
  readonly instructions: readonly Draft[];
  readonly drafts: readonly FileDraft[];
  /** Of the last days, oldest first. */
  readonly logs: readonly DayLog[];
  /** Existing parts that are always left out. */
  readonly left: readonly { readonly part: LeftOut; readonly why: string }[];
}

export interface Whose {
  readonly chat: string;
  readonly session: string | null;
  /** The last compacted message of the session; 0 if none. */
  readonly compactedTo: number;
}

export function readMemoryFiles(ports: ContextPorts, whose: Whose): MemoryFileParts {
  const left: { part: LeftOut; why: string }[] = [];
  const tellLeft: TellLeft = (part, why) => left.push({ part, why });
  const workspaces = homeFirst(ports.read);
  const files = new Files(ports, whose, tellLeft);
  for (const workspace of workspaces)
    for (const { path, stamp } of workspace.files.scan()) files.take(workspace, path, stamp);
  return {
    instructions: instructionsIn(workspaces, ports.audience, tellLeft),
    drafts: [...files.drafts, ...files.modelDrafts()],
    logs: files.logs,
    left,
  };
}

export function homeFirst<One extends Pick<ContextWorkspace, "origin">>(read: readonly One[]): One[] {
  return [
    ...read.filter(({ origin }) => origin === "home"),
    ...read.filter(({ origin }) => origin !== "home"),
  ];
}

interface FilePart {
  readonly name: PartName;
  readonly title: string;
  /** Its file name, if there may be several. */
  readonly file?: string;
}

const UNCONFIRMED = {
  name: "unconfirmed",
  title: "Unconfirmed facts: less certain than other facts",
} as const;
const WORKING = { name: "working", title: "Working memory" } as const;

interface FileShape {
  readonly facts?: FileDraft["facts"];
  readonly isShown?: boolean;
  /** Shown after the title. */
  readonly remark?: string;
  /** Default: the file's content. */
  readonly content?: string | null;
  /** Formats the file's content. Default: unchanged. */
  print?(content: string): string;
  shorten?: typeof shortenMarkdown;
}

class Files {
  readonly drafts: FileDraft[] = [];
  readonly logs: DayLog[] = [];
  readonly #models: ShownMentalModel[] = [];
  readonly #now: Date;
  #days: ReadonlySet<string> | null = null;

  constructor(
    private readonly ports: ContextPorts,
    private readonly whose: Whose,
    private readonly tellLeft: TellLeft,
  ) {
    this.#now = ports.clock();
  }

  take(workspace: ContextWorkspace, path: string, stamp: FileStamp): void {
    const kind = kindOfFile(path);
    if (kind?.kind === "facts") this.#takeFacts(workspace, path, kind.chat, stamp);
    else if (kind?.kind === "log") this.#takeLog(workspace, path, kind);
    else if (kind?.kind === "model") this.#takeModel(workspace, path, kind.name);
    else if (kind?.kind === "working" && kind.session === this.whose.session)
      this.#takeWorking(workspace, path, stamp);
  }

  /** Reports mental models that did not fit at all. */
  modelDrafts(): Draft[] {
    const most = this.ports.settings.mental_model_max_render_chars;
    return mentalModelDrafts(this.#models, most).filter(({ text, partial = "", ...part }) => {
      if (text === "") this.tellLeft(part, partial);
      return text !== "";
    });
  }

  #takeModel(workspace: ContextWorkspace, path: string, name: string): void {
    const part = { name: "models", title: titled(`Mental model: ${name}`, workspace) } as const;
    if (!this.ports.settings.mental_models_enabled) {
      this.tellLeft({ ...part, path: pathIn(workspace, path) }, "mental_models_enabled is false");
      return;
    }
    const read = contentOf(workspace, path, part, this.tellLeft);
    const model = read === null ? null : parseMentalModel(name, read.text);
    if (model === null || model.state === "removed") return;
    if (workspace.origin === "home" && this.ports.hidesFromHome?.(model)) return;
    const answer = this.ports.firstShown?.answer?.(workspace.origin, model) ?? model.answer;
    if (answer === "") return;
    this.#models.push({ origin: workspace.origin, name, answer, path: dirname(pathIn(workspace, path)) });
  }

  #takeFacts(workspace: ContextWorkspace, path: string, chat: string | null, { size }: FileStamp): void {
    if (chat !== null && chat !== this.whose.chat) return;
    const isMemory = path === factsPath(chat);
    const isUnconfirmed = isInferredFile(path);
    const part = isUnconfirmed ? UNCONFIRMED : partOf(path, chat, isMemory);
    if (!isMemory && !isUnconfirmed) {
      this.#takeFile(workspace, path, part, { facts: { chat } });
      return;
    }
    const known = new MemoryFacts(workspace, path, this.ports.firstShown, this.#now);
    const { shownBefore } = known;
    if (isUnconfirmed && known.all.length === 0) return;
    // INFERRED.md starts with instructions for people.
    const isPrinted = isUnconfirmed || (size > LARGE_BYTES && known.all.length > 0);
    this.#takeFile(workspace, path, part, {
      facts: { chat },
      isShown: shownBefore !== null,
      content: shownBefore ?? (isPrinted ? printFacts(known.all) : null),
      print: (content) => known.print(content),
      shorten: (print, content, tokens) => known.shorten(print, content, tokens),
    });
  }

  #takeWorking(workspace: ContextWorkspace, path: string, { mtime }: FileStamp): void {
    const { working_memory_stale_days: days } = this.ports.settings;
    const age = this.#now.getTime() - mtime;
    const updated = `updated ${ageInWords(age)}`;
    if (age <= days * DAY_MS) this.#takeFile(workspace, path, WORKING, { remark: updated });
    else
      this.tellLeft(
        { name: WORKING.name, title: titled(WORKING.title, workspace), path: pathIn(workspace, path) },
        `stale: ${updated}, and the limit is ${plural(days, "day")}`,
      );
  }

  #takeLog(
    workspace: ContextWorkspace,
    path: string,
    { chat, day }: Extract<MemoryFileKind, { kind: "log" }>,
  ): void {
    this.#days ??= new Set(lastDays(this.#now, this.ports.settings.memory_days));
    if (!this.#days.has(day) || (chat !== null && chat !== this.whose.chat)) return;
    const title = titled(`Notes of ${day}`, workspace);
    const read = contentOf(workspace, path, { name: "logs", title }, this.tellLeft);
    if (read === null) return;
    const { origin } = workspace;
    const from = [origin === "project" ? "this project" : "", chat === null ? "" : "this chat"];
    const head = `${[day, ...from].filter((part) => part !== "").join(", ")}:`;
    this.logs.push({ origin, path, day, head, content: read.text });
  }

  #takeFile(workspace: ContextWorkspace, path: string, filePart: FilePart, shape: FileShape): void {
    const { facts, isShown = false, remark, content: given = null, shorten = shortenMarkdown } = shape;
    const { name } = filePart;
    const isInstruction = workspace.origin === "home" && isInstructionFile(path);
    const part = { name, title: titled(nameOf(filePart), workspace, remark), isInstruction };
    const read =
      given === null
        ? contentOf(workspace, path, part, this.tellLeft)
        : { ...part, path: pathIn(workspace, path), text: given };
    if (read === null) return;
    const print = (content: string) => {
      const text = `### ${part.title}\n\n${content}`;
      return isInstruction ? text : harmless(text);
    };
    this.drafts.push({
      ...read,
      text: print(given ?? shape.print?.(read.text) ?? read.text),
      ...(facts === undefined ? {} : { facts }),
      ...(isShown
        ? { isShown, partial: "does not fit completely; the conversation was already shown this part" }
        : {}),
      shorten: (tokens) => shorten(print, read.text, tokens),
    });
  }
}

function nameOf({ name, title, file }: FilePart): string {
  if (file === undefined) return title;
  return name === "files" ? file : `${title}: ${file}`;
}

function partOf(path: string, chat: string | null, isMemory: boolean): FilePart {
  const file = path.slice(path.lastIndexOf("/") + 1, -".md".length);
  if (chat !== null) return { name: "chat", title: "Chat memory", ...(isMemory ? {} : { file }) };
  if (isMemory) return { name: "memory", title: "Long-term memory" };
  if (path === USER) return { name: "user", title: "User" };
  if (path === PREFERENCES) return { name: "preferences", title: "Preferences" };
  return { name: "files", title: "Memory file", file };
}

/** The user's own base instructions: next to `memories`, and read relative to it. */
const SYSTEM_PROMPT = "../context/system_prompt.md";

/** The user's own instructions replace the built-in ones. A project's are ignored, since a stranger may have written them. */
export function instructionsIn(
  workspaces: readonly ContextWorkspace[],
  audience: ContextPorts["audience"],
  left: TellLeft,
): Draft[] {
  const home = workspaces.find(({ origin }) => origin === "home");
  const part = { name: "base", title: "Base instructions", isInstruction: true } as const;
  const own = home === undefined ? null : contentOf(home, SYSTEM_PROMPT, part, left);
  return [
    own ?? { ...part, text: base.trim() },
    { name: "marks", title: "How to mark memories", isInstruction: true, text: withScope(marks, audience) },
  ];
}
