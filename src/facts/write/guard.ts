/** Removes private parts from a text and refuses secrets before anything is saved. */
import { RetainError } from "../../core/errors.ts";
import { hint, option } from "../../core/hint.ts";
import { withoutPrivate } from "../../core/secrets/private.ts";
import { findSecrets, redactSecrets } from "../../core/secrets/secrets.ts";
import { withoutControls } from "../../util/text.ts";

export interface Refusal {
  /** Without the secret. */
  readonly text: string;
  readonly why: string;
}

/** The text without private parts and control characters, or a refusal if it contains a secret. */
export function guarded(text: string, allowSecret: boolean): { text: string } | { refusal: Refusal } {
  const open = withoutControls(withoutPrivate(text));
  const [secret] = allowSecret ? [] : findSecrets(open);
  if (secret === undefined) return { text: open };
  return { refusal: { text: redactSecrets(open), why: `it contains ${secret.what}` } };
}

/** Throws `secret` if a name, tag or other text saved along with a fact contains one. */
export function requireNoSecret(texts: readonly (string | undefined)[], allowSecret: boolean): void {
  for (const text of texts) {
    const checked = guarded(text ?? "", allowSecret);
    if ("refusal" in checked) throw secretError(checked.refusal);
  }
}

export function secretError({ why }: Refusal): RetainError {
  return new RetainError(
    "secret",
    `Not saved: ${why}.`,
    hint`Remove it, or pass ${option("allow-secret")} if it isn't a secret.`,
  );
}
