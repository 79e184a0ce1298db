/** Completes the last word of a command line: finds out what it can be, and looks that up. */
import type { Option } from "commander";
import { type Named, Names } from "../app/names.ts";
import { surroundingsOf } from "../app/surroundings.ts";
import { SETTING_KEYS, SETTINGS } from "../config/schema.ts";
import { LEADING_OPTIONS } from "../core/command-effects.ts";
import { FILTER_FIELDS } from "../core/documents/document.ts";
import { shareableText } from "../core/secrets/shareable.ts";
import { allProviders } from "../llm/providers.ts";
import { NO_MODEL } from "../llm/spec.ts";
import { SESSION_PREFIX } from "../sessions/find.ts";
import { oneLine, truncate } from "../util/text.ts";
import { isSpoofing, terminalSafe } from "../util/unseen.ts";
import type { CommandEntry } from "./command.ts";
import type { CommandParser, Kind, Takes } from "./command-parser.ts";
import { type CommonOptions, scopeOf } from "./options.ts";
import { buildParser } from "./parser.ts";

export interface Completions {
  /** Who completes: Retain, with `offered`, or the shell. */
  readonly by: "names" | "files" | "directories";
  /** Text follows an offered word, without a space: "tags=". */
  readonly isPartial: boolean;
  readonly offered: readonly Named[];
}

const NOTHING: Completions = { by: "names", isPartial: false, offered: [] };

/** `words` are those after "retain"; the last one is incomplete. Throws like the commands that list these names. */
export async function complete(
  commands: readonly CommandEntry[],
  words: readonly string[],
): Promise<Completions> {
  const before = words.slice(0, -1);
  const word = words.at(-1) ?? "";
  const at = before.findIndex((one) => !LEADING_OPTIONS.has(one));
  const [name = "", ...rest] = at < 0 ? [] : before.slice(at);
  const help = { name: "help", about: "explain a command" };
  const all = commands.map((entry): Named => ({ name: entry.name, about: entry.summary }));
  if (at < 0 && !word.startsWith("-")) return among([...all, help], word);
  if (name === "help") return rest.length === 0 ? among([...all, { name: "all" }], word) : NOTHING;
  // Without a command, options are the chat's.
  const isChat = at < 0 || name.startsWith("-");
  const entry = commands.find((one) => one.name === (isChat ? "chat" : name));
  if (entry === undefined) return NOTHING;
  const parser = buildParser(entry, await entry.load());
  return completeFor(parser, isChat ? before : before.toSpliced(at, 1), word);
}

async function completeFor(
  parser: CommandParser,
  before: readonly string[],
  word: string,
): Promise<Completions> {
  const { given, pending, isLiteral, scope } = read(parser, before);
  const lookUp = (what: Takes | null, typed: string, prefix = "") =>
    completed(what ?? "text", typed, prefix, { given, scope });
  if (pending !== null && (pending.required || !word.startsWith("-")))
    return lookUp(parser.takenBy(pending, given), word);
  if (word.startsWith("-") && !isLiteral) {
    const [, flag = "", value = ""] = /^(--[^=]+=)(.*)$/s.exec(word) ?? [];
    const option = parser.options.find(({ long }) => `${long}=` === flag);
    if (option !== undefined) return lookUp(parser.takenBy(option, given), value, flag);
    const options = parser.options.map(({ long, description }) => ({ name: long ?? "", about: description }));
    return among([...options, { name: "--help", about: "show this help" }], word);
  }
  const { registeredArguments: declared } = parser;
  const last = declared.at(-1);
  const argument = declared[given.length] ?? (last?.variadic ? last : undefined);
  return argument === undefined ? NOTHING : lookUp(parser.takenBy(argument, given), word);
}

/** The arguments so far, and the option whose value comes next. */
function read(parser: CommandParser, words: readonly string[]) {
  const given: string[] = [];
  const scope: CommonOptions = {};
  let pending: Option | null = null;
  let isLiteral = false;
  for (const word of words) {
    const option: Option | undefined = isLiteral
      ? undefined
      : parser.options.find(({ long, short }) => word === long || word === short);
    if (pending?.required || (pending !== null && option === undefined && !word.startsWith("-")))
      pending = null;
    else if (isLiteral || (!word.startsWith("-") && option === undefined)) given.push(word);
    else {
      isLiteral = word === "--";
      pending = option !== undefined && (option.required || option.optional) ? option : null;
      if (word === "--local") scope.local = true;
      if (word === "--global") scope.global = true;
    }
  }
  return { given, pending, isLiteral, scope: scopeOf(scope) };
}

interface Around {
  /** The arguments before the word. */
  readonly given: readonly string[];
  readonly scope: ReturnType<typeof scopeOf>;
}

function completed(what: Takes, word: string, prefix: string, around: Around): Completions {
  if (what === "file") return { ...NOTHING, by: "files" };
  if (what === "directory") return { ...NOTHING, by: "directories" };
  if (what === "text") return NOTHING;
  if (Array.isArray(what))
    return among(
      what.map((name) => ({ name })),
      word,
      prefix,
    );
  if (typeof what === "object" && "listOf" in what) {
    const done = word.slice(0, word.lastIndexOf(",") + 1);
    return completed(what.listOf, word.slice(done.length), prefix + done, around);
  }
  const kind = what as Exclude<Kind, "text" | "file" | "directory">;
  const names = new Names(surroundingsOf({}), around.scope);
  try {
    if (kind === "filter") return filters(names, word, prefix);
    const found = LOOK_UP[kind](names, { ...around, word });
    return among(found, word, prefix, BUILT_IN.has(kind) ? undefined : names);
  } finally {
    names.close();
  }
}

/** Not the user's own texts. */
const BUILT_IN: ReadonlySet<Kind> = new Set(["setting", "model", "provider"]);

type LookedUp = Exclude<Kind, "text" | "file" | "directory" | "filter">;

const LOOK_UP: Record<LookedUp, (names: Names, around: Around & { word: string }) => Named[]> = {
  "any-document": (names) => names.documents(),
  document: (names) => names.ownDocuments(),
  restorable: (names) => [...names.deleted(), ...names.ownDocuments()],
  version: (names, { given: [id] }) => (id === undefined ? [] : names.versions(id)),
  collection: (names) => names.collections(),
  fact: (names) => names.facts(),
  unconfirmed: (names) => names.facts("unconfirmed"),
  undecided: (names) => names.facts("undecided"),
  session: (names, around) => [...sessions(names, around), { name: "last", about: "the newest session" }],
  chat: (names) => names.chats(),
  tag: (names) => names.tags(),
  setting: () => SETTING_KEYS.map((name) => ({ name, about: SETTINGS[name].description })),
  model: ({ settings }) => [
    ...allProviders(settings).flatMap(({ name, known }) =>
      known.map((model) => ({ name: `${name}/${model}` })),
    ),
    ...[settings.model, settings.learning_model, NO_MODEL].map((name) => ({ name })),
  ],
  provider: ({ settings }) => allProviders(settings).map(({ name, label }) => ({ name, about: label })),
  endpoint: ({ settings }) => settings.model_endpoints.map(({ name, url }) => ({ name, about: url })),
  skill: (names) => names.skills(),
  "mental-model": (names) => names.mentalModels(),
  folder: ({ settings }) => settings.folders.map(({ name, path }) => ({ name, about: path })),
};

/** The start of an id that every session has may be omitted. */
function sessions(names: Names, { word }: { word: string }): Named[] {
  const all = names.sessions();
  if (!/^\d/.test(word)) return all;
  return all.map(({ name, ...rest }) => ({ name: name.replace(SESSION_PREFIX, ""), ...rest }));
}

/** "tags=a,b": first a field, then its values. */
function filters(names: Names, word: string, prefix: string): Completions {
  const [, start = "", field = "", value = ""] = /^((?:.*;)?([^;=!<>]+)!?=(?:.*,)?)(.*)$/s.exec(word) ?? [];
  if (field !== "") return among(names.values(field), value, prefix + start, names);
  const fields = FILTER_FIELDS.map((name) => ({ name: `${name}=` }));
  return { ...among(fields, word, prefix), isPartial: true };
}

const LONGEST_ABOUT = 70;
/** Looking for secrets in thousands of texts would take too long. Shells show fewer. */
const MOST_DESCRIBED = 300;

/**
 * The names that start with `word`. Drops names that a terminal could not show as they are. `names` is set for stored names: their
 * descriptions are dropped where they contain private text or a secret, and where memory is off.
 */
function among(all: readonly Named[], word: string, prefix = "", names?: Names): Completions {
  const typed = word.toLowerCase();
  const offered = new Map<string, Named>();
  for (const { name, about = "" } of all) {
    if (name === "" || offered.has(name) || !name.toLowerCase().startsWith(typed) || isUnsafe(name)) continue;
    const isShown = offered.size < MOST_DESCRIBED && names?.settings.memory_backend !== "off";
    const text = isShown || names === undefined ? about : "";
    if (names !== undefined && offered.size < MOST_DESCRIBED && shareableText(name) !== name) continue;
    const isOpen = names === undefined || text === "" || shareableText(text) === text;
    offered.set(name, { name: prefix + name, about: isOpen ? described(text) : "" });
  }
  return { ...NOTHING, offered: [...offered.values()] };
}

function isUnsafe(name: string): boolean {
  return /\p{Cc}|[\u2028\u2029]/u.test(name) || isSpoofing(name);
}

function described(text: string): string {
  return truncate(terminalSafe(oneLine(text)), LONGEST_ABOUT);
}
