/** All settings, with type, default, description and who may set them. Loading, help and docs use this. */
import { ANY, command } from "../core/hint.ts";
import * as z from "../util/zod.ts";
import { HINDSIGHT_SETTINGS } from "./hindsight-settings.ts";
import { SCOPINGS, type Setting, setting, turns } from "./setting.ts";
import {
  collectionName,
  folder,
  haveOwnNames,
  httpUrl,
  modelEndpoint,
  modelName,
  variableName,
} from "./shapes.ts";

export const SETTINGS = {
  created_by: setting(
    () => z.string(),
    "",
    "The author of new documents and changes. If empty: your login name; over MCP the client's name; in the chat the model's.",
  ),
  collections: setting(
    () => z.array(collectionName()),
    [],
    "The workspace's collections. Storing a document in another one prints a warning.",
  ),
  versioning: setting(
    () => z.enum(["auto", "git", "custom"]),
    "auto",
    "How versions are kept: by git (git), as numbered files (custom), or by git for a project in a repository, else as files (auto).",
  ),
  history: setting(() => z.boolean(), true, "Keep earlier versions of documents."),
  auto_version: setting(
    () => z.boolean(),
    true,
    "Keep a version at every change. If false, only with --snapshot.",
  ),
  max_versions: setting(
    () => z.int().check(z.minimum(1), z.maximum(10_000)),
    10,
    "Maximum number of versions of a document, including the current one.",
  ),
  max_document_bytes: setting(
    () => z.int().check(z.minimum(1)),
    10_000_000,
    "Maximum size of a document in bytes.",
    "user",
  ),
  folders: setting(
    () => z.array(folder()).check(z.refine(haveOwnNames, "two have the same name")),
    [],
    "Folders of Markdown, searched as read-only collections of the home workspace.",
    "user",
    command("folders add", ANY),
  ),
  embedding: setting(
    () => z.enum(["minilm", "endpoint", "none"]),
    "minilm",
    "What embeds texts: MiniLM on this machine (minilm), an OpenAI-compatible endpoint (endpoint), or nothing (none).",
    "user",
  ),
  embedding_url: setting(
    () => z.union([z.literal(""), z.url({ protocol: /^https?$/ })]),
    "",
    "The base URL of the embedding endpoint, such as `http://localhost:11434/v1` (Ollama).",
    "user",
  ),
  embedding_model: setting(
    () => z.string(),
    "",
    "The endpoint's embedding model, such as nomic-embed-text.",
    "user",
  ),
  embedding_key_env: setting(
    variableName,
    "RETAIN_EMBEDDING_KEY",
    "The environment variable with the endpoint's key. Config files never contain keys.",
    "user",
  ),
  rerank: setting(
    () => z.enum(["none", "endpoint", "tei"]),
    "none",
    "What reranks the best search hits: nothing (none), a server with the `/rerank` API of Jina, Cohere and llama.cpp (endpoint), or a TEI server (tei).",
    "user",
  ),
  rerank_url: setting(
    () => z.union([z.literal(""), httpUrl()]),
    "",
    "The base URL of the reranking API, such as `http://localhost:8080/v1` (llama.cpp).",
    "user",
  ),
  rerank_model: setting(() => z.string(), "", "The reranking model, if the server needs a name.", "user"),
  rerank_key_env: setting(
    variableName,
    "RETAIN_RERANK_KEY",
    "The environment variable with the reranking server's key. Config files never contain keys.",
    "user",
  ),
  rerank_timeout_ms: setting(
    () => z.int().check(z.minimum(1), z.maximum(120_000)),
    500,
    "Timeout for the reranking server in ms. After it, the hits keep their order.",
    "user",
  ),
  vectors: setting(
    () => z.enum(["local", "upstash"]),
    "local",
    "Where vectors are stored: on this machine (local), or also on an Upstash Vector index that several machines share (upstash). Its address and token are in `UPSTASH_VECTOR_REST_URL` and `UPSTASH_VECTOR_REST_TOKEN`.",
    "user",
  ),
  upstash_embedding: setting(
    () => z.enum(["local", "upstash"]),
    "local",
    "What embeds texts for the Upstash index: this machine's embedding model (local), or the index's own (upstash).",
    "user",
  ),
  upstash_namespace: setting(
    () =>
      z
        .string()
        .check(z.regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,49}$/, "use letters, digits, and . _ - (at most 50)")),
    "retain",
    "The prefix of the namespaces on the Upstash index: `retain-global`, and one for each project.",
    "user",
  ),
  upstash_timeout_ms: setting(
    () => z.int().check(z.minimum(1), z.maximum(120_000)),
    1_000,
    "Timeout for recall from the Upstash index in ms. After it, recall uses only this machine's memory.",
    "user",
  ),
  model: setting(
    modelName,
    "",
    "The model that answers, as provider/model, or `none`. Default, only for the chat and typed commands: claude-haiku-4-5 if there is a key for Anthropic.",
    "user",
  ),
  model_endpoints: setting(
    () => z.array(modelEndpoint()).check(z.refine(haveOwnNames, "two have the same name")),
    [],
    "Your own servers with OpenAI's chat API, used as model providers.",
    "user",
    command("model add", ANY),
  ),
  model_context_tokens: setting(
    () => z.int().check(z.minimum(1_000), z.maximum(100_000_000)),
    32_000,
    "The model's context window in tokens. Anthropic's models always use 200,000.",
    "user",
  ),
  model_max_output_tokens: setting(
    () => z.int().check(z.minimum(16), z.maximum(1_000_000)),
    8_000,
    "Maximum tokens in one reply of a model.",
    "user",
  ),
  model_timeout_seconds: setting(
    () => z.int().check(z.minimum(1), z.maximum(86_400)),
    600,
    "Timeout in seconds while a model sends nothing.",
    "user",
  ),
  memory_backend: setting(
    () => z.enum(["local", "hindsight", "off"]),
    "local",
    "Where agents' memory is stored: on this machine (local), on a Hindsight server (hindsight), or nowhere (off).",
    "user",
  ),
  local_scoping: setting(
    () => z.enum(SCOPINGS),
    "per-project-tagged",
    "Which memory a project uses: its own for everything but facts about you, which the home memory shares with all projects (per-project-tagged); only its own (per-project); or only the home memory (global).",
    "user",
  ),
  local_auto_retain: setting(
    () => z.boolean(),
    true,
    'Scan finished turns of a conversation for requests such as "remember that ...", and save those facts.',
    "user",
  ),
  local_retain_every_n_turns: setting(turns, 4, "Scan once every N turns.", "user"),
  learning_model: setting(
    modelName,
    "",
    "The model that reads finished conversations and proposes facts for review, as provider/model. Empty or `none`: no model reads them.",
    "user",
  ),
  learning_daily_limit: setting(
    () => z.number().check(z.minimum(0), z.maximum(10_000)),
    0.5,
    "Maximum cost of learning per day, in dollars. Models without a known price count as free.",
    "user",
  ),
  ...HINDSIGHT_SETTINGS,
  mental_models_enabled: setting(
    () => z.boolean(),
    true,
    "Refresh mental models (answers to standing questions) and add them to the context.",
    "user",
  ),
  mental_model_auto_seed: setting(
    () => z.boolean(),
    true,
    "Create the built-in mental models user-preferences, project-conventions and project-decisions.",
    "user",
  ),
  mental_model_refresh_interval_ms: setting(
    () => z.int().check(z.minimum(0), z.maximum(31_536_000_000)),
    300_000,
    "Minimum time between refreshes of a mental model, in ms.",
    "user",
  ),
  mental_model_max_render_chars: setting(
    () => z.int().check(z.minimum(100), z.maximum(1_000_000)),
    16_000,
    "Maximum characters of mental models in the context.",
    "user",
  ),
  incognito: setting(
    () => z.boolean(),
    false,
    "Read memory but store nothing: in the chat, for MCP clients and in Claude Code. Usually set for one program: `RETAIN_INCOGNITO=1`.",
    "user",
  ),
  mcp_prompts: setting(
    () => z.boolean(),
    true,
    "Offer MCP clients the prompts `remember` and `recall`. The plugin for Claude Code has commands for them instead.",
    "user",
  ),
  hook_context: setting(
    () => z.boolean(),
    true,
    "In Claude Code: add memory to the context at the start of a session.",
    "user",
  ),
  hook_recall: setting(
    () => z.boolean(),
    true,
    "In Claude Code: add memory relevant to each prompt.",
    "user",
  ),
  hook_retain: setting(
    () => z.boolean(),
    true,
    "In Claude Code: save marked facts and the turns of sessions.",
    "user",
  ),
  hook_activity: setting(
    () => z.boolean(),
    true,
    "In Claude Code: note which files a session changed and which commands it ran.",
    "user",
  ),
  memory_days: setting(
    () => z.int().check(z.minimum(0), z.maximum(365)),
    3,
    "How many days of notes the context includes, counting today.",
  ),
  memory_retention_days: setting(
    () => z.int().check(z.minimum(1), z.maximum(100_000)),
    30,
    "Compact daily logs into MEMORY.md after this many days.",
  ),
  working_memory_stale_days: setting(
    () => z.int().check(z.minimum(0), z.maximum(100_000)),
    7,
    "Omit a session's working memory from the context after this many days.",
  ),
  context_budget: setting(
    () => z.int().check(z.minimum(100), z.maximum(10_000_000)),
    8_000,
    "Maximum tokens in the context.",
  ),
  ui_plain: setting(
    () => z.boolean(),
    false,
    "Print the chat as lines, without redrawing, for screen readers. Always on if `TERM` is `dumb`.",
    "user",
  ),
  editor: setting(
    () => z.string(),
    "",
    "The editor command for 'edit'. Default: $VISUAL, then $EDITOR.",
    "user",
  ),
  enabled: setting(() => z.boolean(), true, "Whether the project's workspace is used.", "project"),
  path: setting(
    () => z.string().check(z.minLength(1)),
    ".retain",
    "The workspace's directory inside the project.",
    "project",
  ),
} satisfies Record<string, Setting<unknown>>;

export type SettingKey = keyof typeof SETTINGS;
export type Settings = { [K in SettingKey]: z.infer<ReturnType<(typeof SETTINGS)[K]["schema"]>> };

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

/** Settings whose variables work without the prefix too. */
const PLAIN_NAMES: ReadonlySet<SettingKey> = new Set([
  "memory_days",
  "memory_retention_days",
  "working_memory_stale_days",
]);

/**
 * RETAIN_MAX_VERSIONS for max_versions; RETAIN_MEMORY_DAYS or MEMORY_DAYS for memory_days. Settings that only a project or a
 * command can set have no variable. The first variable that is set wins.
 */
export function variablesOf(key: SettingKey): string[] {
  const { setBy, command } = SETTINGS[key];
  if (setBy === "project" || command !== null) return [];
  const name = key.toUpperCase();
  return PLAIN_NAMES.has(key) ? [`RETAIN_${name}`, name] : [`RETAIN_${name}`];
}
