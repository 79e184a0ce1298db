import { Option } from "commander";
import type { Identified } from "../../app/find-by-id.ts";
import type { Retain } from "../../app.ts";
import { RetainError, unlessMissing } from "../../core/errors.ts";
import { type ForgettableMemory, isMemoryId, type ToForget } from "../../facts/forget/find.ts";
import { combined, type Forgotten } from "../../facts/forget/forget.ts";
import { MOST_SHOWN, passageLine, type SaidPassage, unremoved } from "../../facts/forget/passages.ts";
import { forgetHeadline, forgetRemarks } from "../../facts/forget/report.ts";
import { isLongEnoughToSearch } from "../../facts/forget/short.ts";
import type { Extent } from "../../facts/forget/words.ts";
import { plural } from "../../util/in-words.ts";
import { shellWord } from "../../util/shell-word.ts";
import { oneLine, truncate } from "../../util/text.ts";
import { askPerson, canAsk, isYes } from "../ask.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";
import { severalMemories } from "../several-memories.ts";
import { writeToTerminal } from "../tty.ts";

interface ForgetOptions extends CommonOptions {
  dryRun?: boolean;
  passage?: boolean;
  whole?: boolean;
  yes?: boolean;
}

export const forget: CliCommand<ForgetOptions> = {
  freeText: true,

  define(command) {
    command
      .argument(
        "<id|query...>",
        "ids, the start of a fact's id, or words from a fact, note, document or message",
      )
      .takes("fact")
      .addOption(
        new Option(
          "--passage",
          "remove the sentences that contain the words from documents and messages",
        ).conflicts("whole"),
      )
      .option("--whole", "remove whole documents and messages that contain the words")
      .option("--dry-run", "show where it is stored, without changing anything")
      .option("--yes", "do not ask for confirmation");
    addExamples(command, [
      "retain forget 3f9a2xw0c1",
      "retain forget 3f9a2xw0c1 k3f9a2b71d --yes",
      'retain forget "door code" --dry-run',
      'retain forget "meet me at the old mill" --passage',
      "retain forget 2026-11-15.md#10:30-4f1a2b --yes",
    ]);
  },

  async run(context, words, options) {
    const retain = context.open();
    if (words.length > 1 && words.every(isMemoryId)) return forgetAll(context, retain, words, options);
    const said = words.join(" ").trim();
    const extent = options.passage ? "passage" : options.whole ? "whole" : null;
    if (extent !== null) return forgetWords(context, retain, said, options, extent);
    const sought = await retain.facts.findToForget(said);
    const isHere = sought.by === "exact" && sought.found[0]?.origin !== "bank";
    const other = isHere ? null : await otherNamed(retain, said);
    if (other !== null) return forgetOther(context, retain, other, options);
    if (sought.by === "passages") return forgetWords(context, retain, said, options, null);
    const isNowhere = sought.found.length + sought.unfinished.length === 0;
    if (isNowhere && options.dryRun !== true) await retain.facts.eraseRemoved();
    const isInBank = retain.config.settings.memory_backend === "hindsight";
    const chosen = await choose(sought, said, options, isInBank);
    if ("output" in chosen) return chosen.output(context);
    const forgotten = await forgetNamed(context, retain, [chosen], options);
    return report(context, forgotten, sought.by === "words" ? await othersWith(retain, said, forgotten) : []);
  },
};

/** By several ids. If one names nothing, none is forgotten. */
async function forgetAll(
  context: Context,
  retain: Retain,
  ids: readonly string[],
  options: ForgetOptions,
): Promise<Output> {
  const named: Named[] = [];
  for (const id of new Set(ids)) {
    const { found, unfinished } = await retain.facts.findToForget(id);
    const [memory = null] = found;
    if (memory === null && !unfinished.includes(id))
      throw new RetainError("not_found", `There is no fact or note ${id}. Nothing was forgotten.`, LIST);
    named.push({ id, memory });
  }
  return report(context, await forgetNamed(context, retain, named, options));
}

/** Asks, unless an option answers. */
async function forgetNamed(
  context: Context,
  retain: Retain,
  named: readonly Named[],
  options: ForgetOptions,
): Promise<Forgotten> {
  const dryRun = options.dryRun === true;
  const memories = named.flatMap(({ memory }) => memory ?? []);
  if (!dryRun && !options.yes && memories.length > 0) await confirm(context, retain, memories);
  const results: Forgotten[] = [];
  // The longest first: forgetting a text changes another that contains it, and so its id.
  const length = ({ memory }: Named) => memory?.text.length ?? 0;
  for (const { id, memory } of named.toSorted((a, b) => length(b) - length(a)))
    if (!results.some(({ forgotten }) => forgotten.some((one) => one.id === id)))
      results.push(await retain.facts.forget(id, { dryRun, origin: memory?.origin }));
  return combined(results);
}

/** A list short enough to read. */
const MOST_OTHERS = 10;

/** Other memories with the words that named a fact. A dry run names documents only: messages that repeat the fact go with it. */
async function othersWith(retain: Retain, said: string, { dry_run }: Forgotten): Promise<string[]> {
  const phrase = `"${said.replaceAll('"', " ")}"`;
  const kinds = dry_run ? (["document"] as const) : (["document", "message"] as const);
  const { hits } = await retain.search(phrase, { mode: "text", kinds, limit: MOST_OTHERS });
  return hits.map(({ kind, collection, id }) =>
    collection === null ? `${kind} ${id}` : `${collection}/${id}`,
  );
}

type Other = Extract<Identified, { kind: "document" | "session" | "message" }>;

/** What is neither a fact nor a note, by its whole id; null where nothing has it. */
async function otherNamed(retain: Retain, id: string): Promise<Other | null> {
  const found = await unlessMissing(retain.find(id));
  return found === null || found.kind === "fact" || found.kind === "note" ? null : found;
}

async function forgetOther(
  context: Context,
  retain: Retain,
  found: Other,
  options: ForgetOptions,
): Promise<Output> {
  const { id, title } = named(found);
  const name = `${found.kind} ${id}`;
  if (!options.dryRun && !options.yes) {
    if (!canAsk(context.options)) throw needsYes([id], "--yes");
    if (!isYes(await askPerson(`${oneLine(title ?? "")} (${name}). Forget this permanently? [y/N] `)))
      throw declined();
  }
  if (found.kind === "session") {
    const { origin } = await retain.sessions.remove(id, { dryRun: options.dryRun === true });
    const forgotten = [{ id, kind: found.kind, origin }];
    const text = options.dryRun ? `Would forget ${name}; nothing was changed.` : `Forgotten: ${name}.`;
    return { data: { dry_run: options.dryRun === true, forgotten }, text, quiet: "" };
  }
  return report(context, await retain.forget(found, { dryRun: options.dryRun === true }));
}

function named(found: Other): { id: string; title: string | null } {
  if (found.kind !== "message") return found.kind === "document" ? found.document : found.session;
  return { id: String(found.message.id), title: truncate(found.message.content, 100) };
}

/** Forgets words in documents and messages. With `extent` null, asks how much to remove. */
async function forgetWords(
  context: Context,
  retain: Retain,
  said: string,
  { yes = false, dryRun = false }: ForgetOptions,
  extent: Extent | null,
): Promise<Output> {
  const passages = await retain.facts.findWords(said);
  const lines = passages.map(passageLine);
  const needsMore = !isLongEnoughToSearch(said) || (extent === null && (yes || !canAsk(context.options)));
  if (dryRun || (passages.length > 0 && needsMore)) return shownPassages(context, said, passages, dryRun);
  if (passages.length > 0 && !yes) writeToTerminal(`${lines.slice(0, MOST_SHOWN).join("\n")}\n`);
  const chosen = extent ?? (await askExtent());
  if (extent !== null && passages.length > 0 && !yes)
    await confirmExtent(context, said, extent, passages.length);
  return report(context, await retain.facts.forgetWords(said, chosen));
}

function shownPassages(
  { terminal }: Context,
  said: string,
  passages: readonly SaidPassage[],
  dryRun: boolean,
): Output {
  const found = `${plural(passages.length, "matching passage")} in documents and conversations`;
  const failure = unremoved(said, passages);
  const lines = [terminal.style("green", `${found}; nothing was changed.`), ...passages.map(passageLine)];
  return {
    data: { passages },
    text: [...lines, ...(dryRun && failure.hint !== undefined ? [failure.hint] : [])].join("\n"),
    quiet: passages.map(passageLine).join("\n"),
    ...(dryRun ? {} : { failure, problems: [`retain: ${failure.message} ${failure.hint}`] }),
  };
}

async function askExtent(): Promise<Extent> {
  const answer = (
    await askPerson("Remove these passages, or the whole documents and messages? [p/w/N] ")
  ).toLowerCase();
  if (answer === "p" || answer === "passage" || answer === "passages") return "passage";
  if (answer === "w" || answer === "whole") return "whole";
  throw declined();
}

async function confirmExtent(
  { options }: Context,
  said: string,
  extent: Extent,
  count: number,
): Promise<void> {
  if (!canAsk(options)) throw needsYes([said], `--${extent} --yes`);
  const what = extent === "passage" ? plural(count, "passage") : "the whole of these documents and messages";
  if (!isYes(await askPerson(`Forget ${what} permanently? [y/N] `))) throw declined();
}

const PASS_ONE = "Nothing was changed. Pass one id: retain forget <id>";

interface Named {
  readonly id: string;
  /** null if an earlier forget was interrupted: its text is already gone, so finishing it needs no confirmation. */
  readonly memory: ForgettableMemory | null;
}

type Choice = Named | { readonly output: (context: Context) => Output };

const LIST = "List facts with 'retain facts --all', and a day's notes with 'retain notes'.";

async function choose(
  { by, found, unfinished, unasked }: ToForget,
  said: string,
  options: ForgetOptions,
  isInBank: boolean,
): Promise<Choice> {
  const [only, second] = found;
  const [begun] = unfinished;
  if (only === undefined && begun !== undefined) return { id: begun, memory: null };
  if (unasked !== null && by === "near") throw unasked;
  if (only === undefined)
    throw new RetainError(
      "not_found",
      `No memory matches ${JSON.stringify(said)}${options.dryRun ? "." : ", and the index has no trace of removed memories."}`,
      isInBank ? "To forget a memory in the bank, pass its id, shown by 'retain search'." : LIST,
    );
  if (second === undefined && by !== "near") return { id: only.id, memory: only };
  if (options.yes || options.dryRun || !canAsk(options))
    return { output: (context) => severalMemories(context, { by, found }, PASS_ONE) };
  writeToTerminal(`${found.map((memory, index) => `${index + 1}  ${shown(memory)}`).join("\n")}\n`);
  const answer = await askPerson(`Which one? [1-${found.length}] `);
  const memory = /^\d+$/.test(answer) ? found[Number(answer) - 1] : undefined;
  if (memory === undefined) throw declined();
  return { id: memory.id, memory };
}

/** Shows what will be removed, and throws unless the user answers yes. */
async function confirm(
  { options }: Context,
  retain: Retain,
  memories: readonly ForgettableMemory[],
): Promise<void> {
  if (!canAsk(options))
    throw needsYes(
      memories.map(({ id }) => id),
      "--yes",
    );
  for (const memory of memories) {
    const found = await retain.facts.forget(memory.id, { dryRun: true, origin: memory.origin });
    writeToTerminal(`${[shown(memory), ...traceLines(found), ...forgetRemarks(found)].join("\n")}\n`);
  }
  if (!isYes(await askPerson("Forget this permanently? [y/N] "))) throw declined();
}

function needsYes(words: readonly string[], options: string): RetainError {
  const command = `retain forget ${words.map(shellWord).join(" ")}`;
  return new RetainError(
    "unconfirmed",
    "Forgetting is permanent, so it needs confirmation.",
    `Preview it: ${command} --dry-run. Then: ${command} ${options}`,
  );
}

function declined(): RetainError {
  return new RetainError("unconfirmed", "Nothing was forgotten.");
}

function shown({ id, kind, text, file, ended_at }: ForgettableMemory): string {
  const ended = ended_at === null ? "" : ", ended";
  return `${oneLine(text)}  (${kind} ${id} in ${file || "the bank"}${ended})`;
}

/** The report must not repeat the forgotten text. */
function report({ terminal }: Context, result: Forgotten, others: readonly string[] = []): Output {
  const { dry_run, left } = result;
  const failed = !dry_run && left.length > 0;
  const headline = forgetHeadline(result);
  const lines = [
    ...(dry_run ? traceLines(result) : []),
    ...forgetRemarks(result),
    ...(others.length === 0
      ? []
      : [`These words are also in: ${others.join(", ")}. To remove one: retain forget <id>`]),
  ];
  const failure = failed ? unfinished(result) : null;
  return {
    data: others.length === 0 ? result : { ...result, others },
    text: [terminal.style(failed ? "yellow" : "green", headline), ...lines].join("\n"),
    quiet: dry_run ? traceLines(result).join("\n") : "",
    ...(failure === null ? {} : { failure, problems: [`retain: ${failure.message} ${failure.hint}`] }),
  };
}

function unfinished({ left, forgotten }: Forgotten): RetainError {
  const ids = forgotten.map(({ id }) => shellWord(id)).join(" ");
  const isDatabase = left.some(({ what }) => what === "database");
  return new RetainError(
    "partial",
    "Only partly forgotten: some copies could not be removed.",
    isDatabase ? `Close other programs that use this memory, then run: retain forget ${ids}` : "See above.",
  );
}

function traceLines({ places }: Forgotten): string[] {
  return places.map(({ what, path, line, count }) => {
    const where = line === undefined ? path : `${path}:${line}`;
    return `  ${what.padEnd(16)}${where}${count === undefined ? "" : ` (${plural(count, "row")})`}`;
  });
}
