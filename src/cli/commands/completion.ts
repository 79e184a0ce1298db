import { Argument } from "commander";
import type { CliCommand } from "../command.ts";
import { type Completions, complete } from "../complete.ts";
import { addExamples } from "../options.ts";
import { quotedFor, readShellLine } from "../shell-words.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

export const completion: CliCommand = {
  define(command) {
    command
      .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
      .argument("[line...]", "after '--': the command line to complete; the shell's script passes it")
      .takes("text");
    addExamples(command, [
      'eval "$(retain completion bash)"     # in ~/.bashrc',
      'eval "$(retain completion zsh)"      # in ~/.zshrc',
      "retain completion fish > ~/.config/fish/completions/retain.fish",
    ]);
  },

  async run(context, [name, ...line]) {
    const shell = name as Shell;
    if (line.length === 0) return { data: { shell, script: SCRIPTS[shell] }, text: SCRIPTS[shell] };
    const [text = "", breaks = ""] = line;
    const last = readShellLine(shell === "bash" ? text : (line.at(-1) ?? ""), breaks);
    const words = shell === "bash" ? last.words.slice(1) : [...line.slice(0, -1), last.words.join(" ")];
    // An error message would end up in the middle of the line that is being typed.
    const found = await complete(context.commands, words).catch(() => null);
    const offered = found?.offered ?? [];
    const printed = offered.map(({ name: word, about = "" }) =>
      shell === "bash" ? quotedFor(last, word) : `${word}\t${about}`,
    );
    return { data: { shell, ...found }, text: [directive(found), ...printed].join("\n") };
  },
};

/** The first line: what the script does with the rest. */
function directive(found: Completions | null): string {
  return found?.isPartial ? "partial" : (found?.by ?? "names");
}

/**
 * The scripts only pass the line on and show the answer: names come from files, and a file can be named "$(…)", so the shell never
 * expands an answer.
 */
const SCRIPTS: Record<Shell, string> = {
  bash: `_retain() {
  local kind= word
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS= read -r word; do COMPREPLY+=("$word"); done
  } < <(command retain completion bash -- "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
  case $kind in
    files) ;;
    directories) compopt +o default -o dirnames 2>/dev/null ;;
    partial) compopt +o default -o nospace 2>/dev/null ;;
    *) compopt +o default 2>/dev/null ;;
  esac
  return 0
}
complete -o default -F _retain retain
`,

  zsh: `#compdef retain
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_retain() {
  local kind line
  local -a lines names shown
  lines=("\${(@f)$(command retain completion zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  kind=$lines[1]
  for line in "\${(@)lines[2,-1]}"; do
    names+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  }")
  done
  case $kind in
    files) compset -P '--*='; _files ;;
    directories) compset -P '--*='; _files -/ ;;
    partial) compadd -S '' -a -- names ;;
    *) compadd -l -d shown -a -- names ;;
  esac
}
compdef _retain retain
`,

  fish: `function __retain_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l word (commandline -ct)
  set -l lines (command retain completion fish -- $words "$word" 2>/dev/null </dev/null)
  switch "$lines[1]"
    case files
      __fish_complete_path "$word"
    case directories
      __fish_complete_directories "$word" ''
    case '*'
      set -e lines[1]
      test (count $lines) -gt 0; and printf '%s\\n' $lines
  end
end
complete -c retain -f -a '(__retain_complete)'
`,
};
