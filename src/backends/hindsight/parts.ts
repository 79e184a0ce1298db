/**
 * A conversation that is too large for one request, as two stretches: the second one is named by the number of its first turn,
 * as all stretches are. Where it is cut depends on as little as can be, so that a conversation that grows is cut where it was
 * cut before.
 */
import type { WireItem } from "./protocol.ts";
import { parseTranscript, printTranscript } from "./transcript.ts";

const STRETCH = /^(?<conversation>(?:[0-9a-f]{8}:)?session:[^#]*)(?:#(?<from>\d{1,9}))?$/;

/** null where it is no conversation, or has one turn alone. */
export function halvesOf(item: WireItem): [WireItem, WireItem] | null {
  const name = STRETCH.exec(item.document_id)?.groups;
  const turns = name === undefined ? [] : parseTranscript(item.content);
  if (name === undefined || turns.length < 2) return null;
  const cut = 2 ** Math.floor(Math.log2(turns.length - 1));
  const [first, second] = [turns.slice(0, cut), turns.slice(cut)];
  const document_id = `${name.conversation}#${Number(name.from ?? 0) + cut}`;
  return [
    { ...item, content: printTranscript(first), timestamp: first.at(-1)?.at ?? item.timestamp },
    { ...item, content: printTranscript(second), document_id },
  ];
}
