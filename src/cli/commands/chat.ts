import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatOptions } from "../../agent/chat.ts";
import { TOOL_MODES, type ToolMode } from "../../agent/tool.ts";
import { surroundingsOf } from "../../app/surroundings.ts";
import { RetainError } from "../../core/errors.ts";
import { withPiped } from "../../core/text/piped-text.ts";
import { textOf } from "../../documents/read.ts";
import { inputHistory } from "../../files/input-history.ts";
import { readIfThere } from "../../util/fs.ts";
import type { CliCommand, Context } from "../command.ts";
import { openEditor } from "../editor.ts";
import { setupQuestions } from "../first-start.ts";
import { readTextInput, STDIN } from "../input.ts";
import { addExamples, type ParsedOptions } from "../options.ts";
import type { Output } from "../output.ts";
import { printAnswer } from "../print.ts";
import { isTerminal, opensLinks } from "../tty.ts";

interface ChatCommandOptions extends ParsedOptions {
  print?: boolean;
  continue?: boolean;
  resume?: string | true;
  chat?: string;
  model?: string;
  tools?: ToolMode;
  incognito?: boolean;
  take?: boolean;
  plain?: boolean;
}

export const chat: CliCommand<ChatCommandOptions> = {
  freeText: true,
  letters: "pc",

  define(command) {
    command
      .argument("[question...]", "print one answer and exit; piped input is appended to the question")
      .takes("text")
      .option("-p, --print", "print one answer and exit; required for a one-word question")
      .option("-c, --continue", "resume the last session")
      .option("--resume [id]", "resume this session; without an id, pick one from a list")
      .takes("session")
      .option("--take", "resume the session even if another process seems to have it open")
      .option("--chat <name>", "the chat (default: the project's, or 'main')")
      .takes("chat")
      .option(
        "--model <name>",
        "the model that answers, such as ollama/qwen3; 'none' answers from memory alone",
      )
      .takes("model")
      .option("--tools <mode>", `tools besides memory: ${TOOL_MODES.join(", ")}`, toolMode)
      .takes(TOOL_MODES)
      .option("--incognito", "save nothing from this conversation")
      .option("--plain", "print the chat as lines, without redrawing, for screen readers");
    addExamples(command, [
      "retain",
      'retain "what did we decide about backups?"',
      'git diff | retain "write a commit message" --tools none',
      "cat runbook.md | retain summarise this",
      "retain --resume session_20260218_001",
    ]);
  },

  async run(context, words, options) {
    const question = words.join(" ").trim();
    const onScreen =
      isTerminal("stdin") && isTerminal("stdout") && question === "" && !options.print && !options.json;
    if (onScreen) return openScreen(context, options);
    const retain = context.open();
    const piped = isTerminal("stdin")
      ? ""
      : await readTextInput(STDIN, retain.config.settings.max_document_bytes);
    if (piped.trim() === "" && options.withoutInput !== undefined) throw options.withoutInput;
    const asked = joined(question, piped);
    if (asked === "") return nothingAsked(context, options);
    const stop = new AbortController();
    context.handlesInterrupts();
    process.once("SIGINT", () => {
      stop.abort();
      process.once("SIGINT", () => process.exit(130));
    });
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
    const chatting = await retain.chat(chatOptions(options, false));
    const json = options.json ?? false;
    const printing = { json, signal: stop.signal, own: question };
    const failure = await printAnswer(chatting, asked, context.terminal, printing);
    return { data: null, text: "", streamed: true, ...(failure && { failure }) };
  },
};

async function openScreen(context: Context, options: ChatCommandOptions): Promise<Output> {
  const retain = context.open({ onWarning: () => {} });
  context.handlesInterrupts();
  const isPlain = options.plain || retain.config.settings.ui_plain || process.env.TERM === "dumb";
  const loading = isPlain ? null : import("../../tui/main.tsx");
  const open = () => retain.chat({ ...chatOptions(options, true), setup: setupQuestions(retain) });
  const shown = {
    version: context.version,
    directory: shortPath(process.cwd()),
    memory: memoryShown(retain),
    history: inputHistory(retain.choice.home.root),
    ...(options.resume === true && { initial: "/resume" }),
  };
  const exitCode =
    loading === null
      ? await (await import("../plain.ts")).runPlain(await open(), shown)
      : await (await loading).runTui(open, {
          ...shown,
          incognito: options.incognito ?? retain.config.settings.incognito,
          files: () => retain.fileList(),
          compose: (text) => composed(text, retain.config.settings.editor),
          colours: context.terminal.colours,
          links: opensLinks(process.env),
        });
  return { data: null, text: "", streamed: true, ...(exitCode !== 0 && { failure: new Ended(exitCode) }) };
}

/** The text as the user's editor leaves it, without the last line's ending. */
async function composed(text: string, editor: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "retain-draft-"));
  try {
    const path = join(directory, "message.md");
    writeFileSync(path, text, { mode: 0o600 });
    await openEditor(path, editor, false);
    return textOf(readIfThere(path) ?? new Uint8Array(), path).replace(/\n$/, "");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Ended by a signal; the exit code says which. */
class Ended extends RetainError {
  constructor(private readonly as: number) {
    super("interrupted", "The chat was stopped.");
  }

  override get exitCode(): number {
    return this.as;
  }
}

function chatOptions(options: ChatCommandOptions, interactive: boolean): ChatOptions {
  const { resume, chat: name, model, tools, incognito, take } = options;
  if (incognito && (options.continue || resume !== undefined))
    throw new RetainError(
      "usage",
      "An incognito conversation cannot resume another one.",
      "Leave out --incognito, or --continue and --resume.",
    );
  if (options.continue && resume !== undefined)
    throw new RetainError("usage", "--continue and --resume cannot be combined.", "Pass one of them.");
  if (resume === true && !interactive)
    throw new RetainError(
      "usage",
      "--resume needs a session id when there is no terminal.",
      "See: retain sessions list",
    );
  const session = options.continue ? "last" : resume;
  return {
    interactive,
    ...(typeof session === "string" && { resume: session }),
    ...(name !== undefined && { chat: name }),
    ...(model !== undefined && { model }),
    ...(tools !== undefined && { tools }),
    ...(incognito && { incognito }),
    ...(take && { take }),
  };
}

/** Without a terminal, a bare `retain` prints the overview; with an option that needs a question, it is an error. */
function nothingAsked(context: Context, options: ChatCommandOptions): Output {
  const { print, json, continue: resumesLast, resume, incognito, model, tools } = options;
  if ([print, json, resumesLast, resume, incognito, model, tools].some((option) => option !== undefined))
    throw new RetainError(
      "usage",
      "The question is missing.",
      'For example: retain -p "what did we decide?"',
    );
  const text = context.overview();
  return { data: { text }, text };
}

/** Piped text is never a slash command, so a blank goes before it. */
function joined(question: string, piped: string): string {
  const input = piped.trim();
  if (input === "") return question;
  if (question === "") return ` ${input}`;
  return withPiped(question, input);
}

function toolMode(said: string): ToolMode {
  const mode = TOOL_MODES.find((one) => one === said);
  if (mode !== undefined) return mode;
  throw new RetainError("usage", `--tools must be one of ${TOOL_MODES.join(", ")}, not '${said}'.`);
}

function memoryShown({ workspace, config }: ReturnType<Context["open"]>): string {
  const { memory_backend: backend } = config.settings;
  if (backend === "off") return "off";
  const root = shortPath(workspace.root);
  const kind = workspace.kind === "project" ? "project" : "home; this directory has no memory of its own";
  return `${root} (${kind})${backend === "hindsight" ? ", and a Hindsight server" : ""}`;
}

function shortPath(path: string): string {
  const { homeDirectory } = surroundingsOf({});
  return path.startsWith(`${homeDirectory}/`) ? `~${path.slice(homeDirectory.length)}` : path;
}
