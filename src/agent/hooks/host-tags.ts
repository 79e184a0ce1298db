/** Claude Code puts what a hook says between tags of its own, and a model takes what stands between them for Claude Code's words. */
import { harmlessTags } from "../../util/harmless-tags.ts";

export const withoutHostTags = harmlessTags(["system-reminder"]);
