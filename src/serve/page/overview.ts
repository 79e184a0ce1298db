/** Calls for the overview of the memory. */

import { existsSync } from "node:fs";
import { BY_MEMORY } from "../../core/sessions/conversation.ts";
import { DAY_MS, localDay } from "../../util/days.ts";
import * as z from "../../util/zod.ts";
import { call } from "./call.ts";

/** Background work is summed up over this many days. */
const DAYS = 30;

export const overviewCalls = {
  overview: call(z.strictObject({}), async ({ retain }) => {
    const since = localDay(new Date(retain.now().getTime() - (DAYS - 1) * DAY_MS).toISOString());
    const context = await retain.sessions.lastContext();
    return {
      ...(await retain.overview()),
      today: localDay(retain.now().toISOString()),
      background: { days: DAYS, spent: await retain.learning.spentSince(since) },
      /** Its model is null if the answer was quoted from memory, without one. */
      context: context && { ...context, model: context.model === BY_MEMORY ? null : context.model },
    };
  }),

  /** Where memory is stored, and why there: what `retain where` prints. */
  where: call(z.strictObject({}), async ({ retain }) => {
    const { workspace, choice, routes, documents } = retain;
    const { kind, root, collections, configFile } = workspace;
    return {
      kind,
      root,
      exists: existsSync(root),
      reasons: choice.reasons,
      person: routes.person,
      rest: routes.rest,
      reads: routes.reads,
      collections,
      conversations: routes.conversations,
      configFile,
      versions: documents.versioning,
    };
  }),
};
