/** Replays a person's sessions with their own memory and a simulated clock. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain, type Retain, type RetainOptions } from "../../src/index.ts";
import { type Gold, matches, type Person } from "./people.ts";

export interface KnownFact {
  readonly id: string;
  readonly text: string;
  readonly ended_at: string | null;
}

/** Writes a mark the way a model would, given the facts it sees. */
export type Marking = (mark: string, live: readonly KnownFact[]) => string;

export const plain: Marking = (mark) => `[MEMORY] ${mark}`;

/** Marks that name the facts they replace. */
export function naming({ facts }: Gold): Marking {
  return (mark, live) => {
    const next = facts.find(({ match }) => matches(match, mark));
    const old = facts.filter(({ ended_by }) => next !== undefined && ended_by === next.id);
    const ids = live.filter(({ text }) => old.some(({ match }) => matches(match, text))).map(({ id }) => id);
    return ids.length === 0 ? plain(mark, live) : `[MEMORY replaces ${ids.join(", ")}] ${mark}`;
  };
}

/** Marks with the fact's key, if it has one. */
export function keyed({ facts }: Gold): Marking {
  return (mark, live) => {
    const key = facts.find((fact) => fact.key !== undefined && matches(fact.match, mark))?.key;
    return key === undefined ? plain(mark, live) : `[MEMORY key="${key}"] ${mark}`;
  };
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export function moment(date: string, minute: number, daysLater = 0): Date {
  return new Date(Date.parse(`${date}T09:00:00Z`) + daysLater * DAY_MS + minute * MINUTE_MS);
}

export class Life {
  readonly retain: Retain;
  now = new Date("2026-01-01T09:00:00Z");

  constructor(home: string, options: RetainOptions = {}) {
    mkdirSync(home, { recursive: true });
    const clock = () => new Date(this.now);
    this.retain = openRetain({ cwd: home, homeDirectory: home, env: {}, clock, ...options });
  }

  async facts(): Promise<KnownFact[]> {
    return this.retain.facts.list({ which: "all" });
  }

  async say(session: string, from: number, role: "user" | "assistant", content: string): Promise<void> {
    const turns = [{ role, content, at: this.now.toISOString() }];
    await this.retain.facts.writeTurns({ session, from, turns });
  }

  [Symbol.dispose](): void {
    this.retain.close();
  }
}

/** Like the chat and hooks: stores the user's turn, then the reply with its marks. Returns all facts, including ended ones. */
export async function liveWithMarks(
  home: string,
  { sessions }: Person,
  marking: Marking,
  distractors: readonly string[],
): Promise<KnownFact[]> {
  using life = new Life(home);
  if (distractors.length > 0) {
    mkdirSync(join(home, ".retain/memories"), { recursive: true });
    const bullets = distractors.map((text) => `- ${text}\n`).join("");
    writeFileSync(join(home, ".retain/memories/MEMORY.md"), `# Memory\n\n${bullets}`);
    await life.facts();
  }
  for (const { id, date, turns } of sessions)
    for (const [index, { role, text, marks = [] }] of turns.entries()) {
      life.now = moment(date, index);
      if (role === "user") await life.say(id, index, role, text);
      else {
        const live = (await life.facts()).filter(({ ended_at }) => ended_at === null);
        const reply = [text, ...marks.map((mark) => marking(mark, live))].join("\n");
        await life.retain.facts.ingest(reply, { session: id });
      }
    }
  return await life.facts();
}

/** Without a model: stores the turns, and nothing is marked. */
export async function liveWithTurns(home: string, { sessions }: Person): Promise<KnownFact[]> {
  using life = new Life(home);
  for (const { id, date, turns } of sessions)
    for (const [index, { role, text }] of turns.entries()) {
      life.now = moment(date, index);
      await life.say(id, index, role, text);
    }
  return await life.facts();
}

/** Asks every question twice before, in other sessions, without an answer. */
export async function askInVain(home: string, { gold, sessions }: Person): Promise<void> {
  using life = new Life(home);
  const last = sessions.at(-1)?.date ?? "2026-01-01";
  for (const round of [1, 2])
    for (const [index, { id, q }] of gold.questions.entries()) {
      const session = `echo-${round}-${id}`;
      life.now = moment(last, index * 5, round);
      await life.say(session, 0, "user", q);
      life.now = moment(last, index * 5 + 1, round);
      await life.say(session, 1, "assistant", "I am not sure.");
    }
}
