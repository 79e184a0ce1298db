/**
 * Splits a conversation that is too large for one request into two parts, each named by the number of its first turn. The cut
 * depends only on the number of turns, in powers of two, so that a growing conversation is cut at the same places again.
 */
import type { WireItem } from "./protocol.ts";
import { parseTranscript, printTranscript } from "./transcript.ts";

const STRETCH = /^(?<conversation>(?:[0-9a-f]{8}:)?session:[^#]*)(?:#(?<from>\d{1,9}))?$/;

/** null unless it is a conversation with at least two turns. */
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
