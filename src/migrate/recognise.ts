/**
 * Recognises the contents of a directory. The user may pass the folder itself, its workspace, or the directory above. Reads only
 * the beginning of files.
 */
import { basename, join } from "node:path";
import { parseMarkdown } from "../core/documents/frontmatter.ts";
import { dayOfLog } from "../core/facts/daily-log.ts";
import type { Source, SourceEntry } from "./source.ts";

export type Found =
  /** `files` is null if every JSON file of the directory counts as a session. */
  | { readonly kind: "sessions"; readonly path: string; readonly files: readonly string[] | null }
  | { readonly kind: "memories"; readonly path: string }
  | { readonly kind: "instructions"; readonly path: string }
  | { readonly kind: "documents"; readonly path: string; readonly collection: string };

/** Possible paths of a workspace, relative to the given directory. */
const BASES = [
  "",
  "workspace",
  "data",
  "collections",
  "retain",
  "agent-memory",
  ".arcaneum-retain",
  ".arcaneum/retain",
  ".arcaneum/agent-memory",
];

/** Every directory below these is a collection; elsewhere its files must look like documents. */
const COLLECTION_ROOTS = /(?:^|\/)(?:\.arcaneum\/retain|agent-memory|\.arcaneum-retain)$/;
/** Directories looked up by name. */
const LAYOUT = new Set(["sessions", "memories", "context", "skills"]);
const SESSION_FILE = /\.(?:json|jsonl|ndjson)$/i;
const LOOKS_LIKE_SESSION = /"messages"\s*:\s*\[|"role"\s*:\s*"(?:user|assistant|system|human|ai)"/;
const MEMORY_FILES = new Set(["MEMORY.md", "USER.md", "PREFERENCES.md"]);
const MEMORY_DIRECTORIES = new Set(["chats", "working"]);
const INSTRUCTIONS = "system_prompt.md";

/** In import order: facts before the files copied with them. */
export function recognise(source: Source): Found[] {
  const found = [...itself(source), ...BASES.flatMap((base) => below(source, base))];
  const order: readonly Found["kind"][] = ["sessions", "memories", "instructions", "documents"];
  return found.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** The given directory may itself be one of the parts. */
function itself(source: Source): Found[] {
  const found: Found[] = [];
  const entries = source.entries("");
  const isNamed = basename(source.root) === "sessions";
  const files = entries.filter(isSessionFile).filter(({ path }) => isNamed || isSession(source, path));
  if (files.length > 0)
    found.push({ kind: "sessions", path: "", files: isNamed ? null : files.map(({ path }) => path) });
  if (entries.some(({ name, kind }) => name === INSTRUCTIONS && kind === "file"))
    found.push({ kind: "instructions", path: INSTRUCTIONS });
  if (isMemories(source, "")) found.push({ kind: "memories", path: "" });
  else if (isCollection(source, ""))
    found.push({ kind: "documents", path: "", collection: basename(source.root) });
  return found;
}

function below(source: Source, base: string): Found[] {
  const found: Found[] = [];
  const sessions = join(base, "sessions");
  if (source.entries(sessions).some(isSessionFile))
    found.push({ kind: "sessions", path: sessions, files: null });
  const instructions = join(base, "context", INSTRUCTIONS);
  if (
    source.entries(join(base, "context")).some(({ path, kind }) => path === instructions && kind === "file")
  )
    found.push({ kind: "instructions", path: instructions });
  for (const { name, path, kind } of source.entries(base)) {
    if (kind !== "directory" || name.startsWith(".")) continue;
    if ((name === "memories" || name === "memory") && isMemories(source, path))
      found.push({ kind: "memories", path });
    else if (!LAYOUT.has(name) && isCollection(source, path, COLLECTION_ROOTS.test(join(source.root, base))))
      found.push({ kind: "documents", path, collection: name });
  }
  return found;
}

export function isSessionFile({ name, kind }: SourceEntry): boolean {
  return (kind === "file" || kind === "outside") && SESSION_FILE.test(name) && !name.startsWith(".");
}

export function isMarkdownFile({ name, kind }: SourceEntry): boolean {
  return (kind === "file" || kind === "outside") && name.endsWith(".md") && !name.startsWith(".");
}

function isSession(source: Source, path: string): boolean {
  return LOOKS_LIKE_SESSION.test(source.glance(path));
}

/** "memory" may also be a collection, so its contents decide. */
function isMemories(source: Source, path: string): boolean {
  return source.entries(path).some((entry) => {
    if (entry.kind === "directory")
      return MEMORY_DIRECTORIES.has(entry.name) && holdsMarkdown(source, entry.path);
    if (!isMarkdownFile(entry)) return false;
    return MEMORY_FILES.has(entry.name) || (dayOfLog(entry.name) !== null && !isDocument(source, entry.path));
  });
}

/** In the directory, or in its direct subdirectories. */
function holdsMarkdown(source: Source, path: string): boolean {
  return source
    .entries(path)
    .some((entry) => isMarkdownFile(entry) || source.entries(entry.path).some(isMarkdownFile));
}

function isCollection(source: Source, path: string, isKnown = false): boolean {
  const files = source.entries(path).filter(isMarkdownFile);
  return isKnown ? files.length > 0 : files.some((file) => isDocument(source, file.path));
}

/** Whether it has frontmatter as written by `put`, of Retain or an older system. */
function isDocument(source: Source, path: string): boolean {
  const { fields } = parseMarkdown(source.glance(path));
  return "id" in fields || "created_by" in fields;
}
