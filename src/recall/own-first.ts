/**
 * "Where do I live?": of facts that match nearly as well, one about the person comes before one about "my mother", who lives elsewhere.
 * Neither words nor vectors tell them apart.
 */
import { SELF } from "../core/language/function-words.ts";
import { wordsIn } from "../util/text.ts";
import { raisedTo, type Shown } from "./fuse.ts";
import type { Query } from "./query.ts";

const NEARLY = 0.9;
const MINE = /^(?:my|our|user['’]s|meine?|unsere?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos) /iu;

export function ownFirst(hits: readonly Shown[], { text }: Query): readonly Shown[] {
  const [best] = hits;
  const asksOfSelf = wordsIn(text).some((word) => SELF.has(word));
  if (best === undefined || !asksOfSelf || !isFact(best) || !MINE.test(best.shown.text)) return hits;
  const isOwn = (hit: Shown) => isFact(hit) && isAboutSelf(hit.shown.text);
  const own = hits.find((hit) => isOwn(hit) && hit.score >= best.score * NEARLY);
  if (own === undefined) return hits;
  return [raisedTo(best.score, own, "about you"), ...hits.filter((hit) => hit !== own)];
}

function isFact({ shown: { kind } }: Shown): boolean {
  return kind === "fact";
}

function isAboutSelf(text: string): boolean {
  const [first = ""] = wordsIn(text);
  return SELF.has(first) || first === "user";
}
