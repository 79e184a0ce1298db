import { Argument, type Option } from "commander";
import type { CliCommand, CommandEntry } from "../command.ts";
import { addExamples } from "../options.ts";
import { buildParser } from "../parser.ts";

/** Possible completions: names looked up when Tab is pressed, fixed words, or files. */
type Offer = "ids" | "collections" | "files" | readonly string[];

interface CompletedCommand {
  name: string;
  summary: string;
  options: string[];
  /** Completions for the value of an option. */
  values: Record<string, Offer>;
  /** Completions for the first argument. The shell completes the words after an action. */
  argument: Offer;
}

export const completion: CliCommand = {
  define(command) {
    command.addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]));
    addExamples(command, [
      'eval "$(retain completion bash)"     # in ~/.bashrc',
      'eval "$(retain completion zsh)"      # in ~/.zshrc',
      "retain completion fish > ~/.config/fish/completions/retain.fish",
    ]);
  },

  async run(context, args) {
    const shell = args[0] as keyof typeof SCRIPTS;
    const script = SCRIPTS[shell](await describeCommands(context.commands));
    return { data: { shell, script }, text: script };
  },
};

async function describeCommands(commands: readonly CommandEntry[]): Promise<CompletedCommand[]> {
  return Promise.all(
    commands.map(async (entry) => {
      const parser = buildParser(entry, await entry.load());
      const [first] = parser.registeredArguments;
      const valued = parser.options.filter((option) => option.required || option.optional);
      return {
        name: entry.name,
        summary: entry.summary,
        options: [...parser.options.map((option) => option.long ?? ""), "--help"],
        values: Object.fromEntries(valued.map((option) => [option.long ?? "", offerFor(option)])),
        argument: /^ids?$/.test(first?.name() ?? "") ? "ids" : (first?.argChoices ?? "files"),
      };
    }),
  );
}

function offerFor({ long, argChoices }: Option): Offer {
  return argChoices ?? (long === "--collection" ? "collections" : "files");
}

const NAMES = { ids: "retain list --quiet", collections: "retain collections --quiet" };

/** Compares names as text and never expands them: they come from file names, and a file can be named "$(…)". */
function inBash(offer: Offer): string {
  if (offer === "files") return "return"; // the shell completes file names
  if (typeof offer !== "string") return `COMPREPLY=($(compgen -W "${offer.join(" ")}" -- "$word")); return`;
  return `while IFS= read -r name; do [[ $name == "$word"* ]] && COMPREPLY+=("$name"); done < <(${NAMES[offer]} 2>/dev/null); return`;
}

function inZsh(offer: Offer): string {
  if (offer === "files") return "_files; return";
  if (typeof offer !== "string") return `compadd -- ${offer.join(" ")}; return`;
  return `names=(\${(f)"$(${NAMES[offer]} 2>/dev/null)"}); compadd -a names; return`;
}

function inFish(offer: Offer): string {
  if (offer === "files") return "-F";
  return `-a '${typeof offer === "string" ? `(${NAMES[offer]} 2>/dev/null)` : offer.join(" ")}'`;
}

/** Cases that depend on the previous word, in the syntax that bash and zsh share: "command:word) action ;;". */
function afterWord({ name, values, argument }: CompletedCommand, print: (offer: Offer) => string): string[] {
  const actions = typeof argument === "string" ? [] : argument;
  const offers = [...Object.entries(values), ...actions.map((action): [string, Offer] => [action, "files"])];
  return offers.map(([word, offer]) => `    ${name}:${word}) ${print(offer)} ;;`);
}

const SCRIPTS = {
  bash: (commands: CompletedCommand[]) => `_retain() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} name
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$word"))
    return
  fi
  case "$command:$before" in
${commands.flatMap((command) => afterWord(command, inBash)).join("\n")}
  esac
  case "$command:$word" in
${commands.map(({ name, options }) => `    ${name}:-*) ${inBash(options)} ;;`).join("\n")}
${commands.map(({ name, argument }) => `    ${name}:*) ${inBash(argument)} ;;`).join("\n")}
  esac
}
complete -o default -o filenames -F _retain retain
`,

  zsh: (commands: CompletedCommand[]) => `#compdef retain
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_retain() {
  local -a commands names
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${quoteSingle(summary.replaceAll(":", "\\:"))}'`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2]:$words[CURRENT-1] in
${commands.flatMap((command) => afterWord(command, inZsh)).join("\n")}
  esac
  case $words[2]:$PREFIX in
${commands.map(({ name, options }) => `    ${name}:-*) ${inZsh(options)} ;;`).join("\n")}
${commands.map(({ name, argument }) => `    ${name}:*) ${inZsh(argument)} ;;`).join("\n")}
  esac
}
compdef _retain retain
`,

  fish: (commands: CompletedCommand[]) => `complete -c retain -f
${commands
  .flatMap(({ name, summary, options, values, argument }) => {
    const here = `contains -- ${name} (commandline -opc)[2]`;
    const actions = typeof argument === "string" ? [] : argument;
    const acted = `contains -- (commandline -opc)[-1] ${actions.join(" ")}`;
    return [
      `complete -c retain -n __fish_use_subcommand -a ${name} -d '${quoteSingle(summary)}'`,
      ...options.map((option) => {
        const offer = values[option];
        const takes = offer === undefined ? "" : ` ${offer === "files" ? "-r" : "-x"} ${inFish(offer)}`;
        return `complete -c retain -n '${here}' -l ${option.slice(2)}${takes}`;
      }),
      `complete -c retain -n '${here}; and not ${acted}' ${inFish(argument)}`,
      ...(actions.length > 0 ? [`complete -c retain -n '${here}; and ${acted}' -F`] : []),
    ];
  })
  .join("\n")}
`,
};

function quoteSingle(text: string): string {
  return text.replaceAll("'", "'\\''");
}
