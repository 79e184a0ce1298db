/** Doubtful facts, through the real command, the chat and a real terminal. */
import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { factId } from "../../src/core/facts/fact-text.ts";
import { ChatRoom, only } from "../helpers/chat.ts";
import { unconfirmed, written } from "../helpers/memories.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const env = { RETAIN_EMBEDDING: "none" };
const OLDER = "The lease of the office in the old north harbour ends in May 2026";
const NEWER = "The lease of the office in the old north harbour ends in June 2027";

async function inDoubt(): Promise<{ sandbox: Sandbox; id: string }> {
  const sandbox = new Sandbox();
  await sandbox.addFact(OLDER);
  const { saved } = await sandbox.setUp(({ facts }) => facts.remember(NEWER));
  expect(saved).toMatchObject([{ text: NEWER, doubts: OLDER }]);
  return { sandbox, id: saved[0]?.id ?? "" };
}

const bullets = ({ memory }: Sandbox) =>
  readFileSync(join(memory, "memories/MEMORY.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("- "));
const pairs = (sandbox: Sandbox) => JSON.parse(sandbox.ok(["review", "--json"]).stdout).data.pairs;

test("FACT-26: review lists doubtful pairs, even after the index was rebuilt", async () => {
  const { sandbox, id } = await inDoubt();
  expect(pairs(sandbox)).toMatchObject([{ older: { text: OLDER }, newer: { id, text: NEWER } }]);
  sandbox.ok(["reindex"]);
  const { stdout } = sandbox.ok(["review"]);
  expect(stdout).toContain(OLDER);
  expect(stdout).toContain(id);
});

test("FACT-26: a bullet that a person adds is in doubt with the fact it may replace, and no line is removed", async () => {
  const sandbox = new Sandbox();
  const [before, after] = ["My rent is 950 euros", "My rent is 1020 euros"];
  await sandbox.addFact(before);
  const file = join(sandbox.memory, "memories/MEMORY.md");
  appendFileSync(file, `- ${after}\n- Anna plays the cello\n`);
  for (const again of [["list"], ["reindex"]]) {
    sandbox.ok(again);
    expect(pairs(sandbox)).toMatchObject([{ older: { text: before }, newer: { text: after } }]);
  }
  expect(bullets(sandbox)).toEqual([`- ${before}`, `- ${after}`, "- Anna plays the cello"]);
  const many = Array.from({ length: 11 }, (_, index) => `- My rent is ${800 + index} euros\n`);
  appendFileSync(file, many.join(""));
  expect(pairs(sandbox)).toHaveLength(1);
});

test("FACT-26: when a fact of a chain of doubts ends, the one after it is in doubt with the one before it", async () => {
  const LATEST = "The lease of the office in the old north harbour ends in July 2028";
  for (const [ending, newer] of [
    [["review", "LATEST", "--newer"], LATEST],
    [["review", "LATEST", "--older"], NEWER],
    [["remember", "The office has moved", "--replaces", "NEWER"], LATEST],
  ] as const) {
    const { sandbox, id } = await inDoubt();
    const [latest] = sandbox.ok(["remember", LATEST, "--json"]).json.data.saved;
    expect(pairs(sandbox)).toHaveLength(2);
    sandbox.ok(ending.map((word: string) => ({ LATEST: latest.id, NEWER: id })[word] ?? word));
    for (const again of [["list"], ["reindex"]]) {
      sandbox.ok(again);
      expect(pairs(sandbox)).toContainEqual(
        expect.objectContaining({
          older: expect.objectContaining({ text: OLDER }),
          newer: expect.objectContaining({ text: newer }),
        }),
      );
    }
  }
});

test("FACT-26: a decision ends the wrong fact, undo reverts it, and the pair is never asked about again", async () => {
  for (const [decision, left] of [
    ["newer", [`- ${NEWER}`]],
    ["older", [`- ${OLDER}`]],
    ["both", [`- ${OLDER}`, `- ${NEWER}`]],
  ] as const) {
    const { sandbox, id } = await inDoubt();
    const decided = sandbox.ok(["review", id.slice(0, 6), `--${decision}`]);
    expect(decided.stdout).toContain("(undo: retain undo)");
    expect([decision, bullets(sandbox)]).toEqual([decision, [...left]]);
    sandbox.ok(["reindex"]);
    expect(pairs(sandbox)).toEqual([]);
    expect(readFileSync(join(sandbox.memory, "memories/HISTORY.md"), "utf8")).toContain(decision);
    sandbox.ok(["undo"]);
    expect(bullets(sandbox)).toEqual([`- ${OLDER}`, `- ${NEWER}`]);
    expect(pairs(sandbox)).toHaveLength(1);
  }
});

test("FACT-26: wrong usage changes nothing", async () => {
  const { sandbox, id } = await inDoubt();
  for (const args of [[id], ["--newer"], [id, "--newer", "--older"]])
    expect(sandbox.run(["review", ...args]).exitCode).toBe(2);
  expect(sandbox.run(["review", "zzzzzz", "--newer"]).exitCode).toBe(1);
  expect(bullets(sandbox)).toHaveLength(2);
  expect(pairs(sandbox)).toHaveLength(1);
});

test("FACT-26: /review asks about one pair after the other", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember(OLDER);
  await room.retain.facts.remember(NEWER);
  const chat = await room.open({ model: "none" });
  const [asked] = only(await chat.say("/review"), "picker");
  const [first] = asked?.picker.items ?? [];
  expect(first?.label).toBe(NEWER);
  const events = await chat.say(`/review ${first?.value}`);
  expect(only(events, "picker")).toEqual([]);
  expect((await room.retain.facts.list()).map(({ text }) => text)).toEqual([NEWER]);
});

const THIRD = "The lease of the office in the old north harbour ends in July 2028";

/** The second of three facts may replace the first, and the third the second. */
function chain(): Sandbox {
  const texts = [OLDER, NEWER, THIRD];
  const line = (text: string, index: number) => {
    const before = texts[index - 1];
    const doubts = before === undefined ? "" : `; doubts ${factId(before, null)}`;
    const head = `- 2026-01-0${index + 1}T10:00:00Z added ${factId(text, null)} "${text}"`;
    return `${head}; in MEMORY.md; section general; by remember; trust stated${doubts}\n`;
  };
  return written({
    "MEMORY.md": `# Memory\n\n${texts.map((text) => `- ${text}\n`).join("")}`,
    "HISTORY.md": `# History\n\n${texts.map(line).join("")}`,
  });
}

test("FACT-26: the id of a fact in two pairs names the pair where it is the older fact", () => {
  const sandbox = chain();
  expect(pairs(sandbox)).toHaveLength(2);
  sandbox.ok(["review", factId(NEWER, null), "--newer"]);
  expect(bullets(sandbox)).toEqual([`- ${OLDER}`, `- ${THIRD}`]);
  expect(pairs(sandbox)).toMatchObject([{ older: { text: OLDER }, newer: { text: THIRD } }]);
  sandbox.ok(["review", factId(THIRD, null), "--newer"]);
  expect(bullets(sandbox)).toEqual([`- ${THIRD}`]);
});

test("FACT-26: the id of a fact that two others may replace decides nothing; the error names the pairs", () => {
  const sandbox = chain();
  const [oldest, second] = [factId(OLDER, null), factId(NEWER, null)];
  const history = join(sandbox.memory, "memories/HISTORY.md");
  writeFileSync(history, readFileSync(history, "utf8").replace(`doubts ${second}`, `doubts ${oldest}`));
  const { exitCode, stderr } = sandbox.run(["review", oldest, "--newer"]);
  expect(exitCode).toBe(2);
  const ids = pairs(sandbox).map(({ id }: { id: string }) => id);
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(stderr).toContain(id);
  expect(bullets(sandbox)).toHaveLength(3);
  sandbox.ok(["review", `${oldest}+${second}`, "--newer"]);
  expect(bullets(sandbox)).toEqual([`- ${NEWER}`, `- ${THIRD}`]);
});

testNeeding("tmux")("FACT-26: at a terminal a pair settled by another decision is skipped", async () => {
  const sandbox = chain();
  const screen = new TerminalScreen(sandbox, "retain review", env, 120);
  try {
    await screen.shows("skip:");
    screen.type("n");
    await screen.shows("[exit 0]");
  } finally {
    screen.close();
  }
  expect(bullets(sandbox)).toEqual([`- ${OLDER}`, `- ${THIRD}`]);
});

test("FACT-26: /review continues with the next pair, then with unconfirmed facts, when a pair is postponed", async () => {
  const sandbox = chain();
  const { work: cwd, home: homeDirectory } = sandbox;
  const room = new ChatRoom(null, { cwd, homeDirectory, env: sandbox.env() });
  await room.retain.facts.writeUnconfirmed(unconfirmed("s1", "The user keeps bees."));
  const chat = await room.open({ model: "none" });
  const asked = async (line: string) => only(await chat.say(line), "picker")[0]?.picker;
  let picker = await asked("/review");
  for (const label of [THIRD, NEWER]) {
    expect(picker?.items[0]?.label).toBe(label);
    const later = picker?.items.find(({ value }) => value.endsWith(" later"));
    picker = await asked(`/review ${later?.value}`);
  }
  expect(picker?.title).toContain("bees");
});

testNeeding("tmux")(
  "FACT-26: at a terminal one key decides a pair, and Ctrl-C quits and keeps the decisions",
  async () => {
    const { sandbox } = await inDoubt();
    const others = ["The passport of Nora expires in May 2026", "The passport of Nora expires in June 2027"];
    for (const text of others) await sandbox.addFact(text);
    expect(pairs(sandbox)).toHaveLength(2);
    const screen = new TerminalScreen(sandbox, "retain review", env, 120);
    try {
      await screen.shows("Enter to skip:");
      screen.type("x", "Up", "n");
      for (const text of [NEWER, ...others]) await screen.shows(text);
      screen.type("C-c");
      await screen.shows("[exit 0]");
    } finally {
      screen.close();
    }
    expect(bullets(sandbox)).toHaveLength(3);
    expect(bullets(sandbox)).toEqual(expect.arrayContaining([`- ${NEWER}`, `- ${others[1]}`]));
    expect(pairs(sandbox)).toHaveLength(1);
  },
);

testNeeding("tmux")("FACT-26: at a terminal, review breaks long facts between words", async () => {
  const sandbox = new Sandbox();
  const place = "at the Santa Maria hospital behind the old station, on the third floor, on the left";
  for (const who of ["Mrs. Lang", "Mr. Braun"]) await sandbox.addFact(`Elena's therapist is ${who} ${place}`);
  const screen = new TerminalScreen(sandbox, "retain review", env, 80);
  try {
    const shown = await screen.shows("Enter to skip:");
    for (const word of place.split(/\W+/)) expect(shown).toMatch(new RegExp(`(^|\\W)${word}(\\W|$)`, "m"));
    expect(shown).toMatch(/^ {2}older .* Elena's therapist is Mrs\. Lang.*\n {33}\S/m);
  } finally {
    screen.close();
  }
});

testNeeding("tmux")("FACT-26: at a terminal Enter postpones a pair", async () => {
  const { sandbox, id } = await inDoubt();
  const screen = new TerminalScreen(sandbox, "retain review", env, 120);
  try {
    await screen.shows("Enter to skip:");
    screen.type("Enter");
    await screen.shows("[exit 0]");
  } finally {
    screen.close();
  }
  expect(pairs(sandbox)).toMatchObject([{ newer: { id } }]);
});

test("FACT-26: the chat says which fact a new one may replace, and its list marks that fact", async () => {
  for (const said of [`remember that ${NEWER}`, `/remember ${NEWER}`]) {
    const room = new ChatRoom(null);
    await room.retain.facts.remember(OLDER);
    const chat = await room.open();
    const notices = only(await chat.say(said), "notice").map(({ text }) => text);
    expect(notices).toContain(`May replace: ${OLDER} (decide: /review)`);
    const [pair] = await room.retain.facts.doubts();
    expect(only(await chat.say("/memory"), "output")[0]?.text).toContain(
      `${OLDER} (may be outdated by ${pair?.newer.id})`,
    );
  }
});
