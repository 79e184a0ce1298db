/** Cleans a message before it is stored. */
import { withoutRecalled } from "../marks/marks.ts";
import { withoutPrivate } from "./private.ts";
import { redactSecrets } from "./secrets.ts";

/** Removes private parts, secrets and recalled text, which search would otherwise find twice. */
export function storable(text: string, allowSecret: boolean): string {
  const open = withoutRecalled(withoutPrivate(text)).replaceAll("\0", "");
  return allowSecret ? open : redactSecrets(open);
}
