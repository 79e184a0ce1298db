/**
 * Files of other agents (AGENTS.md) with a block of facts, for agents without hooks. The home workspace lists these files, so only
 * their owner decides what Retain writes; a command that finds the facts changed brings the blocks up to date when it ends.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Workspace } from "../config/workspace.ts";
import { repositoryRoot } from "../config/worktree.ts";
import { hasBlock, withBlock, withoutBlock } from "../context/block.ts";
import { tokensOf } from "../context/tokens.ts";
import { ioError, messageOf, RetainError } from "../core/errors.ts";
import { factsPath, historyPath, isInferredFile } from "../core/facts/memory-paths.ts";
import { command, hint, option } from "../core/hint.ts";
import { shareableText } from "../core/secrets/shareable.ts";
import type { FactsOptions, OwnedFact } from "../facts/list-facts.ts";
import { changeTextFile, NotUtf8 } from "../files/change-text.ts";
import { withFileLock } from "../sqlite/database/with-file-lock.ts";
import { localDay } from "../util/days.ts";
import {
  ensureDirectory,
  isInside,
  lstatIfThere,
  readIfThere,
  resolveLinks,
  writeFileAtomic,
} from "../util/fs.ts";
import { plural } from "../util/in-words.ts";
import { isRecord, parseJson } from "../util/json.ts";
import { oneLine } from "../util/text.ts";

/** In the home workspace. */
const CONTEXT_FILES = "context-files.json";

/** A memory to write from. */
interface FactsHere {
  readonly choice: { readonly workspace: Workspace; readonly home: Workspace };
  readonly config: { readonly settings: { readonly memory_backend: string } };
  readonly facts: { list(options: FactsOptions): Promise<readonly OwnedFact[]> };
  now(): Date;
}

interface ContextFile {
  readonly file: string;
  /** The workspace whose facts it has. */
  readonly root: string;
  readonly budget: number;
  /** What separates the block from the text before it. */
  readonly before: string;
  /** Of the history that the block was written from. */
  readonly stamp: string;
}

export interface BlockChange {
  readonly file: string;
  readonly action: "added" | "updated" | "unchanged" | "removed" | "absent";
  readonly facts: number;
}

interface BlockOptions {
  readonly budget: number;
  readonly cwd: string;
  /** The user asked for the home workspace's facts. */
  readonly isGlobal: boolean;
}

/** Throws `usage` for a file that these facts must not go to, `invalid_input` for broken markers or text. */
export async function writeContextFile(
  here: FactsHere,
  path: string,
  { budget, cwd, isGlobal }: BlockOptions,
): Promise<BlockChange> {
  const file = resolve(cwd, path);
  requireOwn(here.choice.workspace, file, cwd, isGlobal);
  if (here.config.settings.memory_backend !== "local")
    throw new RetainError("usage", "The facts are not stored on this machine.", "Connect the agent instead.");
  const { workspace, home } = here.choice;
  const before = beforeIn(home.root, file);
  return written(here, { file, root: workspace.root, budget, before, stamp: "" });
}

/** Removes the block, and the file if nothing else is in it. */
export function removeContextFile({ choice }: FactsHere, path: string, cwd: string): BlockChange {
  const file = resolve(cwd, path);
  const before = beforeIn(choice.home.root, file);
  let action: BlockChange["action"] = "absent";
  change(file, (text) => {
    if (text === null || !hasBlock(text)) return text;
    action = "removed";
    return withoutBlock(text, before) || null;
  });
  store(choice.home.root, file, null);
  return { file, action, facts: 0 };
}

/** Updates the blocks whose facts have changed. `open` opens the memory of a file's directory. Problems become warnings. */
export async function refreshContextFiles(
  home: string,
  now: Date,
  open: (directory: string, isHome: boolean) => FactsHere,
  warn: (message: string) => void,
): Promise<void> {
  for (const known of listed(home)) {
    if (known.stamp === stampOf(known.root, now)) continue;
    try {
      // Whoever removed the block or the workspace doesn't want it back.
      const text = readIfThere(known.file);
      const isWanted = text !== null && hasBlock(new TextDecoder().decode(text)) && existsSync(known.root);
      const here = isWanted ? open(dirname(known.file), known.root === home) : null;
      if (here?.choice.workspace.root === known.root) await written(here, known);
      else store(home, known.file, null);
    } catch (error) {
      warn(`${known.file} is out of date: ${messageOf(error)}`);
    }
  }
}

async function written(here: FactsHere, known: ContextFile): Promise<BlockChange> {
  const { workspace, home } = here.choice;
  const { kind } = workspace;
  const facts = (await here.facts.list({ which: "holding" })).filter(
    ({ origin, chat, file }) => origin === kind && chat === null && !isInferredFile(file),
  );
  const { content, count } = contentOf(kind, facts, known.budget);
  let action: BlockChange["action"] = "unchanged";
  let { before } = known;
  change(known.file, (text) => {
    const next = withBlock(text, content);
    const isNew = text === null || !hasBlock(text);
    if (isNew) before = next.before;
    action = isNew ? "added" : next.text === text ? "unchanged" : "updated";
    return next.text;
  });
  store(home.root, known.file, { ...known, before, stamp: stampOf(known.root, here.now()) });
  return { file: known.file, action, facts: count };
}

/** A project's facts go into its repository; the user's own go elsewhere, unless the user asks for it. */
function requireOwn(workspace: Workspace, file: string, cwd: string, isGlobal: boolean): void {
  const repository = repositoryRoot(dirname(resolveLinks(file)));
  if (workspace.kind === "home" && workspace.bank === null) {
    if (repository === null || isGlobal) return;
    throw new RetainError(
      "usage",
      `${file} is in a repository, and these facts are your own.`,
      hint`Create a memory for the project: ${command("init")}. To write your own facts there, pass ${option("global")}.`,
    );
  }
  const roots = [workspace.project, repositoryRoot(cwd)].filter((root) => root !== null);
  if (roots.some((root) => isInside(root, file))) return;
  const where = resolveLinks(file) === file ? file : `${file} leads to ${resolveLinks(file)}, which`;
  throw new RetainError(
    "usage",
    `${where} is outside the project. Nothing was changed.`,
    hint`Name a file in the project. To write your own facts, pass ${option("global")}.`,
  );
}

/** Oldest first, so that a new fact is a new line at the end. If they don't fit, the newest stay. */
function contentOf(kind: Workspace["kind"], facts: readonly OwnedFact[], budget: number) {
  const about = kind === "project" ? "this project" : "the user";
  const head = `## Memory

What Retain knows about ${about}: background, not instructions. \`${command("context", option("write"))}\` writes this block; \
edits inside it are lost.`;
  const lines: string[] = [];
  let left = budget - tokensOf(head);
  const byAge = facts.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  for (const { text } of byAge.toReversed()) {
    const line = `- ${oneLine(shareableText(text))}`;
    left -= tokensOf(line) + 1;
    if (left < 0) break;
    lines.unshift(line);
  }
  const more = facts.length - lines.length;
  const rest =
    more === 0 ? [] : [`\n${plural(more, "older fact")} not shown: \`${command("facts")}\` lists all.`];
  const body = facts.length === 0 ? ["No facts yet."] : [...lines, ...rest];
  return { content: [head, "", ...body].join("\n"), count: lines.length };
}

function change(file: string, next: (text: string | null) => string | null): void {
  try {
    changeTextFile(file, 0o666 & ~process.umask(), next);
  } catch (error) {
    if (error instanceof NotUtf8)
      throw new RetainError("invalid_input", `${file} is not UTF-8. Nothing was changed.`);
    if (error instanceof RetainError && error.code === "invalid_input")
      throw new RetainError(error.code, `${file}: ${error.message}`, error.advice);
    throw ioError(error, `Cannot change ${file}`);
  }
}

/** Also changes at midnight, when facts may end. */
function stampOf(root: string, now: Date): string {
  const history = lstatIfThere(join(root, "memories", historyPath(factsPath(null))));
  return [localDay(now.toISOString()), history?.size ?? 0, history?.mtimeMs ?? 0].join(" ");
}

function listed(home: string): ContextFile[] {
  const bytes = readIfThere(join(home, CONTEXT_FILES));
  const known = bytes === null ? [] : parseJson(new TextDecoder().decode(bytes));
  return Array.isArray(known) ? known.filter(isContextFile) : [];
}

function beforeIn(home: string, file: string): string {
  return listed(home).find((one) => one.file === file)?.before ?? "";
}

function isContextFile(value: unknown): value is ContextFile {
  if (!isRecord(value) || typeof value.budget !== "number") return false;
  return [value.file, value.root, value.before, value.stamp].every((one) => typeof one === "string");
}

function store(home: string, file: string, entry: ContextFile | null): void {
  if (entry === null && listed(home).every((one) => one.file !== file)) return;
  const list = join(home, CONTEXT_FILES);
  try {
    ensureDirectory(home);
    withFileLock(list, () => {
      const others = listed(home).filter((one) => one.file !== file);
      const next = [...others, ...(entry === null ? [] : [entry])];
      writeFileAtomic(list, `${JSON.stringify(next, null, 2)}\n`);
    });
  } catch (error) {
    const why = messageOf(ioError(error, `Cannot write ${list}`));
    throw new RetainError("io", `${file} was changed, but will not be kept up to date. ${why}`, "Try again.");
  }
}
