/** A secret found in a text. The finders in this directory return these, and `secrets.ts` merges them. */

export interface Secret {
  /** For messages: "an Anthropic API key", "a private key", "a password in a URL". */
  what: string;
  start: number;
  end: number;
}

/** Replaces a secret in a text. */
export const REMOVED = "[secret removed]";

/** Finds one family of secrets, in any order. Must take linear time and never throw. */
export type SecretFinder = (text: string) => Secret[];
