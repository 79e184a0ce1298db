import { Argument } from "commander";
import type { CliCommand, CommandEntry } from "../command.ts";
import { addExamples } from "../options.ts";
import { buildParser } from "../parser.ts";

interface CompletedCommand {
  name: string;
  summary: string;
  options: string[];
  /** The words that an option takes, where there are only a few. */
  choices: Record<string, readonly string[]>;
  /** What its first argument can be: documents' ids (asked for when Tab is pressed), one of some words, or a file. */
  argument: "ids" | "files" | readonly string[];
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
      const limited = parser.options.filter((option) => option.argChoices !== undefined);
      return {
        name: entry.name,
        summary: entry.summary,
        options: [...parser.options.map((option) => option.long ?? ""), "--help"],
        choices: Object.fromEntries(limited.map((option) => [option.long ?? "", option.argChoices ?? []])),
        argument: /^ids?$/.test(first?.name() ?? "") ? "ids" : (first?.argChoices ?? "files"),
      };
    }),
  );
}

/** Ids are compared as text, never expanded: they are names of files, and a file can be named "$(…)". */
const BASH_IDS = `while IFS= read -r id; do [[ $id == "$word"* ]] && COMPREPLY+=("$id"); done < <(retain list --quiet 2>/dev/null)`;

function bashArgument({ name, argument }: CompletedCommand): string {
  if (argument === "ids") return `    ${name}:*) ${BASH_IDS} ;;`;
  if (argument === "files") return `    ${name}:*) ;; # the shell's own way with file names`;
  return `    ${name}:*) COMPREPLY=($(compgen -W "${argument.join(" ")}" -- "$word")) ;;`;
}

function zshArgument({ name, argument }: CompletedCommand): string {
  if (argument === "ids")
    return `    ${name}) ids=(\${(f)"$(retain list --quiet 2>/dev/null)"}); compadd -a ids ;;`;
  return argument === "files" ? `    ${name}) _files ;;` : `    ${name}) compadd -- ${argument.join(" ")} ;;`;
}

function fishArgument({ name, argument }: CompletedCommand): string {
  const words =
    argument === "ids"
      ? "(retain list --quiet 2>/dev/null)"
      : argument === "files"
        ? null
        : argument.join(" ");
  const when = `complete -c retain -n '__fish_seen_subcommand_from ${name}'`;
  return words === null ? `${when} -F` : `${when} -a '${words}'`;
}

const SCRIPTS = {
  bash: (commands: CompletedCommand[]) => `_retain() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} id
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$word"))
    return
  fi
  case "$command:$before" in
${commands
  .flatMap(({ name, choices }) =>
    Object.entries(choices).map(
      ([option, words]) =>
        `    ${name}:${option}) COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$word")); return ;;`,
    ),
  )
  .join("\n")}
  esac
  case "$command:$word" in
${commands.map(({ name, options }) => `    ${name}:-*) COMPREPLY=($(compgen -W "${options.join(" ")}" -- "$word")) ;;`).join("\n")}
${commands.map(bashArgument).join("\n")}
  esac
}
complete -o default -o filenames -F _retain retain
`,

  zsh: (commands: CompletedCommand[]) => `#compdef retain
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_retain() {
  local -a commands ids
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${quoteSingle(summary.replaceAll(":", "\\:"))}'`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  if [[ $PREFIX == -* ]]; then
    case $words[2] in
${commands.map(({ name, options }) => `      ${name}) compadd -- ${options.join(" ")} ;;`).join("\n")}
    esac
    return
  fi
  case $words[2] in
${commands.map(zshArgument).join("\n")}
  esac
}
compdef _retain retain
`,

  fish: (commands: CompletedCommand[]) => `complete -c retain -f
${commands
  .flatMap((command) => [
    `complete -c retain -n __fish_use_subcommand -a ${command.name} -d '${quoteSingle(command.summary)}'`,
    ...command.options.map((option) => {
      const words = command.choices[option];
      const takes = words === undefined ? "" : ` -xa '${words.join(" ")}'`;
      return `complete -c retain -n '__fish_seen_subcommand_from ${command.name}' -l ${option.slice(2)}${takes}`;
    }),
    fishArgument(command),
  ])
  .join("\n")}
`,
};

function quoteSingle(text: string): string {
  return text.replaceAll("'", "'\\''");
}
