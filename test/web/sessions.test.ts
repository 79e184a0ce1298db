/** The page's list of conversations, and one of them. */
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { processName } from "../../src/util/process.ts";
import { conversation, said, talk } from "../helpers/conversations.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { faults, openPage, testInBrowser } from "./browser.ts";

testInBrowser(
  "WEB-13: sessions are listed, found by their words, read, and opened at a message",
  async () => {
    const sandbox = new Sandbox();
    await conversation(sandbox, talk("Where do we keep the **spare** keys?", "In the blue box."), {
      title: "Spare keys",
    });
    const long = Array.from({ length: 400 }, (_, index) => `Line ${index} about the harbour crane`);
    await conversation(sandbox, talk(...long, "Call the pilot at noon.", "Noted."), {
      title: "Harbour works",
      chat: "work",
    });
    const { page, errors } = await openPage({ sandbox, at: "/sessions" });
    const titles = page.getByRole("main").locator("li .title");
    await page.getByText("402 messages").waitFor();
    expect(await titles.allTextContents()).toEqual(["Harbour works", "Spare keys"]);

    await page.keyboard.press("/");
    await page.keyboard.type("pilot noon");
    await page.getByRole("link", { name: "You: Call the pilot at noon." }).waitFor();
    expect(await titles.allTextContents()).toEqual(["Harbour works"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    // The hit in the list has the same text.
    const message = page.locator('li[aria-current="true"]', { hasText: "Call the pilot at noon." });
    await message.waitFor();
    expect(page.url()).toContain("message=");
    const { y = -1 } = (await message.boundingBox()) ?? {};
    expect(y >= 0 && y < 760).toBe(true);

    await page.getByRole("link", { name: "← Sessions" }).click();
    expect(await page.getByRole("searchbox").inputValue()).toBe("pilot noon");
    await page.getByRole("link", { name: "You: Call the pilot at noon." }).waitFor();
    await page.getByRole("searchbox").fill("");
    await page.getByRole("link", { name: "Spare keys", exact: true }).click();
    await page.getByRole("heading", { name: "Spare keys" }).waitFor();
    await page.locator(".turn strong", { hasText: "spare" }).waitFor();
    expect(await page.getByRole("link", { name: "Resume" }).getAttribute("href")).toStartWith(
      "#/chat/session_",
    );
    expect(await faults(page)).toEqual([]);
    expect(errors).toEqual([]);
  },
);

testInBrowser(
  "WEB-14: a session is renamed, tagged, exported and deleted, and the files show it",
  async () => {
    const sandbox = new Sandbox();
    const id = await conversation(sandbox, [
      ...talk("Which port does the relay use?", "It uses 7443."),
      said("user", "Thanks", { minute: 3 }),
    ]);
    const { page, errors } = await openPage({ sandbox, at: "/sessions" });
    const stored = () => JSON.parse(sandbox.ok(["sessions", "--json"]).stdout).data.sessions;
    await page.getByRole("listitem").getByRole("link").first().click();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("Title").fill("Relay port");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Relay port" }).waitFor();
    await page.getByLabel("Add a tag").fill("network, draft");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove tag draft" }).click();
    await page.getByRole("button", { name: "Remove tag draft" }).waitFor({ state: "detached" });
    expect(stored()).toMatchObject([{ id, title: "Relay port", tags: ["network"] }]);

    for (const [format, name] of [
      ["markdown", "Export Markdown"],
      ["json", "Export JSON"],
    ] as const) {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(`${id}.${format === "json" ? "json" : "md"}`);
      expect(readFileSync(await file.path(), "utf8")).toBe(
        sandbox.ok(["sessions", "export", id, "--format", format]).stdout,
      );
    }

    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.textContent()).toContain("3 messages");
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(stored()).toHaveLength(1);
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await page.getByText("No conversations yet").waitFor();
    expect(stored()).toEqual([]);
    expect(sandbox.tree(sandbox.memory).filter((path) => path.includes(id))).toEqual([]);
    expect(errors).toEqual([]);
  },
);

testInBrowser(
  "WEB-14: a session that another process has open is deleted only after a second question",
  async () => {
    const sandbox = new Sandbox();
    const openedBy = processName(hostname(), process.pid);
    const id = await conversation(sandbox, talk("Still talking?", "Yes."), { title: "Open", openedBy });
    const { page } = await openPage({ sandbox, at: `/sessions/${id}` });
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await page.getByRole("alert").getByText("open in another process").waitFor();
    expect(sandbox.ok(["sessions", "--quiet"]).stdout.trim()).toBe(id);
    await page.getByRole("button", { name: "Delete anyway" }).click();
    await page.getByText("No conversations yet").waitFor();
    expect(sandbox.ok(["sessions", "--quiet"]).stdout.trim()).toBe("");
  },
);
