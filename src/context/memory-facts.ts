/**
 * The facts of one MEMORY.md. If they don't fit, the newest and the most used go in. A conversation keeps its choice while every
 * chosen fact is valid, so that its prompt prefix stays the same.
 */
import { bulletsOf, GENERAL } from "../core/facts/bullets.ts";
import { asOf, type Fact } from "../core/facts/fact.ts";
import { command } from "../core/hint.ts";
import { localDay } from "../util/days.ts";
import type { ContextWorkspace, FirstShown } from "./ports.ts";
import { choose, shortenMarkdown } from "./shorten.ts";

/** Characters per token at most. Estimating tokens is slow, and only some of thousands of facts can fit. */
const MOST_CHARACTERS = 8;

interface FactsOfFile {
  /** The facts that its bullets state, including those whose last day is over. */
  readonly there: readonly Fact[];
  readonly holding: readonly Fact[];
}

export class MemoryFacts {
  readonly #key: string;
  #known: FactsOfFile | null = null;

  constructor(
    private readonly workspace: Pick<ContextWorkspace, "origin" | "facts">,
    private readonly path: string,
    private readonly firstShown: FirstShown | undefined,
    private readonly now: Date,
  ) {
    this.#key = `${workspace.origin} ${path}`;
  }

  /** The valid ones. */
  get all(): readonly Fact[] {
    return this.#facts.holding;
  }

  get #facts(): FactsOfFile {
    this.#known ??= this.#read();
    return this.#known;
  }

  #read(): FactsOfFile {
    const there = this.workspace.facts
      .all()
      .filter(({ file, ended_at }) => file === this.path && ended_at === null);
    return { there, holding: asOf(there, this.now).filter(({ ended_at }) => ended_at === null) };
  }

  /** The choice that this conversation was shown; null if there is none, or if a fact in it is no longer valid. */
  get shownBefore(): string | null {
    const choice = this.firstShown?.facts.get(this.#key);
    if (choice === undefined) return null;
    const ids = new Set(choice.ids);
    const still = this.all.filter(({ id }) => ids.has(id));
    return still.length === ids.size ? printFacts(still, choice.of) : null;
  }

  /** The whole file: other text, then the facts. */
  print(content: string): string {
    if (this.#facts.there.length === 0) return content;
    return [proseOf(content), printFacts(this.all)].filter((part) => part !== "").join("\n\n");
  }

  /** As many facts as fit, and remembers the choice; null if none fits. `print` adds the title. */
  shorten(print: (content: string) => string, content: string, tokens: number): string | null {
    if (this.all.length === 0) return shortenMarkdown(print, this.print(content), tokens);
    const of = this.all.length;
    const render = (chosen: readonly Fact[]) => {
      const some = new Set(chosen);
      return print(
        printFacts(
          this.all.filter((fact) => some.has(fact)),
          of,
        ),
      );
    };
    const ranked = byTurns(this.all, this.workspace.facts.uses());
    const best = choose(upTo(tokens * MOST_CHARACTERS, ranked), ({ text }) => `- ${text}`, render, tokens);
    if (best === null) return null;
    this.firstShown?.facts.set(this.#key, { ids: best.chosen.map(({ id }) => id), of });
    return best.text;
  }
}

/** Alternates between the newest and the most used, so that neither crowds out the other. */
function byTurns(facts: readonly Fact[], uses: ReadonlyMap<string, number>): Fact[] {
  const usesOf = ({ id }: Fact) => uses.get(id) ?? 0;
  const newest = facts
    .map((fact) => ({ fact, time: timeOf(fact) }))
    .sort((a, b) => b.time - a.time || b.fact.position - a.fact.position)
    .map(({ fact }) => fact);
  const used = newest.filter((fact) => usesOf(fact) > 0).sort((a, b) => usesOf(b) - usesOf(a));
  return [...new Set(newest.flatMap((fact, turn) => [fact, used[turn] ?? fact]))];
}

/** The first facts up to this many characters in total. Skips a fact that alone exceeds it. */
function upTo(characters: number, facts: readonly Fact[]): Fact[] {
  const some: Fact[] = [];
  let left = characters;
  for (const fact of facts) {
    if (fact.text.length > characters) continue;
    left -= fact.text.length;
    if (left < 0) break;
    some.push(fact);
  }
  return some;
}

/** Enough of an id for a model to name the fact and for Retain to find it. */
export const SHOWN_ID = 6;
const SHOWN = /^[0-9a-v]{6} \(\d{4}-\d\d-\d\d[^)]*\): /;

/** Removes the id that `printFacts` added; other text is unchanged. */
export function withoutShownId(bullet: string): string {
  return bullet.replace(SHOWN, "");
}

/** Oldest first, each with its id and date. */
export function printFacts(facts: readonly Fact[], of = facts.length): string {
  const newer = new Map(
    facts.flatMap((fact) => (fact.doubts === null ? [] : [[fact.doubts, fact] as const])),
  );
  // Facts that were added together have the same time, and finding its day is slow.
  const days = new Map<string, string>();
  const dayOf = (time: string) => days.get(time) ?? days.set(time, localDay(time)).get(time) ?? "";
  const list = facts
    .toSorted((a, b) => timeOf(a) - timeOf(b) || a.position - b.position)
    .map((fact) => {
      const { id, text, category, created_at, until } = fact;
      const doubt = newer.get(id);
      const remarks = [
        dayOf(created_at),
        ...(category === GENERAL ? [] : [category]),
        ...(until === null ? [] : [`until ${until}`]),
        ...(doubt === undefined ? [] : [`older, may be outdated by ${doubt.id.slice(0, SHOWN_ID)}`]),
      ].map((remark) => remark.replace(/[()]/g, ""));
      return `- ${id.slice(0, SHOWN_ID)} (${remarks.join("; ")}): ${text}`;
    })
    .join("\n");
  if (facts.length === of) return list;
  return (
    `${list}\n\n(${facts.length} of ${of} facts: the newest and the most used. ` +
    `Find others with the \`recall\` tool or \`${command("recall")}\`; \`${command("facts")}\` lists all.)`
  );
}

function timeOf({ created_at }: Fact): number {
  return Date.parse(created_at) || 0;
}

/** The text of a memory file besides its facts; "" if there are only headings. */
function proseOf(content: string): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of bulletsOf(content)) {
    rest += content.slice(from, start);
    from = Math.max(from, end);
  }
  rest += content.slice(from);
  return /^(?!#)\S/m.test(rest) ? rest.replace(/\n{3,}/g, "\n\n").trim() : "";
}
