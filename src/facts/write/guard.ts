/** Removes private parts from a text and refuses secrets before anything is saved. */
import { RetainError } from "../../core/errors.ts";
import { addressed, LONGEST_FACT, oneFact } from "../../core/facts/fact-text.ts";
import { command, hint, option } from "../../core/hint.ts";
import { withoutPrivate } from "../../core/secrets/private.ts";
import { findSecrets, redactSecrets } from "../../core/secrets/secrets.ts";
import { truncate, withoutControls } from "../../util/text.ts";

export interface Refusal {
  /** Without the secret, and shortened if it is too long. */
  readonly text: string;
  readonly why: string;
  readonly isTooLong?: true;
}

export type Guarded = { readonly text: string } | { readonly refusal: Refusal };

/** The text without private parts and control characters, or a refusal if it contains a secret. */
export function guarded(text: string, allowSecret: boolean): Guarded {
  const open = withoutControls(withoutPrivate(text));
  const [secret] = allowSecret ? [] : findSecrets(open);
  if (secret === undefined) return { text: open };
  return { refusal: { text: redactSecrets(open), why: `it contains ${secret.what}` } };
}

const LONGEST_SHOWN = 80;
const TOO_LONG = `a fact has at most ${LONGEST_FACT.toLocaleString("en")} characters; store a longer text as a document`;

/** A fact on one line under its key, "" if it has no content; or a refusal if it contains a secret or is too long. */
export function guardedFact(said: string, key: string | null, allowSecret: boolean): Guarded {
  const read = guarded(said, allowSecret);
  if ("refusal" in read) return read;
  const text = addressed(key, oneFact(read.text));
  if (text.length <= LONGEST_FACT) return { text };
  return { refusal: { text: truncate(text, LONGEST_SHOWN), why: TOO_LONG, isTooLong: true } };
}

/** Throws `secret` if a name, tag or other text saved along with a fact contains one. */
export function requireNoSecret(texts: readonly (string | undefined)[], allowSecret: boolean): void {
  for (const text of texts) {
    const checked = guarded(text ?? "", allowSecret);
    if ("refusal" in checked) throw refusalError(checked.refusal);
  }
}

export function refusalError({ why, isTooLong }: Refusal): RetainError {
  if (isTooLong)
    return new RetainError("invalid_input", `Not saved: ${why}.`, hint`For example: ${command("put", "-")}`);
  return new RetainError(
    "secret",
    `Not saved: ${why}.`,
    hint`Remove it, or pass ${option("allow-secret")} if it isn't a secret.`,
  );
}
