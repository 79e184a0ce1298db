/** SIGKILL during learning: after each step, and at random moments. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LearningPlace, sentences } from "../helpers/learning-place.ts";
import { shownIn } from "../helpers/learning-server.ts";
import { seededRandom } from "../helpers/seed.ts";

const ROUNDS = process.env.RETAIN_FIRE ? 40 : 3;
const SESSIONS = 3;
const random = seededRandom();

/** Conditions that show that a step is done. */
const STEPS: Readonly<Record<string, (place: LearningPlace) => boolean>> = {
  "the model was asked": ({ server }) => server.prompts.length > 0,
  "an answer is stored": (place) => storedAnswers(place).length > 0,
  "a fact is written": ({ sandbox }) => existsSync(join(sandbox.memory, "memories/INFERRED.md")),
  "the ledger has a line": ({ sandbox }) => existsSync(join(sandbox.memory, "learning/ledger.jsonl")),
};

function storedAnswers({ sandbox }: LearningPlace): string[] {
  const directory = join(sandbox.memory, "learning");
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.startsWith("answer-")) : [];
}

async function ready(): Promise<{ place: LearningPlace; expected: string[] }> {
  const place = await LearningPlace.open(sentences);
  const said = Array.from({ length: SESSIONS }, (_, n) => `I own boat number ${n}`);
  for (const [index, text] of said.entries()) await place.say(`s${index}`, text);
  return { place, expected: said.map((text) => `The user says: ${text}.`) };
}

/** Kills the command once the condition holds; returns the sessions whose answers were stored or applied. */
async function killed(place: LearningPlace, when: (elapsed: number) => boolean): Promise<string[]> {
  const child = place.sandbox.start(["learn"]);
  const start = performance.now();
  while (child.exitCode === null && !when(performance.now() - start)) await Bun.sleep(0);
  child.kill("SIGKILL");
  await child.exited;
  const stored = storedAnswers(place).map((name) => /-(s\d+)-/.exec(name)?.[1] ?? "");
  const written = place.bullets("INFERRED.md").map((text) => `s${/\d+/.exec(text)?.[0]}`);
  return [...new Set([...stored, ...written])];
}

function timesAsked({ server }: LearningPlace, session: string): number {
  const said = `I own boat number ${session.slice(1)}`;
  return server.prompts.filter((prompt) => shownIn(prompt).turns.some(({ text }) => text === said)).length;
}

async function expectAllOnce(place: LearningPlace, expected: readonly string[]): Promise<void> {
  await place.run(["learn"]);
  expect(place.bullets("INFERRED.md").toSorted()).toEqual(expected.toSorted());
  expect(storedAnswers(place)).toEqual([]);
  expect((await place.json("status")).learning).toMatchObject({
    pending: { turns: 0, sessions: 0 },
    today: { calls: expected.length, facts: expected.length },
  });
  await place.run(["reindex"]);
  expect((await place.facts()).toSorted()).toEqual(expected.toSorted());
}

test("LEARN-3: killed after any step, each fact is saved once, and no stored answer is requested again", async () => {
  for (const [step, isMade] of Object.entries(STEPS)) {
    const { place, expected } = await ready();
    const stored = await killed(place, () => isMade(place));
    const asked = stored.map((session) => [session, timesAsked(place, session)] as const);
    await expectAllOnce(place, expected);
    for (const [session, times] of asked)
      expect([step, session, timesAsked(place, session)]).toEqual([step, session, times]);
  }
}, 120_000);

test("LEARN-3: killed repeatedly at any moment, each fact is saved once, and no stored answer is requested again", async () => {
  const { place, expected } = await ready();
  for (let round = 0; round < ROUNDS; round++) {
    const said = `I own boat number ${SESSIONS + round}`;
    await place.say(`s${SESSIONS + round}`, said);
    expected.push(`The user says: ${said}.`);
    const moments = [0, 1].map(() => 50 + random() * 300);
    const stored = await killed(place, (elapsed) => elapsed > (moments[0] ?? 0));
    const asked = stored.map((session) => [session, timesAsked(place, session)] as const);
    await killed(place, (elapsed) => elapsed > (moments[1] ?? 0));
    for (const [session, times] of asked)
      expect([session, timesAsked(place, session)]).toEqual([session, times]);
  }
  await expectAllOnce(place, expected);
}, 600_000);
