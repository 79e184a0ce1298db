/** The passages that a reflection is written from, each with the id it is cited by. */
import { fenced } from "../../context/fence.ts";
import { dayOf, doubtOf, endOf, item, trustShown } from "../../context/recalled.ts";
import { choose } from "../../context/shorten.ts";
import { readReply } from "../../core/marks/marks.ts";
import type { Kind } from "../../core/memory.ts";
import type { RecallHit } from "../../recall/recall.ts";
import { truncate } from "../../util/text.ts";

export interface Passage {
  /** As in a citation's brackets: "3f9a2xw0c1", "plans/release-plan", "message:12". */
  readonly id: string;
  readonly text: string;
  readonly hit: RecallHit;
}

export interface Citation {
  readonly id: string;
  readonly kind: Kind;
  readonly text: string;
  /** "2026-11-15", in local time. */
  readonly date: string | null;
  readonly unconfirmed: boolean;
  /** The id of the fact that may replace it, until a person decides; null if none does. */
  readonly mayBeOutdatedBy: string | null;
}

/** In characters, so that one memory leaves room for others. */
const LONGEST_PASSAGE = 4_000;

/** A message's id is a bare number, so it gets a prefix. */
export function citedAs({ kind, source }: Pick<RecallHit, "kind" | "source">): string {
  return kind === "message" ? `message:${source}` : source;
}

export class Passages {
  readonly #given: Passage[] = [];
  readonly #seen = new Set<string>();

  /** Adds new hits, up to this many tokens. Returns how many were added. */
  add(hits: readonly RecallHit[], tokens: number): number {
    const news = hits
      .map(passageOf)
      .filter(({ id, text }) => text !== "" && !this.#seen.has(`${id}\0${text}`));
    const best = choose(news, printed, (chosen) => chosen.map(printed).join("\n"), tokens);
    for (const passage of best?.chosen ?? []) {
      this.#seen.add(`${passage.id}\0${passage.text}`);
      this.#given.push(passage);
    }
    return best?.chosen.length ?? 0;
  }

  /** The best hits for the original question come first. */
  get all(): readonly Passage[] {
    return this.#given;
  }

  get hits(): readonly RecallHit[] {
    return this.#given.map(({ hit }) => hit);
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#given.map(({ id }) => id));
  }

  /** For the model. */
  get text(): string {
    return fenced("Memories", this.#given.map(printed).join("\n"));
  }

  citations(ids: readonly string[]): Citation[] {
    return ids.flatMap((id) => {
      const passage = this.#given.find((one) => one.id === id);
      if (passage === undefined) return [];
      const { kind, at, unconfirmed = false, mayBeOutdatedBy = null } = passage.hit;
      return [{ id, kind, text: passage.text, date: dayOf(at)[0] ?? null, unconfirmed, mayBeOutdatedBy }];
    });
  }
}

function passageOf(hit: RecallHit): Passage {
  const said = (hit.kind === "message" ? readReply(hit.text).visible : hit.text).trim();
  return { id: citedAs(hit), text: truncate(said, LONGEST_PASSAGE), hit };
}

function printed({ id, text, hit }: Passage): string {
  const by = hit.speaker === null ? "" : ` of ${hit.speaker}`;
  const marks = [...endOf(hit.until), ...doubtOf(hit.mayBeOutdatedBy)];
  return item([`[${id}]`, ...dayOf(hit.at), `${hit.kind}${by}`, trustShown(hit), ...marks], text);
}
