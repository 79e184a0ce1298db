/** An answer without a model: sentences from the recalled memories, verbatim, each with its source. */
import { doubtOf } from "../../context/recalled.ts";
import { withEnd } from "../../core/facts/until.ts";
import { isStopWord } from "../../core/language/stop-words.ts";
import { plainInline } from "../../core/text/plain-text.ts";
import { sentencesOf } from "../../core/text/sentences.ts";
import { NOTHING_FOUND } from "../../recall/outcome.ts";
import { truncate, withoutControls, wordsIn } from "../../util/text.ts";
import type { Passage } from "./passages.ts";

const LABEL = "From memory, without a model:";

const MOST_SENTENCES = 10;
const MOST_OF_ONE = 2;
const LONGEST = 300;

interface Digest {
  readonly answer: string;
  readonly cited: readonly string[];
}

export function digest(passages: readonly Passage[], question: string): Digest {
  const wanted = new Set(wordsIn(question).filter((word) => !isStopWord(word)));
  const taken = passages
    .flatMap((passage) => telling(passage, wanted).map((text) => ({ id: passage.id, text })))
    .filter((one, index, all) => all.findIndex(({ text }) => text === one.text) === index)
    .slice(0, MOST_SENTENCES);
  if (taken.length === 0) return { answer: NOTHING_FOUND, cited: [] };
  const lines = taken.map(({ id, text }) => `- ${text} [${id}]`);
  return { answer: [LABEL, "", ...lines].join("\n"), cited: [...new Set(taken.map(({ id }) => id))] };
}

/**
 * The sentences that share most words with the question, in their original order; the first sentence if none shares any. A fact is
 * one statement, however many full stops it has ("Dra. Vega").
 */
function telling({ text, hit }: Passage, wanted: ReadonlySet<string>): string[] {
  if (hit.kind === "fact") {
    const doubt = doubtOf(hit.mayBeOutdatedBy).map((mark) => ` (${mark})`);
    const fact = withEnd(plain(text), hit.until);
    return fact === "" ? [] : [`${fact}${doubt.join("")}`];
  }
  const sentences = sentencesOf(text)
    .map(({ start, end }) => plain(text.slice(start, end)))
    .filter((sentence) => sentence !== "" && !(isTalk(hit) && sentence.endsWith("?")))
    .map((sentence, index) => ({ sentence, index, shared: sharedWith(sentence, wanted) }));
  const best = sentences
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || a.index - b.index)
    .slice(0, MOST_OF_ONE)
    .sort((a, b) => a.index - b.index);
  return (best.length > 0 ? best : sentences.slice(0, 1)).map(({ sentence }) => sentence);
}

/** What people said, who also ask. */
function isTalk({ kind }: Passage["hit"]): boolean {
  return kind === "message" || kind === "summary";
}

/** One line without list markers; "" for a heading, which says little on its own. */
function plain(sentence: string): string {
  const line = withoutControls(sentence).trim();
  if (/^#{1,6}\s/.test(line)) return "";
  return truncate(plainInline(line.replace(/^(?:[-*+>]|\d{1,9}[.)])\s+/, "")), LONGEST);
}

function sharedWith(sentence: string, wanted: ReadonlySet<string>): number {
  return new Set(wordsIn(sentence)).intersection(wanted).size;
}
