/** A bank's documents on the server, with their original texts. */
import { type HindsightClient, segment } from "./client.ts";
import { DOCUMENT, DOCUMENTS, type WireDocument } from "./protocol.ts";

/** Timeout of a read, while a person waits. */
export const READ_MS = 10_000;
const PAGE = 500;
/** Far more than a bank has; stops a server that returns pages forever. */
const MOST_PAGES = 1_000;

/** null if there is none. Throws `remote`. */
export async function documentOf(
  client: HindsightClient,
  id: string,
  withinMs: number,
): Promise<WireDocument | null> {
  const path = `/documents/${segment(id)}`;
  const reply = await client.call({ method: "GET", path, answer: DOCUMENT, withinMs });
  if (reply.ok) return reply.value;
  if (reply.status === 404) return null;
  throw client.error(reply);
}

/** All ids with this prefix; none if the bank doesn't exist. Throws `remote`. */
export async function documentIds(
  client: HindsightClient,
  beginning: string,
  withinMs: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const found = new Set<string>();
  for (let page = 0; page < MOST_PAGES; page++) {
    const offset = page * PAGE;
    const reply = await client.call({
      method: "GET",
      path: "/documents",
      query: { q: beginning, limit: String(PAGE), offset: String(offset) },
      answer: DOCUMENTS,
      withinMs,
      ...(signal === undefined ? {} : { signal }),
    });
    if (!reply.ok && reply.status === 404) break;
    if (!reply.ok) throw client.error(reply);
    const { items, total } = reply.value;
    for (const { id } of items) if (id.startsWith(beginning)) found.add(id);
    if (items.length === 0 || offset + items.length >= total) break;
  }
  return [...found];
}
