/** The chat on the page, in a real Chromium; only the model is a stand-in. */
import { expect } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { AnthropicServer, type Script } from "../helpers/anthropic-server.ts";
import { KEY } from "../helpers/chat.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { startServer } from "../mcp/clients.ts";
import { faults, newPage, type Opening, openPage, testInBrowser } from "./browser.ts";

async function openChat(script: Script, opening: Opening = {}) {
  const model = await new AnthropicServer(script).start();
  afterThisTest(() => model[Symbol.asyncDispose]());
  const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
  const opened = await openPage({ at: "/chat", env, ...opening });
  await opened.page.getByText("claude", { exact: false }).waitFor();
  return { ...opened, model };
}

const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
const conversation = (page: Page) => page.getByRole("region", { name: "Conversation" });

async function say(page: Page, line: string): Promise<void> {
  await message(page).fill(line);
  await message(page).press("Enter");
}

/** What a browser does when another tab comes to the front, or this one. */
async function show(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"))`);
}

/** A gate before the n-th event of an answer. */
function gated(at: number) {
  const gate = Promise.withResolvers<void>();
  return { before: (event: number) => (event === at ? gate.promise : null), open: gate.resolve };
}

testInBrowser(
  "WEB-3: a reload in the middle of a reply continues it; another tab sees the same",
  async () => {
    const gate = gated(12);
    const numbered = Array.from({ length: 12 }, (_, number) => `w${number}`);
    const words = [
      "Here is **code**:\n\n",
      "```js\n",
      "const tea = 1;\n",
      "```\n\n",
      ...numbered.map((word) => `${word} `),
    ];
    const { page, url, errors } = await openChat([{ chunks: words, before: gate.before }]);
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    await say(page, "Show me code");
    await conversation(page).getByText("w3").waitFor();
    await page.waitForURL(/#\/chat\/session_/);
    // Colours are loaded with the first code.
    await conversation(page).locator("code .hljs-keyword", { hasText: "const" }).waitFor();
    expect(loaded.filter((address) => address.endsWith(".js"))).toHaveLength(1);
    await page.reload();
    await conversation(page).getByText("w3").waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await conversation(other).getByText("w3").waitFor();
    // A hidden tab has no stream, and continues when it is shown again.
    await show(other, "hidden");
    gate.open();
    for (const tab of [page, other]) {
      await show(tab, "visible");
      await conversation(tab).getByText("w11").waitFor();
      await tab.getByRole("button", { name: "Send" }).waitFor();
      const reply = await conversation(tab).locator(".reply").textContent();
      expect([...(reply?.match(/w\d+/g) ?? [])]).toEqual(numbered);
      expect(await conversation(tab).getByText("Show me code").count()).toBe(1);
    }
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("const tea = 1;");
    expect(errors).toEqual([]);
  },
);

testInBrowser(
  "WEB-3: a line that waits for a reply survives a reload and another view, and is sent",
  async () => {
    const gate = gated(8);
    const { page, model } = await openChat([
      { chunks: Array.from({ length: 12 }, (_, number) => `w${number} `), before: gate.before },
      { text: "The second." },
    ]);
    await say(page, "Count");
    await conversation(page).getByText("w1").waitFor();
    await page.waitForURL(/#\/chat\/session_/);
    await say(page, "And then?");
    const waiting = page.getByLabel("Waiting to be sent");
    await waiting.getByText("And then?").waitFor();
    await page.reload();
    await waiting.getByText("And then?").waitFor();
    await page.getByRole("link", { name: "Memory" }).click();
    await page.getByRole("heading", { name: "Memory" }).waitFor();
    await page.goBack();
    await waiting.getByText("And then?").waitFor();
    gate.open();
    await conversation(page).getByText("The second.").waitFor();
    expect(await waiting.count()).toBe(0);
    expect(model.requests.filter((request) => JSON.stringify(request).includes("And then?"))).toHaveLength(1);
  },
);

testInBrowser("WEB-3: a line that waits in an incognito chat is sent to no other chat", async () => {
  const gate = gated(8);
  const { page, model } = await openChat([
    { chunks: Array.from({ length: 12 }, (_, number) => `w${number} `), before: gate.before },
    { text: "Another chat." },
  ]);
  await page.getByRole("button", { name: "New incognito chat" }).click();
  await page.getByRole("heading", { name: "Incognito chat", exact: true }).waitFor();
  await say(page, "Count");
  await conversation(page).getByText("w1").waitFor();
  await say(page, "A secret");
  await page.getByLabel("Waiting to be sent").getByText("A secret").waitFor();
  expect(await page.evaluate("JSON.stringify(Object.entries(sessionStorage))")).not.toContain("A secret");
  await page.getByRole("button", { name: "New chat", exact: true }).click();
  await page.getByRole("heading", { name: "New chat" }).waitFor();
  await say(page, "Hello");
  await conversation(page).getByText("Another chat.").waitFor();
  expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain("A secret");
  gate.open();
});

testInBrowser("WEB-5: a key answers an approval, but not text that is typed for something else", async () => {
  const run = { calls: [{ name: "run_command", input: { command: "echo made > made && echo it is done" } }] };
  const { page, sandbox } = await openChat([run, { text: "Finished." }]);
  await say(page, "Make it");
  await page.getByRole("heading", { name: "Allow: run echo made > made && echo it is done" }).waitFor();
  expect(await faults(page)).toEqual([]);
  // The input has the focus: its digits are text as long as it has some.
  await message(page).pressSequentially("x1");
  await message(page).press("Enter");
  expect(existsSync(join(sandbox.work, "made"))).toBe(false);
  await page.getByLabel("Waiting to be sent").waitFor();
  // The pause after the last key.
  await page.waitForFunction(
    (since) => performance.now() - since > 600,
    await page.evaluate(() => performance.now()),
  );
  await page.keyboard.press("1");
  await conversation(page).getByText("it is done", { exact: true }).waitFor();
  await conversation(page).getByText("Finished.").waitFor();
  expect(readFileSync(join(sandbox.work, "made"), "utf8")).toBe("made\n");
});

testInBrowser(
  "WEB-6: a saved memory can be undone, and a reply names the memories that it was given",
  async () => {
    const sandbox = new Sandbox();
    sandbox.ok(["remember", "The deploy window is Tuesday at noon"]);
    sandbox.ok(["put", "-", "--id", "runbook", "--title", "Release runbook"], {
      stdin: "# Release runbook\n\nDeploy with make ship in the deploy window.",
    });
    const memory = "[MEMORY]\nThe release captain is Ada\n[/MEMORY]";
    const { page } = await openChat([{ text: `Noted.\n${memory}` }], { sandbox });
    await say(page, "When is the deploy window, and how do we ship it with the runbook?");
    await conversation(page).getByText("Memory saved").waitFor();
    const used = conversation(page).getByText(/memor(y|ies) used/);
    await used.click();
    const link = conversation(page).getByRole("link", { name: "Release runbook" });
    expect(await link.getAttribute("href")).toContain("#/memory/");
    expect(await conversation(page).locator(".given .score").first().textContent()).toMatch(/^\d\.\d\d$/);
    const facts = () => sandbox.ok(["facts"]).stdout;
    expect(facts()).toContain("captain is Ada");
    await conversation(page)
      .getByRole("button", { name: /^Undo: / })
      .click();
    await conversation(page).getByText("Undone: The release captain is Ada").waitFor();
    expect(facts()).not.toContain("captain is Ada");
    expect(
      await conversation(page)
        .getByRole("button", { name: /^Undo: / })
        .count(),
    ).toBe(0);
  },
);

testInBrowser("WEB-5: files complete after @", async () => {
  const sandbox = new Sandbox();
  writeFileSync(join(sandbox.work, "harbour plan.md"), "Berth nine.");
  writeFileSync(join(sandbox.work, "tides.md"), "High at noon.");
  const { page, errors, model } = await openChat([{ text: "Read." }], { sandbox });
  const options = page.getByRole("listbox", { name: "Completions" }).getByRole("option");
  const typed = () => message(page).inputValue();
  await message(page).fill("Read  now");
  for (let times = 0; times < 4; times++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("@plan");
  await options.getByText("harbour plan.md").waitFor();
  expect(await options.count()).toBe(1);
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.keyboard.type("and @");
  await options.getByText("@tides.md").click();
  expect(await typed()).toBe('Read @"harbour plan.md" and @tides.md now');
  await message(page).press("Enter");
  await conversation(page).getByText("Read.", { exact: true }).waitFor();
  const sent = JSON.stringify(model.requests[0]?.body);
  for (const text of ["Berth nine.", "High at noon."]) expect(sent).toContain(text);
  expect(errors).toEqual([]);
});

testInBrowser("WEB-7: a reply can be stopped, and a failed message sent again", async () => {
  const { page } = await openChat([
    { text: "One two three four five", hang: 6 },
    { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "No." } } },
    { text: "Now it works." },
  ]);
  await say(page, "Count");
  await conversation(page).getByText("One two").waitFor();
  await message(page).press("Escape");
  await conversation(page).getByText("Interrupted.").waitFor();
  await say(page, "Again");
  await page.getByRole("button", { name: "Retry" }).click();
  await conversation(page).getByText("Now it works.").waitFor();
  expect(await page.getByRole("button", { name: "Retry" }).count()).toBe(0);
});

testInBrowser(
  "WEB-7: the chat shows what was sent and its reply, also to a reader who had scrolled up",
  async () => {
    const long = Array.from({ length: 60 }, (_, line) => `- line ${line}`).join("\n");
    const run = { calls: [{ name: "run_command", input: { command: "echo it is done" } }] };
    const { page } = await openChat([{ text: long }, { text: `${long}\n\nThe second end.` }, run]);
    await say(page, "One");
    await conversation(page).getByText("line 59").waitFor();
    await conversation(page).hover();
    await page.mouse.wheel(0, -5000);
    await page.getByRole("button", { name: "Latest" }).waitFor();
    await say(page, "Two");
    await conversation(page).getByText("The second end.").waitFor();
    await page.getByRole("button", { name: "Latest" }).waitFor({ state: "detached" });
    // The approval takes some of the conversation's height.
    await say(page, "Run it");
    await page.getByRole("heading", { name: /^Allow: / }).waitFor();
    await page.waitForFunction(`(() => {
      const box = document.querySelector(".transcript");
      return box.scrollHeight - box.scrollTop - box.clientHeight < 2;
    })()`);
  },
);

testInBrowser("WEB-5: commands complete, and their lists work by keyboard", async () => {
  const { page } = await openChat([]);
  await message(page).pressSequentially("/hel");
  await page.getByRole("option", { name: /^\/help/ }).waitFor();
  await message(page).press("Tab");
  await message(page).press("Enter");
  const filter = page.getByRole("combobox", { name: "Filter" });
  await filter.fill("undo one");
  await page.getByRole("option", { name: /undo/ }).first().waitFor();
  expect(await faults(page)).toEqual([]);
  await filter.press("Escape");
  await filter.waitFor({ state: "detached" });
});

testInBrowser(
  "WEB-4: a session of another process can be taken over; a restarted server continues it",
  async () => {
    const sandbox = new Sandbox();
    const env = { RETAIN_EMBEDDING: "none" };
    const { page } = await openPage({ sandbox, env, at: "/chat" });
    await say(page, "remember that Bo likes jazz");
    await page.waitForURL(/#\/chat\/session_/);

    const second = await startServer(sandbox, ["serve"], ["--no-open"], env);
    const { page: other } = await newPage();
    await other.goto(second.data.page);
    await other.getByRole("navigation").waitFor();
    await other.goto(`${second.data.url}${new URL(page.url()).hash}`);
    await other.getByRole("alert").waitFor();
    await other.getByRole("button", { name: "Take it over" }).click();
    await conversation(other).getByText("remember that Bo likes jazz").waitFor();

    await message(other).fill("what music does Bo like?");
    second.process.kill("SIGTERM");
    await second.process.exited;
    const { port } = new URL(second.data.url);
    await startServer(sandbox, ["serve"], ["--no-open", "--port", port], env);
    await message(other).press("Enter");
    await conversation(other).getByText("best match first").waitFor();
    expect(await conversation(other).getByText("remember that Bo likes jazz").count()).toBe(1);
  },
);

testInBrowser(
  "WEB-7: after the server was killed in the middle of a reply, the message is there, and Retry sends it again",
  async () => {
    const sandbox = new Sandbox();
    const gate = gated(4);
    const model = await new AnthropicServer([
      { chunks: ["First ", "part ", "of it."], before: gate.before },
      { text: "All of it." },
    ]).start();
    afterThisTest(() => model[Symbol.asyncDispose]());
    const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
    const first = await startServer(sandbox, ["serve"], ["--no-open"], env);
    const { page } = await newPage();
    await page.goto(first.data.page);
    await say(page, "Tell me all of it");
    await conversation(page).getByText("First").waitFor();
    await page.waitForURL(/#\/chat\/session_/);
    first.process.kill("SIGKILL");
    await first.process.exited;
    gate.open();
    const { port } = new URL(first.data.url);
    await startServer(sandbox, ["serve"], ["--no-open", "--port", port], env);
    await page.reload();
    await conversation(page).getByText("Tell me all of it").waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await conversation(page).getByText("All of it.").waitFor();
  },
);

testInBrowser(
  "WEB-6: a saved fact is edited in the input, and text that was typed there comes back",
  async () => {
    const { page } = await openPage({ at: "/chat" });
    const input = page.getByRole("textbox", { name: "Message" });
    await input.fill("remember that my gym is FitBox");
    await input.press("Enter");
    const edit = conversation(page).getByRole("button", { name: /^Edit/ });
    await edit.waitFor();
    await input.fill("a careful draft");
    await edit.click();
    while ((await input.inputValue()) === "a careful draft") await Bun.sleep(10);
    expect(await input.inputValue()).toMatch(/^\/edit \S+ my gym is FitBox$/);
    await page.keyboard.press("End");
    await page.keyboard.type(" One");
    await page.keyboard.press("Enter");
    await page.getByText("my gym is FitBox One").first().waitFor();
    expect(await input.inputValue()).toBe("a careful draft");
    await page.getByRole("button", { name: "New chat", exact: true }).click();
    await page.locator("textarea:focus").waitFor();
  },
);

testInBrowser("WEB-2: text in angle brackets that is no HTML is shown", async () => {
  const { page } = await openPage({ at: "/chat" });
  const fact = "parseAll returns List<String>, never <null>";
  for (const line of [`remember that ${fact}`, "what does parseAll return?"]) {
    const input = page.getByRole("textbox", { name: "Message" });
    await input.fill(line);
    await input.press("Enter");
    await conversation(page).getByText(line).first().waitFor();
  }
  await conversation(page).locator("blockquote").getByText(fact).waitFor();
  expect(await conversation(page).getByText(`remember that ${fact}`).count()).toBe(1);
});

testInBrowser("WEB-10: each conversation keeps the text that was typed for it", async () => {
  const { page, errors } = await openChat([{ text: "Noted." }]);
  const typed = () => message(page).inputValue();
  await say(page, "I like tea");
  await conversation(page).getByText("Noted.").waitFor();
  await page.waitForURL(/#\/chat\/session_/);
  const session = page.url();
  await message(page).fill("for the old one");
  await page.getByRole("button", { name: "New chat", exact: true }).click();
  await page.getByRole("heading", { name: "New chat" }).waitFor();
  expect(await typed()).toBe("");
  await message(page).fill("for a new one");
  await page.goto(session);
  await conversation(page).getByText("Noted.").waitFor();
  expect(await typed()).toBe("for the old one");
  await page.reload();
  await conversation(page).getByText("Noted.").waitFor();
  expect(await typed()).toBe("for the old one");
  await page.goto(`${session.split("#")[0]}#/chat`);
  await page.getByRole("heading", { name: "New chat" }).waitFor();
  expect(await typed()).toBe("for a new one");
  expect(errors).toEqual([]);
});
