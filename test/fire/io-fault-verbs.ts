/** The commands under test, and how to check whether each did its work. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { factId } from "../../src/core/facts/fact-text.ts";
import { assistant, ClaudeCode, user } from "../agent/hooks-transcript.ts";
import { WORDS_ALONE } from "../helpers/memories.ts";
import type { Sandbox } from "../helpers/sandbox.ts";
import { fixture } from "../migrate/place.ts";
import {
  after,
  editing,
  project,
  type Setting,
  stdin,
  withBank,
  withEmbedder,
  withIncident,
  withReader,
  withSkill,
  withUnconfirmed,
  withVault,
} from "./io-fault-settings.ts";

/** Runs a command in this setting and returns its output. */
export type Said = (...args: string[]) => Promise<string>;
type Check = (said: Said, sandbox: Sandbox) => Promise<boolean>;

export interface Verb {
  readonly name: string;
  readonly args: readonly string[];
  /** Stores the data that the command works on. */
  readonly prepare?: (sandbox: Sandbox) => Setting | Promise<Setting>;
  /** Whether the command's work is done. */
  readonly isDone: Check;
  /** A hook never fails its agent's work, so its exit code means nothing; the next hook finishes the work. */
  readonly isHook?: true;
  /** Can be repeated, so it must work after a failure even if its work is done. */
  readonly repeats?: true;
  /** Empties the workspace; files in a backup count as kept. */
  readonly clears?: true;
}

const prints =
  (args: readonly string[], text: string): Check =>
  async (said) =>
    (await said(...args)).includes(text);
const omits =
  (args: readonly string[], text: string): Check =>
  async (said) =>
    !(await said(...args)).includes(text);
const holds =
  (path: string, ...texts: string[]): Check =>
  async (_, { root }) =>
    existsSync(join(root, path)) &&
    texts.every((text) => readFileSync(join(root, path), "utf8").includes(text));

const LEASES = [
  "The lease of the office in the old north harbour ends in May 2026",
  "The lease of the office in the old north harbour ends in June 2027",
] as const;
const TREES = ["mental-models", "add", "trees", "Which trees are there?"];

export const VERBS: readonly Verb[] = [
  {
    name: "put",
    args: ["put", "-", "--id", "new"],
    prepare: stdin("# New\n\nfresh text\n"),
    isDone: prints(["get", "new"], "fresh text"),
  },
  {
    name: "put over another",
    args: ["put", "-", "--id", "target"],
    prepare: stdin("# Target\n\nsecond state\n"),
    isDone: prints(["get", "target"], "second state"),
  },
  {
    name: "update",
    args: ["update", "target", "--tags", "changed"],
    isDone: prints(["get", "target"], "changed"),
  },
  {
    name: "edit",
    args: ["edit", "target"],
    prepare: editing("edited text"),
    isDone: prints(["get", "target"], "edited text"),
  },
  { name: "delete", args: ["delete", "target"], isDone: omits(["list", "-q"], "target") },
  { name: "restore", args: ["restore", "gone"], isDone: prints(["list", "-q"], "gone") },
  {
    name: "remember",
    args: ["remember", "Bats sleep by day"],
    isDone: prints(["facts"], "Bats sleep by day"),
  },
  {
    name: "forget",
    args: ["forget", "Mice like cheese", "--yes"],
    isDone: omits(["facts", "--all"], "Mice like cheese"),
  },
  { name: "log", args: ["log", "Market: bought pears"], isDone: prints(["notes"], "bought pears") },
  {
    name: "ingest",
    args: ["ingest", "-", "--session", "s2"],
    prepare: stdin("A reply.\n\n[MEMORY] Foxes are red\n"),
    isDone: prints(["facts"], "Foxes are red"),
  },
  {
    name: "confirm",
    args: ["confirm", "--all"],
    prepare: withUnconfirmed,
    isDone: omits(["facts", "--unconfirmed"], "sails"),
    repeats: true,
  },
  {
    name: "review",
    args: ["review", factId(LEASES[1], null), "--newer"],
    prepare: after(...LEASES.map((fact) => ["remember", fact])),
    isDone: omits(["facts"], LEASES[0]),
  },
  {
    name: "review --reject",
    args: ["review", factId("The user sails.", null), "--reject"],
    prepare: withUnconfirmed,
    isDone: omits(["facts", "--unconfirmed"], "sails"),
  },
  {
    name: "learn",
    args: ["learn"],
    prepare: withReader,
    isDone: prints(["facts"], "I own a boat"),
    repeats: true,
  },
  { name: "undo", args: ["undo"], isDone: omits(["facts"], "Last of all") },
  { name: "compact", args: ["compact"], isDone: prints(["facts"], "Planted the apple tree"), repeats: true },
  {
    name: "clear",
    args: ["clear", "--yes"],
    isDone: async (said) =>
      (await Promise.all([said("list", "-q"), said("facts", "-q"), said("sessions", "-q")])).join("") === "",
    repeats: true,
    clears: true,
  },
  {
    name: "migrate",
    args: ["migrate", "chat"],
    prepare: (sandbox) => {
      fixture(sandbox, "chat");
      return {};
    },
    isDone: omits(["migrate", "chat", "--dry-run", "--json"], '"outcome": "imported"'),
    repeats: true,
  },
  {
    name: "chat",
    args: ["chat", "--model", "none", "Where do owls sleep?"],
    isDone: prints(["sessions", "show", "last"], "Where do owls sleep?"),
  },
  {
    name: "sessions rename",
    args: ["sessions", "rename", "s1", "Another title"],
    isDone: prints(["sessions"], "Another title"),
    repeats: true,
  },
  {
    name: "sessions tag",
    args: ["sessions", "tag", "s1", "birds"],
    isDone: prints(["sessions"], "birds"),
    repeats: true,
  },
  {
    name: "sessions delete",
    args: ["sessions", "delete", "s0", "--yes"],
    isDone: omits(["sessions", "-q"], "s0"),
  },
  {
    name: "sessions prune",
    args: ["sessions", "prune", "--older", "2100-01-01", "--chat", "old", "--yes"],
    prepare: (sandbox) => {
      const options = { stdin: "Old words.\n", env: WORDS_ALONE };
      sandbox.ok(["ingest", "-", "--session", "s9", "--chat", "old"], options);
      return {};
    },
    isDone: omits(["sessions", "-q"], "s9"),
    repeats: true,
  },
  {
    name: "sessions export",
    args: ["sessions", "export", "s1", "--output", "talk.json", "--force"],
    prepare: (sandbox) => {
      sandbox.write("talk.json", "an earlier export");
      return {};
    },
    isDone: holds("work/talk.json", "Hello there."),
    repeats: true,
  },
  {
    name: "hook stop",
    args: ["hook", "stop"],
    prepare: (sandbox) => {
      const claude = new ClaudeCode(sandbox);
      claude.write(user("Where do hedgehogs live?"), assistant("[MEMORY] Hedgehogs live in gardens"));
      return { stdin: claude.event("stop", { stop_hook_active: false, last_assistant_message: "" }) };
    },
    isHook: true,
    isDone: prints(["facts"], "Hedgehogs live in gardens"),
  },
  { name: "mental-models add", args: TREES, isDone: prints(["mental-models"], "trees") },
  {
    name: "mental-models refresh",
    args: ["mental-models", "refresh", "trees", "--force"],
    prepare: after(TREES, ["remember", "Pear trees grow by the wall"]),
    isDone: prints(["mental-models", "show", "trees"], "by the wall"),
    repeats: true,
  },
  {
    name: "mental-models pin",
    args: ["mental-models", "pin", "trees"],
    prepare: after(TREES),
    isDone: prints(["mental-models"], "pinned"),
    repeats: true,
  },
  {
    name: "mental-models unpin",
    args: ["mental-models", "unpin", "trees"],
    prepare: after(TREES, ["mental-models", "pin", "trees"]),
    isDone: omits(["mental-models"], "pinned"),
    repeats: true,
  },
  {
    name: "mental-models remove",
    args: ["mental-models", "remove", "trees"],
    prepare: after(TREES),
    isDone: omits(["mental-models", "-q"], "trees"),
  },
  { name: "reindex", args: ["reindex"], isDone: prints(["search", "owls"], "Owls fly"), repeats: true },
  {
    name: "embed",
    args: ["embed"],
    prepare: withEmbedder,
    isDone: prints(["status", "--json"], '"waiting": 0'),
    repeats: true,
  },
  {
    name: "status --send",
    args: ["status", "--send"],
    prepare: withBank,
    isDone: prints(["recall", "Herons"], "Herons wade"),
    repeats: true,
  },
  {
    name: "doctor --acknowledge",
    args: ["doctor", "--acknowledge", "--yes"],
    prepare: withIncident,
    isDone: omits(["status", "--json"], "torn.md"),
    repeats: true,
  },
  {
    name: "config set",
    args: ["config", "set", "created_by", "Ada"],
    isDone: prints(["config", "get", "created_by"], "Ada"),
    repeats: true,
  },
  {
    name: "config unset",
    args: ["config", "unset", "created_by"],
    prepare: after(["config", "set", "created_by", "Ada"]),
    isDone: omits(["config", "get", "created_by"], "Ada"),
    repeats: true,
  },
  {
    name: "config edit",
    args: ["config", "edit"],
    prepare: editing("created_by: Ada"),
    isDone: prints(["config", "get", "created_by"], "Ada"),
  },
  {
    name: "model use",
    args: ["model", "use", "anthropic/claude-sonnet-4-5"],
    isDone: prints(["config", "get", "model"], "claude-sonnet-4-5"),
    repeats: true,
  },
  {
    name: "model learning",
    args: ["model", "learning", "anthropic/claude-sonnet-4-5"],
    isDone: prints(["config", "get", "learning_model"], "claude-sonnet-4-5"),
    repeats: true,
  },
  {
    name: "model key",
    args: ["model", "key", "openai"],
    prepare: stdin("made-up-key-of-nobody"),
    isDone: prints(["model"], "from keys.yaml"),
    repeats: true,
  },
  {
    name: "model add",
    args: ["model", "add", "work", "https://llm.example.org/v1"],
    isDone: prints(["model"], "llm.example.org"),
    repeats: true,
  },
  {
    name: "model remove",
    args: ["model", "remove", "work"],
    prepare: after(["model", "add", "work", "https://llm.example.org/v1"]),
    isDone: omits(["model"], "llm.example.org"),
  },
  {
    name: "skills new",
    args: ["skills", "new", "release", "--description", "Use it for releases."],
    isDone: prints(["skills"], "Use it for releases."),
  },
  {
    name: "skills trust",
    args: ["skills", "trust", "deploy"],
    prepare: withSkill,
    isDone: omits(["skills"], "not trusted"),
    repeats: true,
  },
  {
    name: "skills untrust",
    args: ["skills", "untrust", "deploy"],
    prepare: (sandbox) => {
      const setting = withSkill(sandbox);
      sandbox.ok(["skills", "trust", "deploy"], setting);
      return setting;
    },
    isDone: prints(["skills"], "not trusted"),
    repeats: true,
  },
  {
    name: "init",
    args: ["init"],
    prepare: project,
    isDone: async (said, sandbox) =>
      (await holds("work/project/.retain/config.yaml")(said, sandbox)) &&
      holds("work/project/.retain/.gitignore", "retain.db")(said, sandbox),
    repeats: true,
  },
  {
    name: "folders add",
    args: ["folders", "add", "vault"],
    prepare: withVault,
    isDone: prints(["search", "herons"], "wade in ponds"),
    repeats: true,
  },
  {
    name: "folders remove",
    args: ["folders", "remove", "vault"],
    prepare: (sandbox) => {
      withVault(sandbox);
      return after(["folders", "add", "vault"])(sandbox);
    },
    isDone: omits(["search", "herons"], "wade in ponds"),
  },
  {
    name: "connect",
    args: ["connect", "claude-code"],
    prepare: ({ home }) => {
      writeFileSync(join(home, ".claude.json"), '{"theme": "dark"}\n');
      return {};
    },
    isDone: holds("home/.claude.json", '"theme": "dark"', '"retain"'),
    repeats: true,
  },
  {
    name: "context --write",
    args: ["context", "--write", "AGENTS.md"],
    prepare: ({ work }) => {
      writeFileSync(join(work, "AGENTS.md"), "# Rules\n");
      return {};
    },
    isDone: holds("work/AGENTS.md", "# Rules\n", "Owls fly at night"),
    repeats: true,
  },
];

/** Writing commands that are not tested, and why. */
export const UNTRIED: Readonly<Record<string, string>> = {
  watch: "runs until it is stopped; it takes in files as every command does",
  mcp: "runs until its client leaves; its tools write as the commands here do",
  serve: "runs until it is stopped; its requests write as the commands here do",
};
