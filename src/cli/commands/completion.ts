import { Argument } from "commander";
import type { CliCommand, CommandEntry } from "../command.ts";
import { addExamples } from "../options.ts";
import { buildParser } from "../parser.ts";

interface CompletedCommand {
  name: string;
  summary: string;
  options: string[];
  /** Whether it takes documents' ids, which are asked for when Tab is pressed. */
  takesIds: boolean;
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
      const options = [...parser.options.map((option) => option.long ?? ""), "--help"];
      const takesIds = parser.registeredArguments.some((argument) => /^ids?$/.test(argument.name()));
      return { name: entry.name, summary: entry.summary, options, takesIds };
    }),
  );
}

const SCRIPTS = {
  bash: (commands: CompletedCommand[]) => `_retain() {
  local word=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$word"))
    return
  fi
  case "$command:$word" in
${commands.map(({ name, options }) => `    ${name}:-*) COMPREPLY=($(compgen -W "${options.join(" ")}" -- "$word")) ;;`).join("\n")}
${commands
  .filter(({ takesIds }) => takesIds)
  .map(
    ({ name }) =>
      `    ${name}:*) COMPREPLY=($(compgen -W "$(retain list --quiet 2>/dev/null)" -- "$word")) ;;`,
  )
  .join("\n")}
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _retain retain
`,

  zsh: (commands: CompletedCommand[]) => `#compdef retain
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
    ${commands
      .filter(({ takesIds }) => takesIds)
      .map(({ name }) => name)
      .join("|")})
      ids=(\${(f)"$(retain list --quiet 2>/dev/null)"})
      compadd -a ids ;;
    *) _files ;;
  esac
}
compdef _retain retain
`,

  fish: (commands: CompletedCommand[]) => `complete -c retain -f
${commands
  .flatMap(({ name, summary, options, takesIds }) => [
    `complete -c retain -n __fish_use_subcommand -a ${name} -d '${quoteSingle(summary)}'`,
    ...options.map(
      (option) => `complete -c retain -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
    ),
    takesIds
      ? `complete -c retain -n '__fish_seen_subcommand_from ${name}' -a '(retain list --quiet 2>/dev/null)'`
      : `complete -c retain -n '__fish_seen_subcommand_from ${name}' -F`,
  ])
  .join("\n")}
`,
};

function quoteSingle(text: string): string {
  return text.replaceAll("'", "'\\''");
}
