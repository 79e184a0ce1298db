/** The query, filters and open memory of the memory view, as its URL has them: "#/memory/notes/gpu?q=shader&kind=document". */
import type { Input } from "../../serve/page/table.ts";
import { linkTo, type Route } from "../route.ts";

/** "" means no filter. */
export interface MemoryQuery {
  readonly q: string;
  readonly kind: string;
  readonly collection: string;
  readonly tag: string;
  readonly since: string;
  readonly until: string;
  readonly scope: string;
  readonly status: string;
}

/** The memory that is open. Only documents have a collection. */
export interface Selected {
  readonly id: string;
  readonly collection?: string | undefined;
  /** Of a document that another workspace may have too. */
  readonly origin?: "project" | "home" | undefined;
}

export const KINDS = [
  { value: "", label: "All kinds" },
  { value: "fact", label: "Facts" },
  { value: "document", label: "Documents" },
  { value: "note", label: "Notes" },
  { value: "message", label: "Conversations" },
  { value: "mental-model", label: "Mental models" },
] as const;

export const STATES = [
  { value: "", label: "Current" },
  { value: "ended", label: "Ended" },
  { value: "unconfirmed", label: "Unconfirmed" },
] as const;

export const SCOPES = [
  { value: "", label: "All scopes" },
  { value: "project", label: "Project" },
  { value: "home", label: "Home" },
] as const;

export function queryFrom({ query }: Pick<Route, "query">): MemoryQuery {
  const value = (name: string) => query.get(name) ?? "";
  const known = (name: string, options: readonly { readonly value: string }[]) =>
    options.find((option) => option.value === query.get(name))?.value ?? "";
  return {
    q: value("q"),
    kind: known("kind", KINDS),
    collection: value("collection"),
    tag: value("tag"),
    since: value("since"),
    until: value("until"),
    scope: known("scope", SCOPES),
    status: known("status", STATES),
  };
}

/** null if only the list is shown. */
export function selectedFrom({ path: [, first = "", ...rest], query }: Route): Selected | null {
  if (first === "") return null;
  if (rest.length === 0) return { id: first };
  const origin = query.get("from") === "home" ? { origin: "home" as const } : {};
  return { collection: first, id: rest.join("/"), ...origin };
}

export function linkOf(query: MemoryQuery, selected: Selected | null = null): string {
  const path =
    selected === null ? [] : selected.collection ? [selected.collection, selected.id] : [selected.id];
  return linkTo(["memory", ...path], { ...query, from: selected?.origin ?? "" });
}

/** How many filters are set besides the query. */
export function filterCount({ q: _, ...filters }: MemoryQuery): number {
  return Object.values(filters).filter((value) => value !== "").length;
}

function limits({ collection, tag, since, until, scope }: MemoryQuery) {
  const limit = <T>(value: string, as: T) => (value === "" ? undefined : as);
  return {
    collection: limit(collection, collection),
    tags: limit(tag, [tag]),
    since: limit(since, since),
    until: limit(until, until),
    origin: limit(scope, scope as "project" | "home"),
  };
}

const MOST_HITS = 100;

/** null if memories or mental models are listed instead. A search finds neither ended facts nor unconfirmed ones alone. */
export function searchInput(query: MemoryQuery): Input<"search"> | null {
  const { q, kind, status } = query;
  if (q.trim() === "" || status !== "" || kind === "mental-model") return null;
  const kinds = {
    fact: ["fact"],
    document: ["document"],
    note: ["note"],
    message: ["message", "summary"],
  } as const;
  return {
    query: q,
    ...(kind !== "" && { kinds: [...kinds[kind as keyof typeof kinds]] }),
    ...limits(query),
    limit: MOST_HITS,
  };
}

/** null if memories are searched, or for conversations and mental models, which have their own lists. */
export function listInput(query: MemoryQuery): Omit<Input<"memories">, "offset" | "limit"> | null {
  const { q, kind, status } = query;
  if (searchInput(query) !== null || kind === "message" || kind === "mental-model") return null;
  return {
    ...(kind !== "" && { kinds: [kind as "fact" | "document" | "note"] }),
    ...limits(query),
    ...(status !== "" && { status: status as "ended" | "unconfirmed" }),
    ...(q.trim() !== "" && { words: q }),
  };
}
