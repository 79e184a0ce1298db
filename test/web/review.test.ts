/** Decisions about facts on the page, by keyboard. */
import { expect, test } from "bun:test";
import { openRetain } from "../../src/index.ts";
import {
  answered,
  type Card,
  cardsOf,
  decided,
  EMPTY_QUEUE,
  skipped,
  undone,
} from "../../src/web/review/queue.ts";
import { conversation, talk } from "../helpers/conversations.ts";
import { inDoubt, states, unconfirmed, WORDS_ALONE } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { faults, openPage, testInBrowser } from "./browser.ts";

const OLDER = "The lease of the workshop in the old north harbour ends in May 2026";
const NEWER = "The lease of the workshop in the old north harbour ends in June 2027";

testInBrowser("WEB-15: facts are reviewed by keyboard only, undone, and the files show it", async () => {
  const sandbox = new Sandbox();
  const session = await conversation(sandbox, talk("My bees need a new hive, and I bike to work.", "Noted."));
  for (const text of [OLDER, NEWER]) sandbox.ok(["remember", text]);
  using retain = openRetain({
    cwd: sandbox.work,
    homeDirectory: sandbox.home,
    env: sandbox.env(),
  });
  const [bees, bike, tea] = unconfirmed(
    session,
    "The user keeps bees.",
    "The user bikes to work.",
    "The user drinks green tea.",
  );
  const message = (await retain.sessions.show(session)).conversation[0]?.id ?? null;
  if (!bees || !bike || !tea) throw new Error("three facts");
  const source = { ...bees.fact.source, message };
  await retain.facts.writeUnconfirmed([{ ...bees, fact: { ...bees.fact, source } }, bike, tea]);

  const { page, errors } = await openPage({ sandbox, env: WORDS_ALONE, at: "/review" });
  const memory = () => states(sandbox)["MEMORY.md"] ?? "";
  const inferred = () => states(sandbox)["INFERRED.md"] ?? "";
  const badge = page.getByRole("link", { name: "Review 4 to review" });
  await badge.waitFor();
  await page.getByRole("heading", { name: "Which is true now?" }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("n");
  await page.getByText("The user keeps bees.").waitFor();
  expect(memory()).toContain(NEWER);
  expect(memory()).not.toContain(OLDER);

  await page.getByText("My bees need a new hive").waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("y");
  await page.getByText("The user bikes to work.").waitFor();
  expect(memory()).toContain("The user keeps bees.");
  await page.keyboard.press("n");
  await page.getByText("The user drinks green tea.").waitFor();
  expect(inferred()).not.toContain("bikes");

  await page.keyboard.press("u");
  await page.getByText("Confirmed: The user keeps bees.").waitFor();
  await page.locator(".review .text", { hasText: "The user bikes to work." }).waitFor();
  expect(inferred()).toContain("bikes");
  await page.keyboard.press("e");
  await page.getByLabel("Fact").fill("The user bikes to the office in summer.");
  // A change on disk must not take away what is being typed.
  sandbox.ok(["remember", "The ferry leaves at nine"]);
  await page.waitForResponse((response) => response.url().endsWith("/app/review"));
  await page.keyboard.press("Enter");
  await page.locator(".review .text", { hasText: "The user drinks green tea." }).waitFor();
  expect(memory()).toContain("The user bikes to the office in summer.");
  await page.keyboard.press("n");
  await page.getByText("Nothing to review").waitFor();
  expect(JSON.parse(sandbox.ok(["review", "--json"]).stdout).data).toEqual({
    pairs: [],
    unconfirmed: [],
  });
  await page.getByRole("link", { name: "Review", exact: true }).waitFor();
  expect(errors).toEqual([]);
});

testInBrowser("WEB-15: a fact whose doubt passed on to an older one is asked about again", async () => {
  const sandbox = new Sandbox();
  await inDoubt(sandbox, "The market is on the square on", ["Mondays", "Tuesdays", "Wednesdays"]);
  const { page, errors } = await openPage({ sandbox, env: WORDS_ALONE, at: "/review" });
  const card = page.getByRole("region", { name: "Which is true now?" });
  await card.getByText("Tuesdays").waitFor();
  await page.keyboard.press("n");
  await card.getByText("Mondays").waitFor();
  await card.getByText("Wednesdays").waitFor();
  await page.keyboard.press("n");
  await page.getByText("Nothing to review").waitFor();
  expect(sandbox.ok(["facts"]).stdout).not.toMatch(/Mondays|Tuesdays/);
  expect(errors).toEqual([]);
});

test("a card stays until it is decided or skipped, whatever else changes", () => {
  const fact = (id: string) => ({ kind: "fact", key: `fact ${id}`, fact: { id } }) as unknown as Card;
  const [a, b, c] = ["a", "b", "c"].map(fact) as [Card, Card, Card];
  const first = answered(EMPTY_QUEUE, [a, b]);
  expect(first.card).toBe(a);
  expect(answered(first, [c, b]).card).toBe(a);
  const second = answered(decided(first), [c, a, b]);
  expect(second.card).toBe(c);
  expect(skipped(second, [c, b]).card).toBe(b);
  expect(answered(undone(second, a.key), [c, a, b]).card).toBe(a);
  expect(answered(decided(answered(EMPTY_QUEUE, [a])), [a]).card).toBe(null);
  expect(cardsOf({ pairs: [], unconfirmed: [] })).toEqual([]);
});
