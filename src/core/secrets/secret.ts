/** What the guard against secrets finds. The finders (`secret-*.ts`) give these, `secrets.ts` puts them together. */

export interface Secret {
  /** In words for a person: "an Anthropic API key", "a private key", "a password in a URL". */
  what: string;
  start: number;
  end: number;
}

/** What stands in a text where a secret was. */
export const REMOVED = "[secret removed]";

/** Looks for one family of secrets, in any order. Must take linear time for any text, and never throw. */
export type SecretFinder = (text: string) => Secret[];
