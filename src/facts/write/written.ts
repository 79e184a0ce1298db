/** What is to be written as one change, and what was. */
import type { FactSource } from "../../core/facts/history.ts";
import type { FactScope } from "../../core/memory.ts";
import type { QueuedItem } from "../../core/ports/backend.ts";
import type { Nearby } from "../compare/decide.ts";

export interface NewFact {
  readonly text: string;
  readonly category: string | null;
  readonly chat: string | null;
  readonly source: FactSource;
  /** Unconfirmed: it goes to INFERRED.md and never replaces a fact that was saved on purpose. */
  readonly inferred?: boolean;
  /** Compares it only with facts that have the same tags. A fact with the same text gets the missing tags. */
  readonly sameTags?: boolean;
  /** Skips it if a similar fact was saved after `since`: the model that answered has saved it in its own words. */
  readonly unlessSavedSince?: boolean;
  /** ISO 8601: when it was first noted, if earlier than now. */
  readonly since?: string;
  /** The key its writer gave it: it replaces the fact with this key, whatever the words. */
  readonly key?: string | null;
  /** Ids, or starts of ids, of the facts it replaces. If the text is empty, these facts end. */
  readonly replaces?: readonly string[];
  /** "2026-11-20": its last day. Default: the day that its text names. */
  readonly until?: string | null;
  /** Why it replaces or ends them, in its writer's words. */
  readonly because?: string;
  /** Ids of facts its writer compared it with. Those it doesn't replace raise no doubt. */
  readonly seen?: readonly string[];
  /** The writer's own choice: this project only, or the home workspace for all projects. */
  readonly scope?: FactScope | undefined;
  /** What a model that read a conversation says it is about. Default: see `isAboutPerson`. */
  readonly about?: "person" | "project";
  /** Context and tags, for a backend that stores them separately; locally, both are tags. */
  readonly asGiven?: { readonly context: string; readonly tags: readonly string[] };
}

export interface NewNote {
  readonly title: string;
  readonly text: string;
  readonly chat: string | null;
}

export interface ToWrite {
  readonly facts: readonly NewFact[];
  readonly notes: readonly NewNote[];
  /** "" clears it; null leaves it unchanged. */
  readonly working: { readonly session: string; readonly text: string } | null;
  /** Fail with `not_found`, with nothing stored, if a fact names one to replace that isn't there. */
  readonly mustReplace?: boolean;
}

export interface Written {
  readonly saved: {
    readonly kind: "fact" | "note";
    readonly id: string;
    readonly text: string;
    readonly file: string;
    /** The text of the fact it may replace; a person decides. */
    readonly doubts?: string;
    /** A fact's last day. */
    readonly until?: string;
    /** The fact was known, and only its last day or its tags changed. */
    readonly wasKnown?: true;
    /** Known facts that its writer may want to replace or end. */
    readonly nearby?: readonly (Nearby & { readonly created_at: string })[];
    /** It is saved at home, for all projects, from inside a project. */
    readonly everywhere?: true;
    /** It is saved in a project's workspace that others get with the repository. */
    readonly shared?: true;
  }[];
  readonly skipped: { readonly text: string; readonly as: string; readonly why: string }[];
  readonly superseded: {
    readonly id: string;
    readonly text: string;
    readonly by: string;
    readonly why: string;
  }[];
  /** Facts that ended without a replacement. */
  readonly ended: { readonly id: string; readonly text: string }[];
  /** Ids to replace or end that match no fact here. */
  readonly unknown: string[];
  /** Durable here, not yet confirmed by the server. Omitted if no server stores the facts. */
  readonly queued?: readonly (QueuedItem & { readonly everywhere?: true })[];
  readonly working: "replaced" | "cleared" | "unchanged";
}

/** Merges the results of several changes. */
export function together(parts: readonly Written[]): Written {
  return {
    saved: parts.flatMap(({ saved }) => saved),
    skipped: parts.flatMap(({ skipped }) => skipped),
    superseded: parts.flatMap(({ superseded }) => superseded),
    ended: parts.flatMap(({ ended }) => ended),
    unknown: parts.flatMap(({ unknown }) => unknown),
    ...(parts.some(({ queued }) => queued !== undefined) && {
      queued: parts.flatMap(({ queued = [] }) => queued),
    }),
    working: parts.find(({ working }) => working !== "unchanged")?.working ?? "unchanged",
  };
}
