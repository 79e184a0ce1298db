import { Argument, Option } from "commander";
import { SESSIONS_FOUND } from "../../app/search-sessions.ts";
import type { ActionOf } from "../../core/command-effects.ts";
import { namedMoment } from "../../core/dates/named-time.ts";
import { RetainError } from "../../core/errors.ts";
import { EXPORT_FORMATS } from "../../sessions/export.ts";
import type { OwnedSession } from "../../sessions/ports.ts";
import { plural } from "../../util/in-words.ts";
import { shellWord } from "../../util/shell-word.ts";
import { oneLine } from "../../util/text.ts";
import { askPerson, canAsk, isYes } from "../ask.ts";
import type { CliCommand, Context } from "../command.ts";
import type { Kind } from "../command-parser.ts";
import { addExamples, countFor, refuseSurplus } from "../options.ts";
import type { Output } from "../output.ts";
import { exportSessions } from "../sessions/export.ts";
import { MOST_SESSIONS, onlyWord, type SessionsOptions, wordMissing } from "../sessions/options.ts";
import { searchSessions } from "../sessions/search.ts";
import { listText, showText, titleOf } from "../sessions/text.ts";
import { writeToTerminal } from "../tty.ts";

type Action = ActionOf<"sessions">;

/** Actions, each with its options. */
const ACTIONS = {
  list: ["chat", "tag", "limit"],
  show: ["chat"],
  search: ["chat", "tag", "limit"],
  export: ["chat", "tag", "format", "output", "force", "all"],
  delete: ["yes", "force"],
  prune: ["older", "chat", "dryRun", "yes"],
  rename: [],
  tag: [],
} as const satisfies Record<Action, readonly (keyof SessionsOptions)[]>;

/** What the words after each action are; `id` is the first of them. */
const WORDS: Record<Action, (id?: string) => Kind> = {
  list: () => "text",
  show: () => "session",
  search: () => "text",
  export: () => "session",
  delete: () => "session",
  prune: () => "text",
  rename: (id) => (id === undefined ? "session" : "text"),
  tag: (id) => (id === undefined ? "session" : "tag"),
};

const OWN_OPTIONS = [
  "chat",
  "tag",
  "limit",
  "format",
  "output",
  "force",
  "all",
  "older",
  "dryRun",
  "yes",
] as const;
const LISTED = 20;

export const sessions: CliCommand<SessionsOptions> = {
  freeText: true,

  define(command) {
    command
      .addArgument(new Argument("[action]", "what to do").choices(Object.keys(ACTIONS)).default("list"))
      .argument(
        "[words...]",
        "a session id, its prefix, or 'last'; a query; a title; or tags (-tag removes one)",
      )
      .takes(([action, id]) => WORDS[action as Action](id))
      .option("--chat <name>", "only sessions of this chat")
      .takes("chat")
      .option("--tag <tag>", "only sessions with this tag")
      .takes("tag")
      .option(
        "--limit <count>",
        `at most this many (default: ${LISTED}; ${SESSIONS_FOUND} for search)`,
        countFor("--limit", MOST_SESSIONS),
      )
      .takes("text")
      .addOption(new Option("--format <format>", "the export format (default: json)").choices(EXPORT_FORMATS))
      .option("--output <path>", "where to write the export: a file, or a directory for several sessions")
      .takes("file")
      .option("--force", "overwrite existing files; delete sessions that another process seems to have open")
      .option("--all", "export all sessions, or all of a chat or tag")
      .option("--older <age>", "prune sessions not used for this long, or since a date: 90d, 6m, 1y")
      .takes("text")
      .option("--dry-run", "show what 'prune' would delete")
      .option("--yes", "do not ask for confirmation");
    addExamples(command, [
      "retain sessions",
      "retain sessions show last",
      "retain sessions search token rotation",
      "retain sessions export session_20260218_001 --format markdown --output talk.md",
      "retain sessions delete 20260218_001",
      "retain sessions prune --older 1y --dry-run",
      "retain sessions tag last work -draft",
    ]);
  },

  async run(context, args, options) {
    const [action, ...words] = args as [Action, ...string[]];
    const allowed: readonly string[] = ACTIONS[action];
    const stray = OWN_OPTIONS.find((name) => options[name] !== undefined && !allowed.includes(name));
    if (stray !== undefined)
      throw new RetainError(
        "usage",
        `--${stray} does not work with 'sessions ${action}'.`,
        "See: retain sessions --help",
      );
    return RUN[action](context, words, options);
  },
};

type Run = (context: Context, words: readonly string[], options: SessionsOptions) => Promise<Output>;

const RUN: Record<Action, Run> = {
  async list(context, words, { chat, tag, limit = LISTED }) {
    refuseSurplus("sessions", "list", words[0]);
    const all = await context.open().sessions.list({ chat, tag, limit: limit + 1 });
    const found = all.slice(0, limit);
    const more = all.length > limit;
    return {
      data: { sessions: found, more },
      text: listText(context.terminal, found, more),
      quiet: found.map(({ id }) => id).join("\n"),
    };
  },

  async show(context, words, { chat }) {
    const session = await context.open().sessions.show(onlyWord("show", words), { chat });
    return { data: session, text: showText(context.terminal, session) };
  },

  search: searchSessions,

  export: exportSessions,

  async delete(context, words, options) {
    const retain = context.open();
    const { force = false } = options;
    if (words.length === 0) throw wordMissing("delete");
    const found = new Map<string, OwnedSession>();
    for (const word of words) {
      const session = await retain.sessions.remove(word, { dryRun: true, force });
      found.set(`${session.origin} ${session.id}`, session);
    }
    const wanted = [...found.values()];
    if (!options.yes)
      await confirm(context, wanted, `delete ${wanted.map(({ id }) => shellWord(id)).join(" ")}`);
    const ids: string[] = [];
    context.onInterrupt(() => `Interrupted: ${ids.length} of ${wanted.length} deleted.`);
    for (const { id, origin } of wanted) ids.push((await retain.sessions.remove(id, { origin, force })).id);
    const text = context.terminal.style("green", `✓ Deleted ${ids.join(", ")}`);
    return { data: { deleted: ids }, text, quiet: ids.join("\n") };
  },

  async prune(context, words, { older, chat, dryRun = false, yes = false }) {
    if (words[0] !== undefined || older === undefined) throw wordMissing("prune");
    const retain = context.open();
    const before = ageLimit(older, new Date());
    const old = await retain.sessions.prune(before, { chat, dryRun: true });
    if (!dryRun && !yes && old.length > 0) await confirm(context, old, `prune --older ${shellWord(older)}`);
    const pruned = dryRun ? old : await retain.sessions.prune(before, { chat });
    const verb = dryRun ? "Would delete" : "✓ Deleted";
    const lines = dryRun ? pruned.map(sessionLine) : [];
    return {
      data: { [dryRun ? "found" : "deleted"]: pruned.map(({ id }) => id) },
      text: [context.terminal.style("green", `${verb} ${plural(pruned.length, "session")}`), ...lines].join(
        "\n",
      ),
      quiet: pruned.map(({ id }) => id).join("\n"),
    };
  },

  async rename(context, words) {
    const [id, ...title] = words;
    if (id === undefined) throw wordMissing("rename");
    const renamed = await context.open().sessions.rename(id, title.join(" "));
    return changed(context, renamed, `is now "${renamed.title}"`);
  },

  async tag(context, words) {
    const [id, ...tags] = words.flatMap((word) => word.split(",")).map((word) => word.trim());
    if (id === undefined || tags.length === 0) throw wordMissing("tag");
    const removed = tags.filter((tag) => /^-./.test(tag)).map((tag) => tag.slice(1));
    const added = tags.filter((tag) => tag !== "" && !/^-./.test(tag));
    const tagged = await context.open().sessions.tag(id, { add: added, remove: removed });
    return changed(
      context,
      tagged,
      tagged.tags.length === 0 ? "has no tags" : `has ${tagged.tags.join(", ")}`,
    );
  },
};

function changed({ terminal }: Context, session: OwnedSession, how: string): Output {
  const { id, title, tags } = session;
  return { data: { id, title, tags }, text: terminal.style("green", oneLine(`✓ ${id} ${how}`)), quiet: "" };
}

/** Shows the sessions, and throws unless the user answers yes. */
async function confirm(
  { options }: Context,
  wanted: readonly OwnedSession[],
  command: string,
): Promise<void> {
  if (!canAsk(options))
    throw new RetainError(
      "unconfirmed",
      "Deleting is permanent, so it needs confirmation.",
      `To confirm: retain sessions ${command} --yes`,
    );
  writeToTerminal(`${wanted.map(sessionLine).join("\n")}\n`);
  const question = `Delete ${wanted.length === 1 ? "this session" : `these ${wanted.length} sessions`} permanently? [y/N] `;
  if (!isYes(await askPerson(question))) throw new RetainError("unconfirmed", "Nothing was deleted.");
}

function sessionLine(session: OwnedSession): string {
  return [oneLine(session.id), oneLine(titleOf(session)), `(${plural(session.messages, "message")})`].join(
    "  ",
  );
}

const UNITS = { d: "Date", w: "Date", m: "Month", y: "FullYear" } as const;

/** "90d", "2w", "6m" and "1y" count back from now; anything else is read as a date. Throws `usage`. */
function ageLimit(said: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,4})([dwmy])$/.exec(said.trim()) ?? [];
  if (count === undefined) return new Date(namedMoment(said, "from", now, "--older 1y"));
  const limit = new Date(now);
  const field = UNITS[unit as keyof typeof UNITS];
  limit[`set${field}`](limit[`get${field}`]() - Number(count) * (unit === "w" ? 7 : 1));
  return limit;
}
