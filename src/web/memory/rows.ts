/** The rows of the list: search hits, or pages of all memories that are loaded as they come into view. */
import { useEffect, useRef, useState } from "react";
import type { Answer, Input } from "../../serve/page/table.ts";
import { CallFailed, call } from "../api.ts";
import { useRevision } from "../changes.ts";
import { nextRequest, useAbortOnChange, useCall } from "../use-call.ts";
import { listInput, type MemoryQuery, searchInput } from "./query.ts";

type Hit = Answer<"search">["hits"][number];
type Item = Answer<"memories">["items"][number];

export interface Row
  extends Pick<Hit, "kind" | "origin" | "collection" | "id" | "title" | "text" | "tags" | "at"> {
  readonly isUnconfirmed: boolean;
  readonly hasEnded: boolean;
  /** Whether a newer fact may replace it. */
  readonly isInDoubt: boolean;
  readonly speaker: string | null;
  /** null in a list. */
  readonly score: Pick<Hit, "score" | "reasons" | "guessed"> | null;
}

export interface Rows {
  /** null before the first answer. */
  readonly total: number | null;
  /** null while it is loading. */
  row(index: number): Row | null;
  /** The words searched for. */
  readonly words: readonly string[];
  /** Why the search found less than it should. */
  readonly warnings: readonly string[];
  /** Whether these are still the rows of the previous query. */
  readonly isOutdated: boolean;
  readonly error: CallFailed | null;
}

/** Indexes of the rows in view. */
export interface InView {
  readonly first: number;
  readonly last: number;
}

/** Keeps the previous query's rows until the next ones arrive, so that the list doesn't flicker. */
export function useRows(query: MemoryQuery, inView: InView): Rows {
  const rows = useCurrentRows(query, inView);
  const last = useRef(rows);
  if (rows.total !== null) last.current = rows;
  if (rows.total !== null || rows.error !== null) return rows;
  return { ...last.current, isOutdated: last.current.total !== null };
}

function useCurrentRows(query: MemoryQuery, inView: InView): Rows {
  const search = searchInput(query);
  const hits = useCall("search", search);
  const pages = usePages(search === null ? listInput(query) : null, inView);
  if (search === null) return pages;
  const { data, isOutdated, error } = hits;
  return {
    total: data?.hits.length ?? null,
    row: (index) => hitRow(data?.hits[index]),
    words: data?.words ?? [],
    warnings: data?.warnings ?? [],
    // After a failure, no newer answer is coming.
    isOutdated: isOutdated && error === null,
    error,
  };
}

const PAGE = 100;

interface Loaded {
  readonly key: string;
  readonly total: number;
  readonly pages: ReadonlyMap<number, Page>;
}

interface Page {
  readonly revision: string;
  readonly request: number;
  readonly items: readonly Item[];
}

/** Keeps what it has until newer pages arrive. */
function usePages(input: Omit<Input<"memories">, "offset" | "limit"> | null, { first, last }: InView): Rows {
  const revision = useRevision();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<CallFailed | null>(null);
  const key = JSON.stringify(input);
  const from = Math.floor(first / PAGE);
  const to = Math.max(from, Math.floor(last / PAGE));
  const abort = useAbortOnChange(`${key} ${from} ${to}`);
  useEffect(() => {
    if (key === "null") return;
    const signal = abort.current;
    const request = nextRequest();
    const load = async (page: number) => {
      const query = JSON.parse(key) as Omit<Input<"memories">, "offset" | "limit">;
      const answer = await call(
        "memories",
        { ...query, offset: page * PAGE, limit: PAGE, seen: revision || undefined },
        signal,
      );
      if (signal.aborted) return;
      setError(null);
      setLoaded((before) => {
        const pages = new Map(before?.key === key ? before.pages : []);
        if (request < (pages.get(page)?.request ?? 0)) return before;
        pages.set(page, { revision, request, items: answer.items });
        return { key, total: answer.total, pages };
      });
    };
    for (let page = from; page <= to; page++) {
      const known = loaded?.key === key ? loaded.pages.get(page) : undefined;
      if (known?.revision === revision) continue;
      load(page).catch((failure: unknown) => {
        if (signal.aborted) return;
        if (!(failure instanceof CallFailed)) throw failure;
        setError(failure);
      });
    }
    // Not `loaded`: an answer must not ask for other pages again.
  }, [key, revision, from, to, abort]);
  const isOther = loaded !== null && loaded.key !== key;
  // After a failure, no newer answer is coming, and another query's rows would look like this one's.
  const total = isOther && error !== null ? null : (loaded?.total ?? null);
  return {
    total: key === "null" ? 0 : total,
    row: (index) => itemRow(loaded?.pages.get(Math.floor(index / PAGE))?.items[index % PAGE]),
    words: [],
    warnings: [],
    isOutdated: key !== "null" && isOther && error === null,
    error,
  };
}

function hitRow(hit: Hit | undefined): Row | null {
  if (hit === undefined) return null;
  const { kind, origin, collection, id, title, heading, text, tags, at, speaker, score, reasons, guessed } =
    hit;
  return {
    ...{ kind, origin, collection, id, title: title === null || heading === "" ? title : heading },
    ...{
      text,
      tags,
      at,
      speaker,
      isUnconfirmed: hit.unconfirmed === true,
      hasEnded: hit.replacedBy !== undefined,
      isInDoubt: hit.mayBeOutdatedBy !== undefined,
    },
    score: { score, reasons, guessed },
  };
}

function itemRow(item: Item | undefined): Row | null {
  if (item === undefined) return null;
  const { unconfirmed, ended_at, may_be_outdated_by, ...rest } = item;
  return {
    ...{ ...rest, speaker: null, isUnconfirmed: unconfirmed, hasEnded: ended_at !== null },
    ...{ isInDoubt: may_be_outdated_by !== null, score: null },
  };
}
