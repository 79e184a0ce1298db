/** The environment that a command is given: the person's, without the keys of those who answer. */

/** What holds a key for a model or a memory: "ANTHROPIC_API_KEY", "RETAIN_EMBEDDING_KEY". */
const KEYS = /_API_KEY$|^(?:ANTHROPIC|OPENAI|CLAUDE)\w*_TOKEN$|^RETAIN_\w*(?:KEY|TOKEN)$/i;

/** Nobody is there to answer a question or to leave a pager. */
const UNATTENDED = { TERM: "dumb", NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/** `secrets` names variables that settings say hold keys. */
export function commandEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !KEYS.test(name) && !secrets.includes(name)) kept[name] = value;
  return { ...kept, ...UNATTENDED };
}
