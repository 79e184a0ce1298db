/**
 * What each command does to memory and to Retain's settings. The command line is typed against this table, so a command or action
 * without an effect does not compile; a model's shell and docs/commands.md read it too.
 */

/**
 * `read` changes nothing. `write` adds or changes memory. `remove` deletes memory. `setup` changes settings, keys, trust, or who
 * can access the memory.
 */
const EFFECT_NAMES = ["read", "write", "remove", "setup"] as const;
export type Effect = (typeof EFFECT_NAMES)[number];

/** A command's effect, or the effects of its actions and options. Anything not listed reads. */
export const EFFECTS = {
  // A chat has its own tools and slash commands.
  chat: "setup",
  put: "write",
  remember: "write",
  ingest: "write",
  log: "write",
  search: "read",
  recall: "read",
  context: { "--write": "setup" },
  facts: "read",
  get: "read",
  list: "read",
  collections: "read",
  notes: "read",
  why: "read",
  sessions: {
    list: "read",
    show: "read",
    search: "read",
    export: "write",
    delete: "remove",
    prune: "remove",
    rename: "write",
    tag: "write",
  },
  reflect: "read",
  "mental-models": {
    list: "read",
    show: "read",
    add: "write",
    refresh: "write",
    pin: "write",
    unpin: "write",
    remove: "remove",
  },
  review: "write",
  update: "write",
  edit: "write",
  delete: "remove",
  confirm: "write",
  forget: "remove",
  clear: "remove",
  undo: "remove",
  compact: "write",
  versions: "read",
  diff: "read",
  restore: "write",
  reindex: "write",
  embed: "write",
  watch: "write",
  learn: "write",
  status: { "--send": "write" },
  doctor: { "--acknowledge": "setup" },
  model: { list: "read", use: "setup", learning: "setup", key: "setup", add: "setup", remove: "setup" },
  skills: { list: "read", new: "write", trust: "setup", untrust: "setup" },
  migrate: "write",
  mcp: "setup",
  serve: "setup",
  connect: "setup",
  hook: "setup",
  init: "setup",
  where: "read",
  folders: { list: "read", add: "setup", remove: "setup" },
  config: { list: "read", get: "read", set: "setup", unset: "setup", path: "read", edit: "setup" },
  completion: "read",
  demo: "read",
} as const satisfies Record<string, Effect | Readonly<Record<string, Effect>>>;

export type CommandName = keyof typeof EFFECTS;
export type CommandWithActions = {
  [N in CommandName]: (typeof EFFECTS)[N] extends Effect ? never : N;
}[CommandName];
export type ActionOf<N extends CommandWithActions> = keyof (typeof EFFECTS)[N] & string;

export function actionsOf<N extends CommandWithActions>(name: N): readonly ActionOf<N>[] {
  // Object.keys loses the key types.
  return Object.keys(EFFECTS[name]) as ActionOf<N>[];
}

/** Options allowed before a command's name. */
export const LEADING_OPTIONS: ReadonlySet<string> = new Set(
  "--local --global --json --quiet -q --verbose -v --debug".split(" "),
);
const HELP: ReadonlySet<string> = new Set("help --help -h --version -V".split(" "));

/**
 * The effect of `retain` with these words. If a word could be an action or an option's value, the worse is assumed. Words that
 * name no command are a question to the chat.
 */
export function effectOf(words: readonly string[]): Effect {
  const position = words.findIndex((word) => !LEADING_OPTIONS.has(word));
  const name = position < 0 ? "chat" : (words[position] ?? "");
  if (HELP.has(name)) return "read";
  const effect = isCommand(name) ? EFFECTS[name] : EFFECTS.chat;
  if (typeof effect === "string") return effect;
  const possible = words.flatMap((word) => Object.entries(effect).find(([key]) => key === word)?.[1] ?? []);
  return EFFECT_NAMES.findLast((one) => possible.includes(one)) ?? "read";
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(EFFECTS, name);
}
