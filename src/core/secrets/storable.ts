/** What stands between what somebody said and what a conversation keeps of it. */
import { withoutRecalled } from "../marks/marks.ts";
import { withoutPrivate } from "./private.ts";
import { redactSecrets } from "./secrets.ts";

/** A message as it is stored: nothing private, no secret, and nothing that was recalled, which would be found twice. */
export function storable(text: string, allowSecret: boolean): string {
  const open = withoutRecalled(withoutPrivate(text)).replaceAll("\0", "");
  return allowSecret ? open : redactSecrets(open);
}
