/** What to look up for a prompt. */
import { isChitChat } from "../../core/language/chit-chat.ts";

/** The request is at the beginning or end of a long prompt; the middle is mostly pasted. */
const QUERY_LENGTH = 600;

/** "" for small talk and for commands of Claude Code, which are not questions for memory. */
export function queryOf(prompt: string): string {
  const said = prompt.trim();
  const query =
    said.length <= 2 * QUERY_LENGTH ? said : `${said.slice(0, QUERY_LENGTH)}\n${said.slice(-QUERY_LENGTH)}`;
  return /^[/!#]/.test(said) || isChitChat(query, true) ? "" : query;
}
