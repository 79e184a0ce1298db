/**
 * What the sub-agents of a session did that isn't stored with its turns yet. Several agents may add to it while the session's own
 * hook runs, so it has a record of its own, which is changed without the session's lock.
 */
import {
  type Activity,
  activityBeyond,
  isActive,
  NO_ACTIVITY,
  together,
} from "../../core/sessions/activity.ts";
import type { KeyedTexts } from "../../sqlite/keyed-texts.ts";
import { parseJson } from "../../util/json.ts";
import * as z from "../../util/zod.ts";

export class PendingActivity {
  readonly #key: string;

  constructor(
    private readonly records: KeyedTexts,
    session: string,
  ) {
    // No session's name has a dot.
    this.#key = `${session}.pending`;
  }

  read(): Activity {
    return parsed(this.records.read(this.#key));
  }

  /** Throws if it cannot be written. */
  add(activity: Activity): void {
    if (isActive(activity)) this.#change((before) => together(before, activity));
  }

  /** After `stored` was stored. What has been added since stays. Throws if it cannot be written. */
  remove(stored: Activity): void {
    if (isActive(stored)) this.#change((before) => activityBeyond(before, stored));
  }

  #change(edit: (before: Activity) => Activity): void {
    this.records.change(this.#key, new Date(), (text) => {
      const after = edit(parsed(text));
      return isActive(after) ? JSON.stringify(after) : null;
    });
  }
}

function parsed(text: string | null): Activity {
  if (text === null) return NO_ACTIVITY;
  const texts = z.array(z.string());
  const shape = z.object({ files: texts, removed: texts, commands: texts });
  return shape.safeParse(parseJson(text)).data ?? NO_ACTIVITY;
}
