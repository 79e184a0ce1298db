/**
 * "Where do I live?": of facts that match nearly as well, one about the person comes before one about "my mother", who lives elsewhere.
 * Neither words nor vectors tell them apart.
 */
import { raisedTo, type Shown } from "./fuse.ts";
import type { Query } from "./query.ts";

const NEARLY = 0.9;
const ME = /(?<!\p{L})(?:i|we|ich|wir|yo|je|nous)(?!\p{L})/iu;
const BY_ME = /^(?:i|we|user|ich|wir|yo|je|nous)(?!\p{L})/iu;
const BY_MINE = /^(?:my|our|user['’]s|meine?|unsere?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos) /iu;

export function ownFirst(hits: readonly Shown[], { text }: Query): readonly Shown[] {
  const [best] = hits;
  if (best === undefined || !ME.test(text) || !isFact(best, BY_MINE)) return hits;
  const own = hits.find((hit) => isFact(hit, BY_ME) && hit.score >= best.score * NEARLY);
  if (own === undefined) return hits;
  return [raisedTo(best.score, own, "about you"), ...hits.filter((hit) => hit !== own)];
}

function isFact({ shown: { kind, text } }: Shown, subject: RegExp): boolean {
  return kind === "fact" && subject.test(text);
}
