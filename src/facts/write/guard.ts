/** What stands between what somebody said and what is kept: parts that are private, and secrets. */
import { RetainError } from "../../core/errors.ts";
import { withoutPrivate } from "../../core/secrets/private.ts";
import { findSecrets, redactSecrets } from "../../core/secrets/secrets.ts";
import { withoutControls } from "../../util/text.ts";

export interface Refusal {
  /** Without the secret. */
  readonly text: string;
  readonly why: string;
}

/** The text as it may be kept; a refusal where it holds a secret. Characters that no text holds are left out. */
export function guarded(text: string, allowSecret: boolean): { text: string } | { refusal: Refusal } {
  const open = withoutControls(withoutPrivate(text));
  const [secret] = allowSecret ? [] : findSecrets(open);
  if (secret === undefined) return { text: open };
  return { refusal: { text: redactSecrets(open), why: `it holds ${secret.what}` } };
}

/** Throws `secret` where one of these, which are kept beside a text, holds one. */
export function requireNoSecret(texts: readonly (string | undefined)[], allowSecret: boolean): void {
  for (const text of texts) {
    const checked = guarded(text ?? "", allowSecret);
    if ("refusal" in checked) throw secretError(checked.refusal);
  }
}

export function secretError({ why }: Refusal): RetainError {
  return new RetainError(
    "secret",
    `This is not kept: ${why}.`,
    "Leave it out, or say --allow-secret if it is none.",
  );
}

/** Throws `usage`: no compiler checks what a program hands in. */
export function requireText(value: unknown, what: string): void {
  if (typeof value !== "string") throw new RetainError("usage", `${what} is a text, not ${typeof value}.`);
}
