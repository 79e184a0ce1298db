/** Every setting, once: its type, its default, what it is for, and who may set it. Loading, help and docs read this. */
import * as z from "../util/zod.ts";
import {
  collectionName,
  folder,
  haveOwnNames,
  httpUrl,
  modelEndpoint,
  modelName,
  variableName,
} from "./shapes.ts";

/** A project's config comes with a repository, so it is a stranger's: some settings are the user's own to make. */
type Setter = "anyone" | "user" | "project";

interface Setting<T> {
  /** Made when a value is to be checked: most commands meet none. */
  readonly schema: () => z.ZodMiniType<T>;
  readonly default: T;
  readonly description: string;
  readonly setBy: Setter;
  /** The command that makes it, where no one word of a command line or a variable could. */
  readonly command: string | null;
}

function setting<T>(
  schema: () => z.ZodMiniType<T>,
  fallback: T,
  description: string,
  setBy: Setter = "anyone",
  command: string | null = null,
): Setting<T> {
  return { schema, default: fallback, description, setBy, command };
}

/** How memory is shared between projects, as spec 003 names it. */
const SCOPINGS = ["global", "per-project", "per-project-tagged"] as const;

const turns = () => z.int().check(z.minimum(1), z.maximum(1_000));
const overlap = () => z.int().check(z.minimum(0), z.maximum(1_000));

export const SETTINGS = {
  created_by: setting(
    () => z.string(),
    "",
    "Who signs new documents and changes. If empty: your login name, over MCP the client's name, in the chat the model's.",
  ),
  collections: setting(
    () => z.array(collectionName()),
    [],
    "Collections this workspace expects; a put elsewhere draws a warning.",
  ),
  versioning: setting(
    () => z.enum(["auto", "git", "custom"]),
    "auto",
    "Who keeps versions: git, numbered files (custom), or git where a project is in a repository (auto).",
  ),
  history: setting(() => z.boolean(), true, "Keep what a document said before it was replaced."),
  auto_version: setting(
    () => z.boolean(),
    true,
    "Keep it at every change; when false, only where --snapshot asks for it.",
  ),
  max_versions: setting(
    () => z.int().check(z.minimum(1), z.maximum(10_000)),
    10,
    "How many versions of a document are kept, the current one included.",
  ),
  max_document_bytes: setting(
    () => z.int().check(z.minimum(1)),
    10_000_000,
    "The largest document that is taken in.",
    "user",
  ),
  folders: setting(
    () => z.array(folder()).check(z.refine(haveOwnNames, "two have the same name")),
    [],
    "Folders of Markdown that are read-only collections of the home workspace.",
    "user",
    "retain folders add",
  ),
  embedding: setting(
    () => z.enum(["minilm", "endpoint", "none"]),
    "minilm",
    "Who turns texts into vectors: MiniLM on this machine, an OpenAI-compatible endpoint, or nobody.",
    "user",
  ),
  embedding_url: setting(
    () => z.union([z.literal(""), z.url({ protocol: /^https?$/ })]),
    "",
    "The endpoint's base, such as `http://localhost:11434/v1` (Ollama).",
    "user",
  ),
  embedding_model: setting(() => z.string(), "", "The endpoint's model, such as nomic-embed-text.", "user"),
  embedding_key_env: setting(
    variableName,
    "RETAIN_EMBEDDING_KEY",
    "The environment variable that holds the endpoint's key; keys are never kept in a file.",
    "user",
  ),
  rerank: setting(
    () => z.enum(["none", "endpoint", "tei"]),
    "none",
    "Reorders the best hits of a search: none, a server with the `/rerank` API of Jina, Cohere and llama.cpp (endpoint), or a TEI server (tei).",
    "user",
  ),
  rerank_url: setting(
    () => z.union([z.literal(""), httpUrl()]),
    "",
    "The base of the reranking API, such as `http://localhost:8080/v1` (llama.cpp).",
    "user",
  ),
  rerank_model: setting(() => z.string(), "", "The reranking model, if the server asks for one.", "user"),
  rerank_key_env: setting(
    variableName,
    "RETAIN_RERANK_KEY",
    "The environment variable that holds the reranking server's key; keys are never kept in a file.",
    "user",
  ),
  rerank_timeout_ms: setting(
    () => z.int().check(z.minimum(1), z.maximum(120_000)),
    500,
    "How long a search waits for the reranking server before it keeps its own order.",
    "user",
  ),
  model: setting(
    modelName,
    "",
    "The model that answers, as provider/model; `none` for none. By default claude-haiku-4-5 where Anthropic's key is there.",
    "user",
  ),
  model_endpoints: setting(
    () => z.array(modelEndpoint()).check(z.refine(haveOwnNames, "two have the same name")),
    [],
    "Servers of your own that speak OpenAI's chat protocol, as providers of models.",
    "user",
    "retain model add",
  ),
  model_context_tokens: setting(
    () => z.int().check(z.minimum(1_000), z.maximum(100_000_000)),
    32_000,
    "How many tokens a model takes; Anthropic's are known to take 200,000.",
    "user",
  ),
  model_max_output_tokens: setting(
    () => z.int().check(z.minimum(16), z.maximum(1_000_000)),
    8_000,
    "How many tokens one reply of a model may have.",
    "user",
  ),
  model_timeout_seconds: setting(
    () => z.int().check(z.minimum(1), z.maximum(86_400)),
    600,
    "How long a model may say nothing before it is given up.",
    "user",
  ),
  memory_backend: setting(
    () => z.enum(["local", "hindsight", "off"]),
    "local",
    "Who holds what agents retain: this machine, a Hindsight server, or nobody.",
    "user",
  ),
  local_scoping: setting(
    () => z.enum(["auto", ...SCOPINGS]),
    "auto",
    "Whose memory is used: the project's where it has a `.retain` (auto), one for all (global), every project's own (per-project), or its own and the global one to read (per-project-tagged).",
    "user",
  ),
  local_auto_retain: setting(
    () => z.boolean(),
    true,
    'Look through finished turns of a conversation for requests such as "remember that ...", and save them.',
    "user",
  ),
  local_retain_every_n_turns: setting(turns, 4, "After how many turns they are looked through.", "user"),
  learning_model: setting(
    modelName,
    "",
    "The model that reads finished conversations and notes facts for you to review, as provider/model. Empty or `none`: no model reads them.",
    "user",
  ),
  learning_daily_limit: setting(
    () => z.number().check(z.minimum(0), z.maximum(10_000)),
    0.5,
    "How many dollars learning may cost a day. Models whose price is unknown count as free.",
    "user",
  ),
  hindsight_url: setting(
    () => z.union([z.literal(""), httpUrl()]),
    "",
    "The Hindsight server, such as `http://localhost:8888`.",
    "user",
  ),
  hindsight_key_env: setting(
    variableName,
    "HINDSIGHT_API_KEY",
    "The environment variable that holds the server's key; keys are never kept in a file.",
    "user",
  ),
  hindsight_bank: setting(
    () =>
      z
        .string()
        .check(
          z.regex(/^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,99}$/u, "a bank's name is letters, digits, and . _ : -"),
        ),
    "retain",
    "The bank's name on the server; with per-project scoping, what its names begin with.",
    "user",
  ),
  hindsight_bank_mission: setting(
    () => z.string(),
    "Long-term memory of a person and their agents: preferences, decisions with their reasons, conventions, people, dates.",
    "What the bank is for, told to the server once; empty to leave that to the server.",
    "user",
  ),
  hindsight_scoping: setting(
    () => z.enum(SCOPINGS),
    "per-project-tagged",
    "One bank for all (global), a bank for each project (per-project), or one bank with projects as tags (per-project-tagged).",
    "user",
  ),
  hindsight_auto_retain: setting(
    () => z.boolean(),
    true,
    "Send finished turns of conversations to the bank.",
    "user",
  ),
  hindsight_retain_every_n_turns: setting(turns, 3, "After how many turns they are sent.", "user"),
  hindsight_retain_overlap_turns: setting(
    overlap,
    2,
    "How many turns before them go along, in window mode.",
    "user",
  ),
  hindsight_retain_mode: setting(
    () => z.enum(["full-session", "window"]),
    "full-session",
    "Send the whole conversation, which takes the place of what was sent of it before, or the last turns alone.",
    "user",
  ),
  hindsight_retain_context: setting(
    () => z.string(),
    "retain",
    "What is told as the source of a memory that has no other.",
    "user",
  ),
  hindsight_recall_timeout_ms: setting(
    () => z.int().check(z.minimum(1), z.maximum(120_000)),
    2_000,
    "How long recall waits for the server before this machine's memory answers alone.",
    "user",
  ),
  hindsight_recall_budget: setting(
    () => z.enum(["low", "mid", "high"]),
    "mid",
    "How thoroughly the server searches.",
    "user",
  ),
  hindsight_recall_max_tokens: setting(
    () => z.int().check(z.minimum(1), z.maximum(1_000_000)),
    1_024,
    "How many tokens of memories the server gives for a question.",
    "user",
  ),
  hindsight_documents: setting(
    () => z.boolean(),
    false,
    "Send documents to the bank too, as copies that a team can recall; the files stay the truth.",
    "user",
  ),
  mental_models_enabled: setting(
    () => z.boolean(),
    true,
    "Keep answers to standing questions fresh, and put them into the context.",
    "user",
  ),
  mental_model_auto_seed: setting(
    () => z.boolean(),
    true,
    "Start with user-preferences, project-conventions and project-decisions.",
    "user",
  ),
  mental_model_refresh_interval_ms: setting(
    () => z.int().check(z.minimum(0), z.maximum(31_536_000_000)),
    300_000,
    "How long a mental model's answer is left as it is, at least.",
    "user",
  ),
  mental_model_max_render_chars: setting(
    () => z.int().check(z.minimum(100), z.maximum(1_000_000)),
    16_000,
    "How many characters of mental models go into the context.",
    "user",
  ),
  incognito: setting(
    () => z.boolean(),
    false,
    "Use memory, and store nothing: in the chat, for MCP clients and in Claude Code. Mostly set for one program: `RETAIN_INCOGNITO=1`.",
    "user",
  ),
  hook_context: setting(
    () => z.boolean(),
    true,
    "In Claude Code: begin a session with what is known.",
    "user",
  ),
  hook_recall: setting(
    () => z.boolean(),
    true,
    "In Claude Code: put beside a prompt what memory has on it.",
    "user",
  ),
  hook_retain: setting(
    () => z.boolean(),
    true,
    "In Claude Code: keep what is marked, and the turns of sessions.",
    "user",
  ),
  memory_days: setting(
    () => z.int().check(z.minimum(0), z.maximum(365)),
    3,
    "How many days of notes go into the context, today included.",
  ),
  memory_retention_days: setting(
    () => z.int().check(z.minimum(1), z.maximum(100_000)),
    30,
    "After how many days a daily log is compacted into MEMORY.md.",
  ),
  working_memory_stale_days: setting(
    () => z.int().check(z.minimum(0), z.maximum(100_000)),
    7,
    "After how many days a session's working memory is left out of the context.",
  ),
  context_budget: setting(
    () => z.int().check(z.minimum(100), z.maximum(10_000_000)),
    8_000,
    "How many tokens the context may have.",
  ),
  editor: setting(
    () => z.string(),
    "",
    "The command that 'edit' opens; by default $VISUAL, then $EDITOR.",
    "user",
  ),
  enabled: setting(() => z.boolean(), true, "Whether the project's workspace is used.", "project"),
  path: setting(
    () => z.string().check(z.minLength(1)),
    ".retain",
    "Where the project's workspace is, inside the project.",
    "project",
  ),
} satisfies Record<string, Setting<unknown>>;

export type SettingKey = keyof typeof SETTINGS;
export type Settings = { [K in SettingKey]: z.infer<ReturnType<(typeof SETTINGS)[K]["schema"]>> };

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

/** As spec 004 names them. */
const PLAIN_NAMES: ReadonlySet<SettingKey> = new Set([
  "memory_days",
  "memory_retention_days",
  "working_memory_stale_days",
]);

/**
 * max_versions is RETAIN_MAX_VERSIONS in the environment, memory_days MEMORY_DAYS as well; what only a project or a
 * command can say has no variable. The first that is set counts.
 */
export function variablesOf(key: SettingKey): string[] {
  const { setBy, command } = SETTINGS[key];
  if (setBy === "project" || command !== null) return [];
  const name = key.toUpperCase();
  return PLAIN_NAMES.has(key) ? [`RETAIN_${name}`, name] : [`RETAIN_${name}`];
}
