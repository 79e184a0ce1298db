/** What went wrong, and what to do about it. */
import type { CallFailed } from "../api.ts";

export function Failure({ error }: { readonly error: CallFailed }) {
  return (
    <div className="note error" role="alert">
      {error.message}
      {error.hint !== null && <div>{error.hint}</div>}
    </div>
  );
}
