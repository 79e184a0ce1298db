/** Model providers: the built-in ones and the user's own endpoints. */
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import { nearest } from "../util/text.ts";

export interface Provider {
  /** The part before the slash of a model's name. */
  readonly name: string;
  /** For display. */
  readonly label: string;
  /** Which protocol it speaks. */
  readonly api: "anthropic" | "openai";
  readonly url: string;
  /** The variable that overrides `url`. */
  readonly urlEnv: string | null;
  /** The variable that holds its key; null if it needs none. */
  readonly keyEnv: string | null;
  /** Well-known models: examples of its families ("claude", "gpt"). If its key is set, the chat offers them. */
  readonly known: readonly string[];
  /** The user's own endpoint. */
  readonly own: boolean;
}

export interface EndpointSettings {
  readonly model_endpoints: readonly {
    readonly name: string;
    readonly url: string;
    readonly key_env?: string;
  }[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const BUILT_IN: readonly Provider[] = [
  {
    ...builtIn("anthropic", "Anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    api: "anthropic",
    urlEnv: "ANTHROPIC_BASE_URL",
    known: ["claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5"],
  },
  {
    ...builtIn("openai", "OpenAI", "https://api.openai.com/v1", "OPENAI_API_KEY"),
    urlEnv: "OPENAI_BASE_URL",
    known: ["gpt-5-mini", "gpt-5"],
  },
  {
    ...builtIn("ollama", "Ollama", "http://localhost:11434/v1", null),
    urlEnv: "OLLAMA_HOST",
    known: ["llama3.2"],
  },
  builtIn("lmstudio", "LM Studio", "http://localhost:1234/v1", null),
  builtIn("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
  builtIn("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
  builtIn("mistral", "Mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
  builtIn("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
  builtIn("gemini", "Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
];

function builtIn(name: string, label: string, url: string, keyEnv: string | null): Provider {
  return { name, label, api: "openai", url, urlEnv: null, keyEnv, known: [], own: false };
}

export function isBuiltIn(name: string): boolean {
  return BUILT_IN.some((provider) => provider.name === name);
}

/** All providers, the user's own last. Throws `invalid_config` if an own one has a built-in name. */
export function allProviders({ model_endpoints: endpoints }: EndpointSettings): Provider[] {
  const own = endpoints.map(({ name, url, key_env = null }): Provider => {
    if (isBuiltIn(name))
      throw new RetainError(
        "invalid_config",
        `The endpoint '${name}' in 'model_endpoints' has the name of a built-in provider.`,
        hint`Rename it: ${command("config edit", option("global"))}`,
      );
    return { name, label: name, api: "openai", url, urlEnv: null, keyEnv: key_env, known: [], own: true };
  });
  return [...BUILT_IN, ...own];
}

/** Throws `usage`, with a list of providers. */
export function providerNamed(name: string, settings: EndpointSettings): Provider {
  return requireProvider(name, settings, `Unknown provider '${name}'.`, "Use one of");
}

/** Like `providerNamed`, but the error doesn't repeat the name: it may be the key itself. */
export function providerForKey(name: string | undefined, settings: EndpointSettings): Provider {
  const problem = name === undefined ? "The provider's name is missing." : "Unknown provider.";
  return requireProvider(name, settings, problem, "One of");
}

function requireProvider(
  name: string | undefined,
  settings: EndpointSettings,
  problem: string,
  choices: string,
): Provider {
  const all = allProviders(settings);
  const found = all.find((provider) => provider.name === name);
  if (found !== undefined) return found;
  const names = all.map((provider) => provider.name);
  const guess = name === undefined ? null : (ofFamily(name.toLowerCase(), all)?.name ?? nearest(name, names));
  throw new RetainError(
    "usage",
    problem,
    guess === null ? `${choices}: ${names.join(", ")}` : `Did you mean '${guess}'?`,
  );
}

/** Full names that `word`, which names no provider, may mean: a provider's models ("openai"), a family ("claude"), or a model. */
export function modelsMeant(word: string, settings: EndpointSettings): string[] {
  const all = allProviders(settings);
  const said = word.toLowerCase();
  const named = all.flatMap(({ name, known }) =>
    known
      .filter((model) => name === said || model.startsWith(said) || model.split("-").includes(said))
      .map((model) => `${name}/${model}`),
  );
  if (named.length > 0) return named;
  const [family = ""] = FAMILY.exec(said) ?? [];
  const provider = all.find(({ name }) => name === family) ?? ofFamily(family, all);
  return provider === undefined || provider.name === said ? [] : [`${provider.name}/${word}`];
}

/** The beginning of a model's name: "gpt" of "gpt-5", "llama" of "llama3.2". */
const FAMILY = /^[a-z]+/;

function ofFamily(family: string, providers: readonly Provider[]): Provider | undefined {
  return providers.find(({ known }) => known.some((model) => FAMILY.exec(model)?.[0] === family));
}

/** The API's base URL; the environment may override it. Throws `invalid_config` if that variable is not a URL. */
export function addressOf(provider: Provider, env: Environment): string {
  const variable = provider.urlEnv;
  const given = variable === null ? undefined : env[variable]?.trim();
  if (variable === null || !given) return withoutSlash(provider.url);
  const address = provider.name === "ollama" ? ollamaAddress(given) : given;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new RetainError(
      "invalid_config",
      `${variable} is not a valid URL: '${given}'.`,
      `For example: ${variable}=${provider.url}`,
    );
  const base = withoutSlash(address);
  const isBare = provider.api === "anthropic" || provider.name === "ollama";
  return isBare && !base.endsWith("/v1") ? `${base}/v1` : base;
}

/** OLLAMA_HOST may be a URL, "host:port", or "0.0.0.0", the address that the server listens on. */
function ollamaAddress(host: string): string {
  const withScheme = /^https?:\/\//.test(host)
    ? host
    : `http://${host.startsWith(":") ? "localhost" : ""}${host}`;
  const url = URL.parse(withScheme);
  if (url === null) return withScheme;
  if (["0.0.0.0", "[::]"].includes(url.hostname)) url.hostname = "localhost";
  if (url.port === "" && !/:\d+\/*$/.test(host) && withScheme !== host) url.port = "11434";
  return url.href;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Whether a URL points to this machine. */
export function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? "";
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}

/** A URL for display, without user name, password and parameters. */
export function shownAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? "" : withoutSlash(`${url.protocol}//${url.host}${url.pathname}`);
}
