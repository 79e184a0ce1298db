/** Claude Code wraps a hook's output in its own tags, and a model trusts text inside them as Claude Code's own. */
import { harmlessTags } from "../../util/harmless-tags.ts";

export const withoutHostTags = harmlessTags(["system-reminder"]);
