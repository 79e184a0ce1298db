/** What stands between what somebody said and what is kept: parts that are private, and secrets. */
import { withoutPrivate } from "../core/marks.ts";
import { findSecrets, redactSecrets } from "../core/secrets.ts";

export interface Refusal {
  /** Without the secret. */
  readonly text: string;
  readonly why: string;
}

/** The text as it may be kept; a refusal where it holds a secret. */
export function guarded(text: string, allowSecret: boolean): { text: string } | { refusal: Refusal } {
  const open = withoutPrivate(text);
  const [secret] = allowSecret ? [] : findSecrets(open);
  if (secret === undefined) return { text: open };
  return { refusal: { text: redactSecrets(open), why: `it holds ${secret.what}` } };
}

/** A message as it is stored: nothing private, no secret. */
export function storable(text: string, allowSecret: boolean): string {
  const open = withoutPrivate(text).replaceAll("\0", "");
  return allowSecret ? open : redactSecrets(open);
}
