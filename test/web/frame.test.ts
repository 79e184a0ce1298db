/** What surrounds the views: keys, the palette, themes, narrow windows, and a server that is restarted. */
import { expect } from "bun:test";
import { openRetain } from "../../src/index.ts";
import { conversation, talk } from "../helpers/conversations.ts";
import { unconfirmed, WORDS_ALONE } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { startServer } from "../mcp/clients.ts";
import { faults, newPage, openPage, testInBrowser } from "./browser.ts";

testInBrowser("WEB-17: the command palette works by keyboard, and keys are explained", async () => {
  const sandbox = new Sandbox();
  await conversation(sandbox, talk("Where is the spare rope?", "In locker two."), { title: "Spare rope" });
  const { page, errors } = await openPage({ sandbox, at: "/review" });
  const palette = page.getByRole("dialog", { name: "Commands" });
  await page.getByRole("heading", { name: "Review" }).waitFor();
  await page.keyboard.press("Control+k");
  await palette.getByRole("option", { name: "Spare rope" }).waitFor();
  expect(await faults(page)).toEqual([]);
  await page.keyboard.type("sess");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  expect(await page.evaluate("document.activeElement?.tagName")).toBe("H1");
  expect(await page.title()).toContain("Sessions");

  await page.keyboard.press("/");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("spare rope");
  await palette.getByRole("option", { name: /^Spare rope/, selected: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await palette.getByRole("option", { selected: true }).textContent()).toContain("Search memory");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/memory\?q=spare\+rope$/);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("The spare rope is blue");
  await page.keyboard.press("ArrowUp");
  expect(await palette.getByRole("option", { selected: true }).textContent()).toStartWith("Remember");
  await page.keyboard.press("Enter");
  const remember = page.getByRole("dialog", { name: "Remember a fact" });
  await remember.getByText("Saved: The spare rope is blue").waitFor();
  expect(sandbox.ok(["facts"]).stdout).toContain("The spare rope is blue");
  await remember.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Ended: The spare rope is blue").waitFor();
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  await page.keyboard.type("theme dark");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  await page.reload();
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");

  await page.goto(`${page.url().split("#")[0]}#/overview`);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.waitFor();
  expect(await keys.getByRole("heading", { level: 3 }).allTextContents()).toEqual([
    ...["Everywhere", "Chat", "Memory", "Sessions", "Review"],
  ]);
  for (const key of [
    "Ctrl K",
    "/",
    "?",
    "Esc",
    "Enter",
    "Shift Enter",
    "Tab",
    "↑",
    "Page Down",
    "End",
    "Ctrl S",
    "y",
  ])
    expect(await keys.getByText(key, { exact: true }).count()).toBeGreaterThan(0);
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(errors).toEqual([]);
});

testInBrowser(
  "WEB-18: every view works in the dark theme and at 390 px, and axe finds nothing serious",
  async () => {
    const sandbox = new Sandbox();
    const session = await conversation(sandbox, talk("I moor at pier **four**.", "Noted: `pier four`."), {
      title: "A mooring with averylongnamewithoutanyspacesinitthatmustnotmakethepagewider",
    });
    sandbox.ok(["remember", "The pier is number four"]);
    {
      using retain = openRetain({
        cwd: sandbox.work,
        homeDirectory: sandbox.home,
        env: sandbox.env(),
      });
      await retain.facts.writeUnconfirmed(unconfirmed(session, "The user moors at pier four."));
    }
    // The tests of each view run axe in a wide, light window.
    const context = { colorScheme: "dark", viewport: { width: 390, height: 800 } } as const;
    const { page, url, errors } = await openPage({ sandbox, env: WORDS_ALONE, context });
    /** Each with a text that appears once it is complete. */
    const views = {
      chat: "Chat",
      memory: "Memory",
      sessions: "2 messages",
      [`sessions/${session}`]: "I moor at pier",
      review: "The user moors at pier four.",
      overview: "Where memory lives",
    };
    for (const [view, text] of Object.entries(views)) {
      await page.goto(`${url}/#/${view}`);
      await page.getByText(text).first().waitFor();
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect({ view, overflow, faults: await faults(page) }).toEqual({ view, overflow: 0, faults: [] });
    }
    expect(errors).toEqual([]);
  },
);

testInBrowser("WEB-18: the page says that the server is gone, and recovers when it is back", async () => {
  const sandbox = new Sandbox();
  const first = await startServer(sandbox, ["serve"], ["--no-open"], WORDS_ALONE);
  const { page } = await newPage();
  await page.goto(first.data.page);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "Nothing learned yet" }).waitFor();
  first.process.kill("SIGTERM");
  await first.process.exited;
  const notice = page.getByRole("status").filter({ hasText: "The server is not responding." });
  await notice.waitFor();
  // The notice takes some of the view's height: the input must stay in sight.
  await page.getByRole("navigation").getByRole("link", { name: "Chat" }).click();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  expect(
    await page.evaluate(
      "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('main'))",
    ),
  ).toBe(0);
  await page.getByRole("link", { name: "Overview" }).click();
  sandbox.ok(["remember", "The tender has two oars"]);
  const { port } = new URL(first.data.url);
  await startServer(sandbox, ["serve"], ["--no-open", "--port", port], WORDS_ALONE);
  await page.getByText("The tender has two oars").waitFor();
  await notice.waitFor({ state: "detached" });
});

testInBrowser(
  "WEB-18: a view that fails says so, and the others still work; an unknown one is the chat",
  async () => {
    const { page, url } = await openPage({ at: "/nothing/such" });
    await page.getByText("Talk to your memory").waitFor();
    await page.goto(`${url}/#/chat`);
    await page.route("**/app/overview", (route) => route.fulfill({ json: {} }));
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("This view failed");
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByText("No conversations yet").waitFor();
    await page.unroute("**/app/overview");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Nothing learned yet" }).waitFor();
  },
);

testInBrowser(
  "WEB-10: a hidden tab holds no connection, and shows what changed when it is shown",
  async () => {
    const { page, sandbox } = await openPage({ at: "/memory" });
    const show = (state: string) =>
      page.evaluate(`
      Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    `);
    const follows = () => page.waitForRequest((request) => request.url().endsWith("/app/changes"));
    await show("hidden");
    sandbox.ok(["remember", "The tender has two oars"]);
    const followed = follows();
    await show("visible");
    await followed;
    await page.getByText("The tender has two oars").waitFor();
  },
);

testInBrowser("WEB-18: an answer that isn't the server's is an error that the view shows", async () => {
  const { page, errors } = await openPage({ at: "/review" });
  await page.getByRole("heading", { name: "Review" }).waitFor();
  // As from a proxy whose server is gone, or from a connection that broke in the middle of an answer.
  await page.route("**/app/sessions", (route) => route.fulfill({ status: 200, body: '{"sessions": [' }));
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByRole("alert").waitFor();
  expect(errors).toEqual([]);
});

testInBrowser("a bug that nothing catches is shown, and not only in the console", async () => {
  const { page, errors } = await openPage({ at: "/overview" });
  await page.evaluate(() => void Promise.reject(new TypeError("x is undefined")));
  await page.getByText("This failed: TypeError: x is undefined").waitFor();
  expect(errors).toEqual(["TypeError: x is undefined"]);
});
